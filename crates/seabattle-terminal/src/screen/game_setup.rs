//! What a game is played by.

use seabattle_bots::BotInfo;
use seabattle_core::{Rules, Seed, Side, uniform_below};

use crate::{COMPUTER, First, HUMAN, messages};

/// Rules, opponent, chance and who begins.
#[derive(Clone)]
pub(super) struct GameSetup {
    pub(super) rules: Rules,
    pub(super) bot: &'static BotInfo,
    pub(super) seed: u64,
    pub(super) first: First,
    /// Whether the bot goes on learning from the games before, so that the seed alone does not tell how it plays.
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

    /// For titles and records, where it tells the game.
    pub(super) fn recorded_seed(&self) -> Option<u64> {
        (!self.has_met_player).then_some(self.seed)
    }

    /// Opponent, seed and rules in a line, the longest last.
    pub(super) fn summary(&self) -> String {
        let seed = self.recorded_seed().map_or_else(String::new, |seed| format!(", seed {seed}"));
        format!("You against {}{seed}, {}", self.bot.title, self.rules)
    }

    /// The rules for the help: their text, and what it means.
    pub(super) fn rules_help(&self) -> Vec<(String, String)> {
        let fleet = messages::fleet_list(&self.rules, |class| class.count());
        let meaning = format!("{}. Fleet: {fleet}. {}", self.rules, messages::rules_in_words(&self.rules));
        vec![("rules".to_owned(), meaning)]
    }
}
