//! What defines a game before it starts.

use seabattle_bots::BotInfo;
use seabattle_core::{Rules, Seed, Side, uniform_below};

use crate::{COMPUTER, First, HUMAN, messages};

/// Rules, opponent, seed and who fires first.
#[derive(Clone)]
pub(super) struct GameSetup {
    pub(super) rules: Rules,
    pub(super) bot: &'static BotInfo,
    pub(super) seed: u64,
    pub(super) first: First,
    /// Whether the bot has learned from earlier games. Its play then depends on more than the seed.
    pub(super) has_met_player: bool,
}

impl GameSetup {
    pub(super) fn seeds(&self) -> Seed {
        Seed::new(self.seed)
    }

    pub(super) fn first_side(&self) -> Side {
        match self.first {
            First::Me => HUMAN,
            First::Bot => COMPUTER,
            First::Random => Side::ALL[uniform_below(&mut self.seeds().first().rng(), 2)],
        }
    }

    /// Returns the seed for titles and records, if it determines the game.
    pub(super) fn recorded_seed(&self) -> Option<u64> {
        (!self.has_met_player).then_some(self.seed)
    }

    /// Builds the title line: opponent, seed and rules, the longest last.
    pub(super) fn summary(&self) -> String {
        let seed = self.recorded_seed().map_or_else(String::new, |seed| format!(", seed {seed}"));
        format!("You against {}{seed}, {}", self.bot.title, self.rules)
    }

    /// Explains the rules for the help.
    pub(super) fn rules_help(&self) -> Vec<(String, String)> {
        let fleet = messages::fleet_list(&self.rules, |class| class.count());
        let meaning = format!("{}. Fleet: {fleet}. {}", self.rules, messages::rules_in_words(&self.rules));
        vec![("rules".to_owned(), meaning)]
    }
}
