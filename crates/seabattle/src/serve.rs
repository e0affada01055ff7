//! `seabattle serve`: runs the game in the browser.

use std::io::IsTerminal;

use anyhow::Context;
use seabattle_server::{NodeOptions, Notifications, ServeError, Store, retry_transient};
use tokio::signal::unix::{SignalKind, signal};

use crate::cli::{LogFormat, ServeArgs};
use crate::limits::DurationArg;
use crate::remote::redact_url;

pub(crate) fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    start_log(args.log_format);
    let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
    runtime.block_on(async {
        let store = open_store(args).await?;
        let notifications = connect_notifications(args, &store).await?;
        let options = NodeOptions { rate: args.rate, forwarded: args.forwarded, notifications };
        let server = seabattle_server::serve(args.addr, store, options).await?;
        let address = server.address();
        tracing::info!(%address, games = server.games(), store = redact_url(&args.store), "serving");
        anstream::eprintln!(
            "Seabattle is at http://{address}/ (Ctrl-C stops it; games are stored in {})",
            redact_url(&args.store)
        );
        server.run_until(stop_signal()).await?;
        tracing::info!("stopped");
        Ok(())
    })
}

async fn open_store(args: &ServeArgs) -> anyhow::Result<Store> {
    let (limit, place) = (args.wait, redact_url(&args.store));
    let opened =
        retry_transient(limit.0, async || Store::open(&args.store).await, |why| report_waiting(why, limit)).await;
    opened.with_context(|| format!("cannot open the store {place}"))
}

async fn connect_notifications(args: &ServeArgs, store: &Store) -> anyhow::Result<Option<Notifications>> {
    let Some(address) = args.nats.as_deref() else { return Ok(None) };
    if !store.is_shared() {
        return Err(ServeError::NotShared.into());
    }
    let (limit, credentials) = (args.wait, args.nats_creds.as_deref());
    let connect = async || Notifications::connect(address, credentials).await;
    let connected = retry_transient(limit.0, connect, |why| report_waiting(why, limit)).await;
    Ok(Some(connected.with_context(|| format!("cannot use NATS at {}", redact_url(address)))?))
}

fn report_waiting(why: &impl std::error::Error, limit: DurationArg) {
    anstream::eprintln!("{why}; retrying for up to {limit} (--wait)");
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

async fn stop_signal() {
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
