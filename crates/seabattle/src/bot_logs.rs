//! Files with the standard error of external bots.

use std::fs;
use std::path::Path;

use anyhow::Context;
use seabattle_arena::{BotLog, Contestant, ContestantKind};

/// Gives an external contestant a log file, if there is a folder for logs.
pub(crate) fn attach(folder: Option<&Path>, number: usize, contestant: &mut Contestant) -> anyhow::Result<()> {
    if let (Some(folder), ContestantKind::External { command, .. }) = (folder, &mut contestant.kind) {
        command.log = Some(create(folder, number, &contestant.name)?);
    }
    Ok(())
}

/// Creates the log file of a contestant. Numbers start at 1.
pub(crate) fn create(folder: &Path, number: usize, name: &str) -> anyhow::Result<BotLog> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let path = folder.join(file_name(number, name));
    BotLog::create(&path).with_context(|| format!("cannot write {}", path.display()))
}

fn file_name(number: usize, name: &str) -> String {
    const MAX_LETTERS: usize = 60;
    let letters: Vec<char> = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
    // Commands differ at their ends.
    let last: String = letters[letters.len().saturating_sub(MAX_LETTERS)..].iter().collect();
    format!("{number}-{}.log", last.trim_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn files_are_named_for_contestants() {
        assert_eq!(file_name(2, "python3 bots/my bot.py"), "2-python3-bots-my-bot-py.log");
        assert_eq!(file_name(1, &format!("/{}/x.py", "y".repeat(300))), format!("1-{}-x-py.log", "y".repeat(55)));
    }
}
