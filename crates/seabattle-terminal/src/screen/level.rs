//! Strengths for people, each with the bot behind it.

use seabattle_bots::BotInfo;

/// How strong the opponent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) bot: &'static str,
}

/// From the weakest to the strongest.
pub(super) const LEVELS: [Level; 5] = [
    Level { name: "Calm", about: "for a first game: looks elsewhere and forgets", bot: "recruit" },
    Level { name: "Breeze", about: "finishes what it hits, searches carelessly", bot: "sailor" },
    Level { name: "Gale", about: "searches well, with a mistake now and then", bot: "captain" },
    Level { name: "Storm", about: "knows all odds and the ends of games", bot: "admiral" },
    Level { name: "Hurricane", about: "the strongest there is; learns how you place", bot: "champion" },
];

/// Where a person who says nothing begins.
pub(super) const FIRST_LEVEL: usize = 1;

/// What an opponent is called: its level, or the bot itself where it stands behind none.
pub(super) fn title(bot: &BotInfo) -> &'static str {
    title_of(bot.name)
}

/// The same by the name of the bot, as in records.
pub(super) fn title_of(name: &str) -> &str {
    LEVELS.iter().find(|level| level.bot == name).map_or(name, |level| level.name)
}
