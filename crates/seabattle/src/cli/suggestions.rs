//! Value parsers that also tell a shell what it can complete.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser, ValueParser};
use clap::{Arg, Command};
use seabattle_arena::Schedule;
use seabattle_bots::{BotInfo, catalog};
use seabattle_core::Rules;
use seabattle_terminal::screen::Theme;

const PRESETS: [&str; 3] = ["classic", "russian", "salvo"];
const THEMES: [&str; 4] = ["sea", "paper", "ansi", "mono"];
const SCHEDULES: [&str; 5] = ["round-robin", "gauntlet", "swiss", "knockout", "contest"];

/// A parser with examples of what it accepts. It may accept other values too.
#[derive(Clone)]
struct WithSuggestions<P> {
    parser: P,
    suggestions: Vec<&'static str>,
}

impl<P> TypedValueParser for WithSuggestions<P>
where
    P: TypedValueParser,
    P::Value: Clone + Send + Sync,
{
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.suggestions.iter().copied().map(PossibleValue::new)))
    }
}

/// Parses the name of a bot of the catalog.
pub(super) fn bot() -> ValueParser {
    ValueParser::new(WithSuggestions { parser: find_bot, suggestions: bot_names() })
}

fn find_bot(name: &str) -> Result<&'static BotInfo, seabattle_bots::UnknownBot> {
    seabattle_bots::find(name)
}

/// Accepts any contestant: a bot of the catalog, or a command.
pub(super) fn contestant() -> ValueParser {
    ValueParser::new(WithSuggestions { parser: clap::builder::StringValueParser::new(), suggestions: bot_names() })
}

fn bot_names() -> Vec<&'static str> {
    catalog().iter().map(|entry| entry.name).collect()
}

/// Parses rules; shells complete the presets.
pub(super) fn rules() -> ValueParser {
    ValueParser::new(WithSuggestions { parser: str::parse::<Rules>, suggestions: PRESETS.to_vec() })
}

/// Parses a theme of the full-screen game.
pub(super) fn theme() -> ValueParser {
    ValueParser::new(WithSuggestions { parser: str::parse::<Theme>, suggestions: THEMES.to_vec() })
}

/// Parses a tournament schedule.
pub(super) fn schedule() -> ValueParser {
    ValueParser::new(WithSuggestions { parser: str::parse::<Schedule>, suggestions: SCHEDULES.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::{PRESETS, Rules, SCHEDULES, Schedule, THEMES, Theme};

    #[test]
    fn suggestions_are_accepted() {
        assert!(PRESETS.iter().all(|preset| preset.parse::<Rules>().is_ok()));
        assert!(SCHEDULES.iter().all(|schedule| schedule.parse::<Schedule>().is_ok()));
        assert_eq!(Theme::ALL.map(|theme| theme.to_string()), THEMES);
    }
}
