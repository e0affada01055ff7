//! Reading records: bounded, and every error names the line and the reason.

use std::str::FromStr;

use thiserror::Error;

use super::{Record, check};
use crate::game::TurnOrder;
use crate::{
    BySide, Cell, End, Fleet, ParseFleetError, ParseRulesError, ParseShotError, Rules, Shot, ShotError, Side,
    Termination,
};

/// The most bytes of a record: more than any game needs, with two fleets of 2500 ships and 5000 shots.
const MAX_TEXT: usize = 1 << 20;
/// The most tags that the format does not define. They must fit into a record together with all others.
const MAX_MORE_TAGS: usize = 100;
const MAX_MORE_BYTES: usize = 1 << 16;
const OWN_TAGS: [&str; 11] =
    ["Seabattle", "Rules", "A", "B", "Seed", "First", "Solo", "Result", "Ended", "FleetA", "FleetB"];

/// Why a text is not a record, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {why}")]
pub struct RecordError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// What is wrong in this line.
    pub why: RecordFault,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordFault {
    /// The text is longer than the record of any game.
    #[error("the text is longer than the record of any game")]
    TooLong,
    /// The bytes are not UTF-8 text.
    #[error("not UTF-8 text")]
    NotText,
    /// The text does not start like a record.
    #[error("a record starts with [Seabattle \"1\"]")]
    Start,
    /// The record has a version that this program does not know.
    #[error("record version {version:?} is unknown, this program reads version 1")]
    Version {
        /// The version that was given.
        version: String,
    },
    /// A line in brackets is not a tag.
    #[error("a tag is written [Name \"value\"]")]
    Tag,
    /// A tag occurs twice.
    #[error("the tag {name} occurs twice")]
    TagTwice {
        /// The name of the tag.
        name: String,
    },
    /// There are more tags than allowed.
    #[error(
        "more than {MAX_MORE_TAGS} tags, or more than {MAX_MORE_BYTES} bytes of them, that this format does not define"
    )]
    TooManyTags,
    /// A required tag is missing.
    #[error("the tag [{name} \"…\"] is missing")]
    TagMissing {
        /// The name of the tag.
        name: &'static str,
    },
    /// A tag has no such value.
    #[error("{name} is {expected}")]
    Value {
        /// The name of the tag.
        name: &'static str,
        /// The values that are allowed.
        expected: &'static str,
    },
    /// The tags `Result` and `Ended` contradict each other.
    #[error("the tags Result and Ended contradict each other")]
    EndedOtherwise,
    /// The rules cannot be read.
    #[error("{0}")]
    Rules(ParseRulesError),
    /// A fleet cannot be read or is illegal.
    #[error("fleet of {side}: {why}")]
    Fleet {
        /// The side of the fleet.
        side: Side,
        /// What is wrong with the fleet.
        why: ParseFleetError,
    },
    /// A word is out of place.
    #[error("{word:?} is out of place: a round is a number and a dot, then A or B before the shots of each")]
    Word {
        /// The word that was given.
        word: String,
    },
    /// A round has the wrong number.
    #[error("round {expected} was expected here, not {given}")]
    Round {
        /// The number of the next round.
        expected: usize,
        /// What the record has instead.
        given: String,
    },
    /// A shot cannot be read.
    #[error("{0}")]
    Shot(ParseShotError),
    /// A shot contradicts the ones before it.
    #[error("{0}")]
    Impossible(ShotError),
    /// An answer does not agree with the fleet.
    #[error("the answer at {cell} should be {expected}")]
    WrongAnswer {
        /// The cell of the shot.
        cell: Cell,
        /// The shot with the right answer.
        expected: String,
    },
    /// A side fires when it is not its turn.
    #[error("it is not {side}'s turn")]
    OutOfTurn {
        /// The side that fired.
        side: Side,
    },
    /// A turn has too many or too few shots.
    #[error("the number of shots in this turn is {due}, not {given}")]
    WrongCount {
        /// The number of shots that the rules require.
        due: usize,
        /// What the record has instead.
        given: usize,
    },
    /// A shot follows after the end of the game.
    #[error("the game was over before this shot")]
    AfterEnd,
    /// The tags name another result than the shots.
    #[error("the shots end with Result {result:?}{how}, but the tags name another result")]
    End {
        /// The right value of the tag `Result`.
        result: &'static str,
        /// What the message says of the tag `Ended`.
        how: &'static str,
    },
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        parse(text, 1)
    }
}

