//! One game between two players, either of whom may fail.

use seabattle_core::{BySide, Fleet, Game, Rules, Seed, Side, Stop};

use crate::IllegalShot;
use crate::player::{Fault, FaultKind, Player};
use crate::protocol::Verdict;

/// What a game is played by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSettings {
    /// The rules of the game.
    pub rules: Rules,
    /// The seed of the game, from which each side's own is derived.
    pub seed: Seed,
    /// Who fires first.
    pub first: Side,
    /// Whether players are told each other's fleet when the game is over.
    pub reveal: bool,
}

/// A game that is over.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// Who won; nobody if both failed at once, or both fleets were sunk.
    pub winner: Option<Side>,
    /// Who failed, and how.
    pub faults: BySide<Option<Fault>>,
    /// What was played; nothing if it never came to a first shot.
    pub game: Option<Game>,
    /// What the players call themselves.
    pub names: BySide<Option<String>>,
}

/// Plays a game to its end.
pub fn referee(players: &mut BySide<Box<dyn Player + '_>>, terms: &GameSettings) -> PlayedGame {
    let rules = &terms.rules;
    if let Err(played) = both(players, |player, side| player.start(rules, &terms.seed.side(side))) {
        return closed(players, terms, played);
    }
    let fleets = match both(players, |player, _| player.place(rules)) {
        Ok(fleets) => fleets,
        Err(faults) => return closed(players, terms, faults),
    };
    match begin(fleets, terms) {
        Ok(game) => battle(players, terms, game),
        Err(faults) => closed(players, terms, faults),
    }
}

/// The same question to both; both may fail in it.
fn both<T>(
    players: &mut BySide<Box<dyn Player + '_>>,
    mut ask: impl FnMut(&mut dyn Player, Side) -> Result<T, Fault>,
) -> Result<BySide<T>, BySide<Option<Fault>>> {
    let a = ask(players.a.as_mut(), Side::A);
    let b = ask(players.b.as_mut(), Side::B);
    match (a, b) {
        (Ok(a), Ok(b)) => Ok(BySide { a, b }),
        (a, b) => Err(BySide { a: a.err(), b: b.err() }),
    }
}

fn begin(fleets: BySide<Fleet>, terms: &GameSettings) -> Result<Game, BySide<Option<Fault>>> {
    let foreign =
        |fleet: &Fleet| (*fleet.rules() != terms.rules).then(|| FaultKind::IllegalFleet.with("of other rules"));
    let faults = BySide { a: foreign(&fleets.a), b: foreign(&fleets.b) };
    Game::new(fleets, terms.first).map_err(|_| faults)
}

fn battle(players: &mut BySide<Box<dyn Player + '_>>, terms: &GameSettings, mut game: Game) -> PlayedGame {
    let mut faults = NO_FAULTS;
    while let Some(side) = game.side_to_move() {
        let asked = players[side].shoot(&game.view(side), game.shots_due());
        let fired = asked.and_then(|cells| match game.fire(side, &cells) {
            Ok(shots) => Ok(shots.to_vec()),
            Err(why) => {
                let shot = IllegalShot::new(&cells, why, game.knowledge(side));
                Err(players[side].blame(FaultKind::IllegalShot.with(shot)))
            }
        });
        match fired {
            Ok(shots) => {
                faults[side] = players[side].answered(&shots, &terms.rules).err();
                faults[side.other()] = players[side.other()].attacked(&shots, &terms.rules).err();
            }
            Err(fault) => faults[side] = Some(fault),
        }
        stop(&mut game, &faults);
    }
    let (won, reason) = (winner(&faults, &game), reason(&faults));
    let at_end = BySide::new(|side| {
        let enemy = terms.reveal.then(|| game.fleets()[side.other()]);
        players[side].finish(Some(&game.view(side)), verdict(won, side), &reason, enemy).err()
    });
    // Who fails when all is over has failed, unless it was over by a failure.
    let faults = if faults == NO_FAULTS { at_end } else { faults };
    PlayedGame { winner: winner(&faults, &game), faults, game: Some(game), names: names(players) }
}

const NO_FAULTS: BySide<Option<Fault>> = BySide { a: None, b: None };

fn stop(game: &mut Game, faults: &BySide<Option<Fault>>) {
    match (&faults.a, &faults.b) {
        (None, None) => {}
        (Some(_), None) => game.stop(Stop::Fault(Side::A)),
        (None, Some(_)) => game.stop(Stop::Fault(Side::B)),
        (Some(_), Some(_)) => game.stop(Stop::Abandon),
    }
}

/// Failures decide, even after the last ship is sunk.
fn winner(faults: &BySide<Option<Fault>>, game: &Game) -> Option<Side> {
    match faults {
        BySide { a: None, b: None } => game.end().and_then(|end| end.winner),
        faults => unharmed(faults),
    }
}

/// Who did not fail where the other did.
fn unharmed(faults: &BySide<Option<Fault>>) -> Option<Side> {
    match (&faults.a, &faults.b) {
        (Some(_), None) => Some(Side::B),
        (None, Some(_)) => Some(Side::A),
        _ => None,
    }
}

/// A game that ended before its first shot.
fn closed(
    players: &mut BySide<Box<dyn Player + '_>>,
    terms: &GameSettings,
    faults: BySide<Option<Fault>>,
) -> PlayedGame {
    debug_assert!(faults.a.is_some() || faults.b.is_some(), "{}", terms.rules);
    let winner = unharmed(&faults);
    let reason = reason(&faults);
    for side in Side::ALL {
        // The game was over before: who fails now changes nothing.
        let _ = players[side].finish(None, verdict(winner, side), &reason, None);
    }
    PlayedGame { winner, faults, game: None, names: names(players) }
}

fn names(players: &BySide<Box<dyn Player + '_>>) -> BySide<Option<String>> {
    BySide::new(|side| players[side].name().map(str::to_owned))
}

fn verdict(winner: Option<Side>, side: Side) -> Verdict {
    match winner {
        Some(winner) if winner == side => Verdict::Won,
        Some(_) => Verdict::Lost,
        None => Verdict::Draw,
    }
}

fn reason(faults: &BySide<Option<Fault>>) -> String {
    let fault = Side::ALL.into_iter().find_map(|side| faults[side].as_ref());
    fault.map_or("sunk", |fault| fault.kind.name()).to_owned()
}
