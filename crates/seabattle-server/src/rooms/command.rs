//! What players may ask for, and why they are refused.

use serde::Deserialize;

/// Longer names of commands are refused.
pub(crate) const MAX_COMMAND_ID: usize = 64;

/// A command as it comes.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Command {
    /// Made up by the client: the same one twice is done once.
    pub(crate) command: String,
    #[serde(flatten)]
    pub(crate) kind: CommandKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum CommandKind {
    Place { fleet: String },
    Shoot { cells: Vec<String> },
    Resign,
    Rematch,
}
