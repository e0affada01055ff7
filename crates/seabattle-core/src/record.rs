//! A whole game as text: tags, then numbered rounds of shots. `docs/record.md` has the grammar.

mod check;
mod parse;
mod print;

use crate::game::volley;
use crate::{BySide, End, Fleet, Game, Rules, Shot, Side, Solo, Termination, Turn};

pub use parse::{RecordError, RecordFault};

/// The record of a game: everything needed to show it again. It always follows the rules.
///
/// ```
/// use seabattle_core::Record;
///
/// let text = r#"[Seabattle "1"]
/// [Rules "2x1:1"]
/// [A "anna"]
/// [B "boris"]
/// [First "A"]
/// [Result "B"]
/// [Ended "sunk"]
/// [FleetA "1 A1 across"]
/// [FleetB "1 B1 across"]
///
/// 1. A A1. B A1#1
/// "#;
/// let record: Record = text.parse()?;
/// assert_eq!(record.to_string(), text);
/// # Ok::<(), seabattle_core::RecordError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    rules: Rules,
    names: BySide<String>,
    seed: Option<u64>,
    first: Side,
    solo: bool,
    fleets: BySide<Option<Fleet>>,
    turns: Vec<(Side, Vec<Shot>)>,
    end: Option<End>,
    more_tags: Vec<(String, String)>,
}

impl Record {
    /// The most characters of a name; the rest is cut off.
    pub const MAX_NAME: usize = 100;

    /// The record of a game with both fleets: for games that are over, or for storage that no player can read.
    pub fn of(game: &Game, names: BySide<&str>, seed: Option<u64>) -> Self {
        Self {
            rules: game.rules().clone(),
            names: names.map(sanitize_name),
            seed,
            first: game.first(),
            solo: false,
            fleets: game.fleets().map(|fleet| Some(fleet.clone())),
            turns: game.turns().map(|(side, shots)| (side, shots.to_vec())).collect(),
            end: game.end(),
            more_tags: Vec::new(),
        }
    }

    /// The record of a solo game: `names` has the shooter as A and whoever placed the fleet as B.
    pub fn of_solo(game: &Solo, names: BySide<&str>, seed: Option<u64>) -> Self {
        let fleet = game.fleet();
        let end = End { winner: Some(Side::A), termination: Termination::Sunk };
        Self {
            rules: fleet.rules().clone(),
            names: names.map(sanitize_name),
            seed,
            first: Side::A,
            solo: true,
            fleets: BySide { a: None, b: Some(fleet.clone()) },
            turns: solo_turns(fleet.rules(), game.knowledge().shots()),
            end: game.is_over().then_some(end),
            more_tags: Vec::new(),
        }
    }

    /// The same record with only what was announced, for a game that is not over.
    ///
    /// It has no seed, because the seed would reveal the fleets.
    pub fn without_fleets(mut self) -> Self {
        self.fleets = BySide::default();
        self.seed = None;
        self
    }

    /// Replays the game shot by shot; `None` for a solo game, and while a fleet is not revealed.
    pub fn replay(&self) -> Option<Game> {
        if self.solo {
            return None;
        }
        let fleets = BySide { a: self.fleets.a.clone()?, b: self.fleets.b.clone()? };
        let mut game = Game::new(fleets, self.first).ok()?;
        for (side, shots) in self.volleys() {
            let cells: Vec<_> = shots.iter().map(|shot| shot.cell).collect();
            game.fire(side, &cells).ok()?;
        }
        game.end_as(self.end);
        Some(game)
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The names of the players.
    pub fn names(&self) -> BySide<&str> {
        self.names.as_ref().map(String::as_str)
    }

    /// The seed that repeats the game, if it is known.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The side that began.
    pub fn first(&self) -> Side {
        self.first
    }

    /// Whether this is a solo game: only the first side fires.
    pub fn is_solo(&self) -> bool {
        self.solo
    }

    /// The sides that fire: both, or the shooter of a solo game.
    pub fn shooters(&self) -> &'static [Side] {
        match (self.solo, self.first) {
            (false, _) => &Side::ALL,
            (true, Side::A) => &[Side::A],
            (true, Side::B) => &[Side::B],
        }
    }

    /// The fleets that are revealed.
    pub fn fleets(&self) -> BySide<Option<&Fleet>> {
        self.fleets.as_ref().map(Option::as_ref)
    }

    /// The turns: the side that fired, and its shots with their answers.
    pub fn turns(&self) -> &[(Side, Vec<Shot>)] {
        &self.turns
    }

    /// The result of the game; `None` while it is not over.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The tags that the format does not define, unchanged.
    pub fn more_tags(&self) -> &[(String, String)] {
        &self.more_tags
    }

    /// The volleys: shots that are answered together. Where a hit gives another shot, every shot is a volley.
    pub fn volleys(&self) -> impl Iterator<Item = (Side, &[Shot])> {
        let again = self.rules.turn() == Turn::AgainOnHit;
        self.turns.iter().flat_map(move |(side, shots)| {
            let volley = if again { 1 } else { shots.len().max(1) };
            shots.chunks(volley).map(move |shots| (*side, shots))
        })
    }
}

/// The turns of a solo game: the volleys, or all shots up to a miss where a hit gives another shot.
fn solo_turns(rules: &Rules, shots: &[Shot]) -> Vec<(Side, Vec<Shot>)> {
    let turn = |shots: &[Shot]| (Side::A, shots.to_vec());
    match rules.turn() {
        Turn::AgainOnHit => shots.split_inclusive(|shot| !shot.outcome.is_hit()).map(turn).collect(),
        Turn::Alternate | Turn::Salvo(_) | Turn::SalvoOfShipsAfloat => {
            shots.chunks(volley(rules, rules.ship_count(), usize::MAX)).map(turn).collect()
        }
    }
}

/// Makes a name fit on one line, with at most [`Record::MAX_NAME`] characters.
fn sanitize_name(name: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    name.chars().map(printable).take(Record::MAX_NAME).collect()
}
