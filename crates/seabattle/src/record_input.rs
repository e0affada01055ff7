//! Reads games from record files.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_core::{Record, RecordError, RecordFault};
use seabattle_odds::{AnalysisError, OddsCache};
use seabattle_render::Replay;

use crate::cli::RecordArgs;
use crate::interrupt;

/// The size limit of record files.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// Reads the game that the arguments choose.
pub(crate) fn read(args: &RecordArgs) -> anyhow::Result<Record> {
    let text = read_text(&args.file)?;
    let name = args.file.display();
    let (mut games, mut chosen) = (0, None);
    for record in Record::parse_all(&text) {
        games += 1;
        if args.game.is_none_or(|game| game.get() == games) {
            chosen = Some(record);
        }
    }
    match (chosen, args.game) {
        (Some(record), game) => {
            let record = record.with_context(|| name.to_string())?;
            if game.is_none() && games > 1 {
                writeln!(io::stderr(), "{name} has {games} games. This is the last; choose another with --game N.")
                    .ok();
            }
            Ok(record)
        }
        (None, _) if games == 0 => Err(anyhow!(no_games_message(&args.file))),
        (None, _) => bail!("{name} has {games} games: choose one from 1 to {games}"),
    }
}

/// Reads all games of a file. One invalid game is an error.
pub(crate) fn read_all(args: &RecordArgs) -> anyhow::Result<Vec<Record>> {
    let records: Result<Vec<Record>, RecordError> = Record::parse_all(&read_text(&args.file)?).collect();
    let records = records.with_context(|| args.file.display().to_string())?;
    if records.is_empty() { Err(anyhow!(no_games_message(&args.file))) } else { Ok(records) }
}

fn no_games_message(file: &Path) -> String {
    format!("{} contains no game; `seabattle play --save FILE` writes games", file.display())
}

fn read_text(file: &Path) -> anyhow::Result<String> {
    let name = file.display();
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        let open = File::open(file).with_context(|| format!("cannot read {name}"))?;
        if open.metadata().is_ok_and(|kind| kind.is_dir()) {
            bail!("{name} is a folder: choose a record file in it");
        }
        open.take(MAX_BYTES + 1).read_to_end(&mut bytes)
    };
    read.with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{name} is larger than {} MiB: copy the game you want to a smaller file", MAX_BYTES >> 20);
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        anyhow!(RecordError { line, why: RecordFault::NotText }).context(name.to_string())
    })
}

/// Computes the odds of every shot, with a progress bar. Ctrl-C ends the program.
pub(crate) fn analyze(record: Record, odds_cache: &OddsCache, bar: &ProgressBar) -> anyhow::Result<Replay> {
    let replay = Replay::with_odds(record, odds_cache, |moment| {
        bar.inc(moment.volley.len() as u64);
        !interrupt::is_requested()
    });
    replay.map_err(|error| match error {
        AnalysisError::Stopped => interrupt::exit(),
        error => anyhow!(error),
    })
}

pub(crate) fn count_shots(record: &Record) -> u64 {
    record.turns().iter().map(|(_, shots)| shots.len() as u64).sum()
}

/// Makes a progress bar, which is hidden in a pipe.
pub(crate) fn progress_bar(steps: u64, what: &str) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(steps), target);
    let style =
        ProgressStyle::with_template(&format!("{{bar:30}} {{human_pos}} of {{human_len}} {what}, {{eta}} left"));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
