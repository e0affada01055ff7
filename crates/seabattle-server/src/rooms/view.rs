//! Views: everything that one viewer may know of a room. A fleet is included only where the viewer may see it.

use std::collections::BTreeMap;

use seabattle_core::{End, Fleet, Knowledge, Outcome, Rules, Side};
use serde::{Deserialize, Serialize};

use crate::crypto::commitment;
use crate::rooms::event::SideName;
use crate::rooms::room::{Room, Stage};
use crate::timestamp::Timestamp;

/// Everything that one viewer may know of a room, as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct View {
    game: String,
    pub(crate) revision: u64,
    stage: &'static str,
    rules: String,
    width: u8,
    height: u8,
    ships: Vec<ShipClassView>,
    touching: String,
    turn: String,
    announce: String,
    you: Option<SideName>,
    names: PerSide<Option<String>>,
    computer: Option<ComputerOpponent>,
    seated: PerSide<bool>,
    placed: PerSide<bool>,
    mover: Option<SideName>,
    due: usize,
    clock: Option<u16>,
    deadline: Option<Timestamp>,
    now: Timestamp,
    waters: PerSide<BoardView>,
    end: Option<EndView>,
    commitment: Option<String>,
    proof: Option<CommitmentProof>,
    rematch: RematchView,
}

/// A value for each side, with the JSON keys `A` and `B`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) struct PerSide<T> {
    pub(crate) a: T,
    pub(crate) b: T,
}

impl<T> PerSide<T> {
    pub(crate) fn of(make: impl Fn(Side) -> T) -> Self {
        Self { a: make(Side::A), b: make(Side::B) }
    }
}

#[derive(Debug, Serialize)]
struct ShipClassView {
    name: String,
    length: u8,
    count: u16,
}

/// The computer opponent of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ComputerOpponent {
    pub(crate) side: SideName,
    pub(crate) level: String,
}

#[derive(Debug, Serialize)]
struct BoardView {
    shots: Vec<ShotView>,
    sunk: Vec<Vec<String>>,
    impossible: Vec<String>,
    afloat: Option<BTreeMap<String, u16>>,
    fleet: Option<Vec<ShipView>>,
}

#[derive(Debug, Serialize)]
struct ShotView {
    cell: String,
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ship: Option<String>,
}

#[derive(Debug, Serialize)]
struct ShipView {
    name: String,
    cells: Vec<String>,
}

#[derive(Debug, Serialize)]
struct EndView {
    winner: Option<SideName>,
    how: String,
}

#[derive(Debug, Serialize)]
struct CommitmentProof {
    salt: String,
    fleet: String,
}

#[derive(Debug, Serialize)]
struct RematchView {
    offered: PerSide<bool>,
    game: Option<String>,
}

impl View {
    /// The view of the player of a side, or of a spectator if `viewer` is `None`.
    pub(crate) fn of(room: &Room, viewer: Option<Side>, now: Timestamp) -> Self {
        let rules = &room.rules;
        let game = room.game.as_ref();
        let is_over = room.stage() == Stage::Over;
        Self {
            game: room.id.clone(),
            revision: room.revision,
            stage: stage_text(room.stage()),
            rules: rules.to_string(),
            width: rules.size().width(),
            height: rules.size().height(),
            ships: ship_class_views(rules),
            touching: rules.touching().to_string(),
            turn: rules.turn().to_string(),
            announce: rules.announce().to_string(),
            you: viewer.map(SideName::from),
            names: PerSide::of(|side| room.seats[side].as_ref().and_then(|seat| seat.name.clone())),
            computer: computer(room),
            seated: PerSide::of(|side| room.seats[side].is_some() || room.computer() == Some(side)),
            placed: PerSide::of(|side| room.fleets[side].is_some()),
            mover: room.side_to_move().map(SideName::from),
            due: room.side_to_move().and(game).map_or(0, seabattle_core::Game::shots_due),
            clock: room.created.clock,
            deadline: room.deadline,
            now,
            waters: PerSide::of(|side| {
                let shown = (viewer == Some(side) || is_over).then_some(room.fleets[side].as_ref()).flatten();
                let empty = Knowledge::new(rules);
                board_view(game.map_or(&empty, |game| game.knowledge(side.other())), shown)
            }),
            end: room.end().map(end_view),
            commitment: computer_fleet(room).map(|fleet| commitment(&room.created.salt, &fleet.to_string())),
            proof: computer_fleet(room)
                .filter(|_| is_over)
                .map(|fleet| CommitmentProof { salt: room.created.salt.clone(), fleet: fleet.to_string() }),
            rematch: RematchView {
                offered: PerSide::of(|side| room.rematch_offers[side] || (is_over && room.computer() == Some(side))),
                game: room.rematch_game.clone(),
            },
        }
    }
}

pub(crate) fn computer(room: &Room) -> Option<ComputerOpponent> {
    Some(ComputerOpponent { side: room.created.computer_side?, level: room.created.computer.clone()? })
}

fn computer_fleet(room: &Room) -> Option<&Fleet> {
    room.fleets[room.computer()?].as_ref()
}

fn end_view(end: End) -> EndView {
    EndView { winner: end.winner.map(SideName::from), how: end.termination.to_string() }
}

/// The view of one board. Everything but `fleet` follows from announced answers.
fn board_view(known: &Knowledge, fleet: Option<&Fleet>) -> BoardView {
    let rules = known.rules();
    let name = |class| rules.class(class).name().to_owned();
    let shot = |shot: &seabattle_core::Shot| {
        let (answer, ship) = match shot.outcome {
            Outcome::Miss => ("miss", None),
            Outcome::Hit(class) => ("hit", class),
            Outcome::Sunk(class) => ("sunk", class),
        };
        ShotView { cell: shot.cell.to_string(), answer, ship: ship.map(name) }
    };
    let cells = |set: &seabattle_core::CellSet| set.iter().map(|cell| cell.to_string()).collect::<Vec<_>>();
    let ship = |ship: &seabattle_core::Ship| ShipView {
        name: name(ship.class()),
        cells: ship.cells().map(|cell| cell.to_string()).collect(),
    };
    BoardView {
        shots: known.shots().iter().map(shot).collect(),
        sunk: known.sinkings().iter().filter_map(|sinking| sinking.cells.as_ref().map(cells)).collect(),
        impossible: cells(&known.impossible()),
        afloat: afloat(known),
        fleet: fleet.map(|fleet| fleet.ships().iter().map(ship).collect()),
    }
}

/// How many ships of each class are afloat, or `None` if that is not known for every class.
fn afloat(known: &Knowledge) -> Option<BTreeMap<String, u16>> {
    let rules = known.rules();
    let certain = |class| {
        let range = known.afloat(class);
        (range.start() == range.end()).then(|| (rules.class(class).name().to_owned(), *range.end()))
    };
    rules.class_ids().map(certain).collect()
}

fn ship_class_views(rules: &Rules) -> Vec<ShipClassView> {
    let kind = |class: &seabattle_core::ShipClass| ShipClassView {
        name: class.name().to_owned(),
        length: class.length(),
        count: class.count(),
    };
    rules.classes().iter().map(kind).collect()
}

fn stage_text(stage: Stage) -> &'static str {
    match stage {
        Stage::Waiting => "waiting",
        Stage::Placing => "placing",
        Stage::Battle => "battle",
        Stage::Over => "over",
    }
}