impl Record {
    /// Parses one record from untrusted bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
            RecordError { line: before + 1, why: RecordFault::NotText }
        })?;
        text.parse()
    }

    /// Parses a text with several records, one after the other.
    pub fn parse_all(text: &str) -> impl Iterator<Item = Result<Self, RecordError>> + '_ {
        split_records(text).map(|(line, text)| parse(text, line))
    }
}

/// Splits a text before every line that starts a record. Each part comes with the number of its first line.
fn split_records(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    let mut line = 1;
    std::iter::from_fn(move || {
        let blank = rest.len() - rest.trim_start().len();
        if blank == rest.len() {
            return None;
        }
        let body = blank + comment_length(&rest[blank..]);
        let cut = rest[body..].find("\n[Seabattle ").map(|at| body + at + 1);
        let (record, after) = rest.split_at(cut.unwrap_or(rest.len()));
        let first_line = line;
        line += record.matches('\n').count();
        rest = after;
        Some((first_line, record))
    })
}

/// The number of bytes of comments and blank lines at the start of a text.
fn comment_length(text: &str) -> usize {
    let is_comment = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with(';');
    text.split_inclusive('\n').take_while(is_comment).map(str::len).sum()
}

fn parse(text: &str, first_line: usize) -> Result<Record, RecordError> {
    if text.len() > MAX_TEXT {
        return Err(RecordError { line: first_line, why: RecordFault::TooLong });
    }
    let mut tags = Tags { first_line, all: Vec::new(), more: 0, more_bytes: 0 };
    let mut words = Vec::new();
    for (number, line) in (first_line..).zip(text.lines()) {
        let line = line.trim();
        if line.starts_with('[') && words.is_empty() {
            tags.read(number, line)?;
        } else if !line.starts_with(';') {
            words.extend(line.split_whitespace().map(|word| (number, word)));
        }
    }
    let last_line = first_line + text.lines().count().saturating_sub(1);
    tags.into_record(last_line, &words)
}

/// The tags in their order, each with its line.
struct Tags {
    first_line: usize,
    all: Vec<Tag>,
    more: usize,
    more_bytes: usize,
}

/// A tag with its line.
struct Tag {
    line: usize,
    name: String,
    value: String,
}

impl Tags {
    fn read(&mut self, line: usize, text: &str) -> Result<(), RecordError> {
        let fail = |why| Err(RecordError { line, why });
        let Some((name, value)) = parse_tag(text) else {
            return fail(RecordFault::Tag);
        };
        match self.all.len() {
            0 if name != "Seabattle" => return fail(RecordFault::Start),
            0 if value != "1" => return fail(RecordFault::Version { version: shown(&value) }),
            _ => {}
        }
        if self.get(&name).is_some() {
            return fail(RecordFault::TagTwice { name });
        }
        if !OWN_TAGS.contains(&name.as_str()) {
            self.more += 1;
            self.more_bytes += text.len();
        }
        if self.more > MAX_MORE_TAGS || self.more_bytes > MAX_MORE_BYTES {
            return fail(RecordFault::TooManyTags);
        }
        self.all.push(Tag { line, name, value });
        Ok(())
    }

    fn get(&self, name: &str) -> Option<&Tag> {
        self.all.iter().find(|tag| tag.name == name)
    }

