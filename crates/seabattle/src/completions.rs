//! `seabattle completions`: prints a completion script for a shell.

use std::io::{self, Write};

use clap_complete::Shell;

use crate::cli;

pub(crate) fn print(shell: Shell) -> anyhow::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut cli::command(), "seabattle", &mut text);
    Ok(io::stdout().write_all(&text)?)
}
