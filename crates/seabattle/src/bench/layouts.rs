//! Layouts by name or from a file.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use anyhow::{Context, bail};
use seabattle_arena::Layouts;
use seabattle_core::{Fleet, Rules};

/// Half a million classic layouts; they are all kept in memory.
const MAX_FILE: u64 = 64 << 20;
/// More than a fleet of 2500 ships.
const MAX_LINE: u64 = 1 << 17;

pub(super) fn read(name: &str, rules: &Rules) -> anyhow::Result<Layouts> {
    match name {
        "uniform" => Ok(Layouts::Uniform),
        "sequential" => Ok(Layouts::Sequential),
        path => read_file(path, rules).map(Layouts::Given),
    }
}

/// One fleet a line; empty lines and lines that start with `;` are passed over.
fn read_file(path: &str, rules: &Rules) -> anyhow::Result<Vec<Fleet>> {
    let file =
        File::open(path).with_context(|| format!("--layouts is uniform, sequential or a file; cannot open {path}"))?;
    if file.metadata().with_context(|| format!("cannot read {path}"))?.len() > MAX_FILE {
        bail!("{path} is larger than {} MiB: too many layouts", MAX_FILE >> 20);
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
        bail!("{path} holds no layout");
    }
    Ok(fleets)
}
