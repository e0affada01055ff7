//! `seabattle bots`: the catalog.

use std::io::Write;

use seabattle_bots::catalog;

use crate::table::{Lean, aligned};

pub(crate) fn list() -> anyhow::Result<()> {
    let mut rows = vec![["bot", "meant for", "how it plays", "from"].map(str::to_owned).to_vec()];
    for entry in catalog() {
        rows.push([entry.name, entry.rules, entry.about, entry.source].map(str::to_owned).to_vec());
    }
    let table = aligned(&[Lean::Left; 4], &rows);
    Ok(anstream::stdout().write_all(table.as_bytes())?)
}