    /// The value of an optional tag. Errors name the line of the tag.
    fn optional<T>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, RecordFault>,
    ) -> Result<Option<T>, RecordError> {
        let read = |tag: &Tag| parse(&tag.value).map_err(|why| RecordError { line: tag.line, why });
        self.get(name).map(read).transpose()
    }

    fn required<T>(
        &self,
        name: &'static str,
        parse: impl Fn(&str) -> Result<T, RecordFault>,
    ) -> Result<T, RecordError> {
        let missing = RecordError { line: self.first_line, why: RecordFault::TagMissing { name } };
        self.optional(name, parse)?.ok_or(missing)
    }

    fn into_record(self, last_line: usize, words: &[(usize, &str)]) -> Result<Record, RecordError> {
        if self.all.is_empty() {
            return Err(RecordError { line: self.first_line, why: RecordFault::Start });
        }
        let rules: Rules = self.required("Rules", |text| text.parse().map_err(RecordFault::Rules))?;
        let first = self.required("First", parse_first)?;
        let solo = self.optional("Solo", parse_solo)?.is_some();
        let seed = self.optional("Seed", parse_seed)?;
        let end = self.end()?;
        let fleet = |side| {
            let parse = |text: &str| Fleet::parse(&rules, text).map_err(|why| RecordFault::Fleet { side, why });
            self.optional(&format!("Fleet{side}"), parse)
        };
        let fleets = BySide { a: fleet(Side::A)?, b: fleet(Side::B)? };
        let turn_order = if solo { TurnOrder::solo(first) } else { TurnOrder::new(first) };
        let turns = parse_turns(&rules, &turn_order, words)?;
        check::check(&rules, turn_order, &fleets, &turns, end, last_line)?;
        let name = |side: Side| self.get(&side.to_string()).map_or("?", |tag| &tag.value);
        let without_lines = |shots: Vec<(usize, Shot)>| shots.into_iter().map(|(_, shot)| shot).collect();
        Ok(Record {
            names: BySide::new(|side| super::sanitize_name(name(side))),
            rules,
            seed,
            first,
            solo,
            fleets,
            turns: turns.into_iter().map(|(side, shots)| (side, without_lines(shots))).collect(),
            end,
            more_tags: self.more_tags(),
        })
    }

    fn more_tags(self) -> Vec<(String, String)> {
        let foreign = |tag: &Tag| !OWN_TAGS.contains(&tag.name.as_str());
        self.all.into_iter().filter(foreign).map(|tag| (tag.name, tag.value)).collect()
    }

    fn end(&self) -> Result<Option<End>, RecordError> {
        let winner = self.required("Result", parse_winner)?;
        let Some(termination) = self.optional("Ended", parse_termination)? else {
            return match winner {
                Winner::Nobody => Ok(None),
                _ => Err(RecordError { line: self.first_line, why: RecordFault::TagMissing { name: "Ended" } }),
            };
        };
        let line = self.get("Ended").map_or(self.first_line, |tag| tag.line);
        let end = match (winner, termination) {
            (Winner::Side(side), termination) if termination != Termination::Abandoned => {
                End { winner: Some(side), termination }
            }
            (Winner::Draw, Termination::Sunk) | (Winner::Nobody, Termination::Fault | Termination::Abandoned) => {
                End { winner: None, termination }
            }
            _ => {
                return Err(RecordError { line, why: RecordFault::EndedOtherwise });
            }
        };
        Ok(Some(end))
    }
}

/// The values of the tag Result.
enum Winner {
    Side(Side),
    Draw,
    Nobody,
}

fn parse_winner(text: &str) -> Result<Winner, RecordFault> {
    match text {
        "draw" => Ok(Winner::Draw),
        "*" => Ok(Winner::Nobody),
        _ => {
            parse_side(text).map(Winner::Side).ok_or(RecordFault::Value { name: "Result", expected: "A, B, draw or *" })
        }
    }
}

fn parse_termination(text: &str) -> Result<Termination, RecordFault> {
    let known = Termination::ALL.into_iter().find(|how| how.to_string() == text);
    known.ok_or(RecordFault::Value { name: "Ended", expected: "sunk, resigned, time, fault or abandoned" })
}

fn parse_tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, quoted) = inner.split_once(' ')?;
    let quoted = quoted.trim().strip_prefix('"')?.strip_suffix('"')?;
    let good_name = !name.is_empty() && name.len() <= 40 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    good_name.then_some((name.to_owned(), unescape(quoted)?))
}

fn unescape(quoted: &str) -> Option<String> {
    let mut value = String::with_capacity(quoted.len());
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => value.push(chars.next().filter(|&c| c == '\\' || c == '"')?),
            '"' => return None,
            c if c.is_control() => return None,
            c => value.push(c),
        }
    }
    Some(value)
}

