//! The layouts of a bench, by name or from a file.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use anyhow::{Context, bail};
use seabattle_arena::Layouts;
use seabattle_bots::BotInfo;
use seabattle_core::{Fleet, Rules};

use crate::remote::LayoutJob;

/// The size limit of a layout file, which is kept in memory: half a million classic layouts.
const MAX_FILE: u64 = 64 << 20;
/// The size limit of layouts in a job.
const MAX_JOB_BYTES: usize = 256 << 10;
/// The length limit of a line, enough for a fleet of 2500 ships.
const MAX_LINE: u64 = 1 << 17;

pub(super) fn read(name: &str, rules: &Rules) -> anyhow::Result<Layouts> {
    match name {
        "uniform" => Ok(Layouts::Uniform),
        "sequential" => Ok(Layouts::Sequential),
        path => read_file(path, rules).map(Layouts::Given),
    }
}

/// Returns the layouts as a part of a job.
pub(super) fn to_job(layouts: &Layouts, placer: Option<&BotInfo>) -> anyhow::Result<LayoutJob> {
    Ok(match (layouts, placer) {
        (Layouts::Sequential, _) => LayoutJob::Sequential,
        (Layouts::Given(fleets), _) => {
            let texts: Vec<String> = fleets.iter().map(ToString::to_string).collect();
            if texts.iter().map(String::len).sum::<usize>() > MAX_JOB_BYTES {
                bail!("a layout file for --nats has at most {} KiB", MAX_JOB_BYTES >> 10);
            }
            LayoutJob::Given(texts)
        }
        (Layouts::Placed(_), Some(placer)) => LayoutJob::Placed(placer.name.to_owned()),
        (Layouts::Uniform | Layouts::Placed(_), _) => LayoutJob::Uniform,
    })
}

/// Reads one fleet per line. Empty lines and lines that start with `;` are skipped.
fn read_file(path: &str, rules: &Rules) -> anyhow::Result<Vec<Fleet>> {
    let file = File::open(path)
        .with_context(|| format!("--layouts is uniform, sequential or a file, but cannot open {path}"))?;
    if file.metadata().with_context(|| format!("cannot read {path}"))?.len() > MAX_FILE {
        bail!("{path} is larger than {} MiB: use fewer layouts", MAX_FILE >> 20);
    }
    let mut reader = BufReader::new(file.take(MAX_FILE));
    let mut fleets = Vec::new();
    for number in 1.. {
        let mut line = Vec::new();
        (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line).with_context(|| format!("cannot read {path}"))?;
        if line.is_empty() {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if !(text.is_empty() || text.starts_with(';')) {
            fleets.push(Fleet::parse(rules, text).with_context(|| format!("{path}, line {number}"))?);
        }
    }
    if fleets.is_empty() {
        bail!("{path} contains no layout");
    }
    Ok(fleets)
}
