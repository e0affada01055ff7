//! Commands of players.

use serde::Deserialize;

/// The longest id of a command, in bytes.
pub(crate) const MAX_COMMAND_ID: usize = 64;

/// A command as a client sends it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Command {
    /// The id of the command, chosen by the client. A command with the same id is executed once.
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