fn parse_first(text: &str) -> Result<Side, RecordFault> {
    parse_side(text).ok_or(RecordFault::Value { name: "First", expected: "A or B" })
}

fn parse_side(text: &str) -> Option<Side> {
    Side::ALL.into_iter().find(|side| side.to_string() == text)
}

/// Parses the tag `Solo`. A record of two players has no such tag.
fn parse_solo(text: &str) -> Result<(), RecordFault> {
    (text == "yes").then_some(()).ok_or(RecordFault::Value { name: "Solo", expected: "yes, or left out" })
}

fn parse_seed(text: &str) -> Result<u64, RecordFault> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let seed = plain.then(|| text.parse().ok()).flatten();
    seed.ok_or(RecordFault::Value { name: "Seed", expected: "a whole number below 2^64" })
}

/// Turns: the side, and its shots with their lines.
pub(super) type Turns = Vec<(Side, Vec<(usize, Shot)>)>;

/// Parses the words of the turns: `1. A E5. B D4x`, in a solo game `1. A E5.`.
fn parse_turns(rules: &Rules, turn_order: &TurnOrder, words: &[(usize, &str)]) -> Result<Turns, RecordError> {
    let first = turn_order.first();
    let mut turns: Turns = Vec::new();
    let mut expected = Expected::Round;
    let mut rounds = 0;
    for &(line, word) in words {
        let fail = |why| Err(RecordError { line, why });
        let out_of_place = || RecordFault::Word { word: shown(word) };
        expected = match (parse_word(word), expected) {
            (Word::Round(number), Expected::Round | Expected::ShotOrRound) => {
                rounds += 1;
                if number != rounds.to_string() {
                    return fail(RecordFault::Round { expected: rounds, given: shown(number) });
                }
                Expected::Side(first)
            }
            (Word::Side(side), Expected::Side(due)) if side == due => {
                turns.push((side, Vec::new()));
                Expected::Shot
            }
            (Word::Side(side), Expected::ShotOrSide) if side != first => {
                turns.push((side, Vec::new()));
                Expected::Shot
            }
            (Word::Shot, Expected::Shot | Expected::ShotOrSide | Expected::ShotOrRound) => {
                let shot = Shot::parse(rules, word).map_err(|why| RecordError { line, why: RecordFault::Shot(why) })?;
                let Some((side, shots)) = turns.last_mut() else { return fail(out_of_place()) };
                shots.push((line, shot));
                if *side == first && !turn_order.is_solo() { Expected::ShotOrSide } else { Expected::ShotOrRound }
            }
            (_, Expected::Shot) => return fail(RecordFault::WrongCount { due: 1, given: 0 }),
            (Word::Round(_), Expected::ShotOrSide) => return fail(RecordFault::OutOfTurn { side: first }),
            (Word::Side(side), Expected::Side(_) | Expected::ShotOrSide | Expected::ShotOrRound) => {
                return fail(RecordFault::OutOfTurn { side });
            }
            _ => return fail(out_of_place()),
        };
    }
    match (expected, words.last()) {
        (Expected::Shot | Expected::Side(_), Some(&(line, word))) => {
            let no_shot = RecordFault::WrongCount { due: 1, given: 0 };
            let why = if expected == Expected::Shot { no_shot } else { RecordFault::Word { word: shown(word) } };
            Err(RecordError { line, why })
        }
        _ => Ok(turns),
    }
}

/// What may come next among the words of the turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Round,
    Side(Side),
    Shot,
    ShotOrSide,
    ShotOrRound,
}

/// The kind of a word among the turns.
enum Word<'a> {
    Round(&'a str),
    Side(Side),
    Shot,
}

fn parse_word(word: &str) -> Word<'_> {
    let number = word.strip_suffix('.').filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    match (number, parse_side(word)) {
        (Some(number), _) => Word::Round(number),
        (None, Some(side)) => Word::Side(side),
        (None, None) => Word::Shot,
    }
}

/// The first characters of a text, for an error message.
fn shown(text: &str) -> String {
    text.chars().take(30).collect()
}
