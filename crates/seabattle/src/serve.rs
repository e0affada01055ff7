//! `seabattle serve`: the game in the browser.

use std::io::IsTerminal;

use anyhow::Context;
use seabattle_server::Store;
use tokio::signal::unix::{SignalKind, signal};

use crate::cli::{LogFormat, ServeArgs};

pub(crate) fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    start_log(args.log);
    let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
    runtime.block_on(async {
        let store =
            Store::open(&args.store).await.with_context(|| format!("cannot open the store {}", shown(&args.store)))?;
        let serving = seabattle_server::serve(args.addr, store, args.rate).await?;
        let address = serving.address();
        tracing::info!(%address, games = serving.games(), store = shown(&args.store), "serving");
        anstream::eprintln!(
            "Seabattle is at http://{address}/ (Ctrl-C stops it; games are kept in {})",
            shown(&args.store)
        );
        serving.until(asked_to_stop()).await?;
        tracing::info!("stopped");
        Ok(())
    })
}

/// The address of a database may hold a password.
fn shown(store: &str) -> &str {
    store.rsplit_once('@').map_or(store, |(_, place)| place)
}

fn start_log(format: LogFormat) {
    let log = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
        LogFormat::Off => {}
    }
}

async fn asked_to_stop() {
    let mut terminate = signal(SignalKind::terminate()).ok();
    let terminated = async {
        match &mut terminate {
            Some(terminate) => terminate.recv().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated => {}
    }
}
