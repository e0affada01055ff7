//! The referee: plays one game between two players, either of which may fail.

use seabattle_core::{BySide, Fleet, Game, Rules, Seed, Side, Stop};

use crate::IllegalShot;
use crate::player::{Fault, FaultKind, Player};
use crate::protocol::GameOutcome;

/// The settings of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSettings {
    /// The rules of the game.
    pub rules: Rules,
    /// The seed of the game. The seed of each side is derived from it.
    pub seed: Seed,
    /// The side that fires first.
    pub first: Side,
    /// Whether the fleets are revealed to the players after the game.
    pub reveal: bool,
}

/// A game that the referee played.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// The winner; `None` if both players failed at once or both fleets were sunk.
    pub winner: Option<Side>,
    /// The fault of each player, if any.
    pub faults: BySide<Option<Fault>>,
    /// The game itself; `None` if it ended before the first shot.
    pub game: Option<Game>,
    /// The names that the players gave themselves.
    pub names: BySide<Option<String>>,
}

/// Plays a game to its end. A fault of a player ends it at once.
pub fn referee(players: &mut BySide<Box<dyn Player + '_>>, settings: &GameSettings) -> PlayedGame {
    let rules = &settings.rules;
    if let Err(faults) = both(players, |player, side| player.start(rules, &settings.seed.side(side))) {
        return end_without_game(players, settings, faults);
    }
    let fleets = match both(players, |player, _| player.place(rules)) {
        Ok(fleets) => fleets,
        Err(faults) => return end_without_game(players, settings, faults),
    };
    match begin(fleets, settings) {
        Ok(game) => shots_until_end(players, settings, game),
        Err(faults) => end_without_game(players, settings, faults),
    }
}

/// Asks both players the same. Both may fail.
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

fn begin(fleets: BySide<Fleet>, settings: &GameSettings) -> Result<Game, BySide<Option<Fault>>> {
    let fault = |fleet: &Fleet| {
        (*fleet.rules() != settings.rules).then(|| FaultKind::IllegalFleet.with("it is for other rules"))
    };
    let faults = BySide { a: fault(&fleets.a), b: fault(&fleets.b) };
    Game::new(fleets, settings.first).map_err(|_| faults)
}

fn shots_until_end(players: &mut BySide<Box<dyn Player + '_>>, settings: &GameSettings, mut game: Game) -> PlayedGame {
    let mut faults = NO_FAULTS;
    while let Some(side) = game.side_to_move() {
        let cells = players[side].shoot(&game.view(side), game.shots_due());
        let result = cells.and_then(|cells| match game.fire(side, &cells) {
            Ok(shots) => Ok(shots.to_vec()),
            Err(why) => {
                let shot = IllegalShot::new(&cells, why, game.knowledge(side));
                Err(players[side].on_fault(FaultKind::IllegalShot.with(shot)))
            }
        });
        match result {
            Ok(shots) => {
                faults[side] = players[side].answered(&shots, &settings.rules).err();
                faults[side.other()] = players[side.other()].attacked(&shots, &settings.rules).err();
            }
            Err(fault) => faults[side] = Some(fault),
        }
        stop(&mut game, &faults);
    }
    let (won, reason) = (winner(&faults, &game), reason(&faults));
    let at_end = BySide::new(|side| {
        let enemy = settings.reveal.then(|| game.fleets()[side.other()]);
        players[side].finish(Some(&game.view(side)), outcome(won, side), &reason, enemy).err()
    });
    // A fault at the end of the game counts, unless the game ended by an earlier fault.
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

/// The winner: faults decide before the fleets do, even after the last ship is sunk.
fn winner(faults: &BySide<Option<Fault>>, game: &Game) -> Option<Side> {
    match faults {
        BySide { a: None, b: None } => game.end().and_then(|end| end.winner),
        faults => winner_by_fault(faults),
    }
}

/// The side that did not fail while the other one did.
fn winner_by_fault(faults: &BySide<Option<Fault>>) -> Option<Side> {
    match (&faults.a, &faults.b) {
        (Some(_), None) => Some(Side::B),
        (None, Some(_)) => Some(Side::A),
        _ => None,
    }
}

/// Ends a game that has no first shot.
fn end_without_game(
    players: &mut BySide<Box<dyn Player + '_>>,
    settings: &GameSettings,
    faults: BySide<Option<Fault>>,
) -> PlayedGame {
    debug_assert!(faults.a.is_some() || faults.b.is_some(), "{}", settings.rules);
    let winner = winner_by_fault(&faults);
    let reason = reason(&faults);
    for side in Side::ALL {
        // The game is already lost, so a fault changes nothing here.
        let _ = players[side].finish(None, outcome(winner, side), &reason, None);
    }
    PlayedGame { winner, faults, game: None, names: names(players) }
}

fn names(players: &BySide<Box<dyn Player + '_>>) -> BySide<Option<String>> {
    BySide::new(|side| players[side].name().map(str::to_owned))
}

fn outcome(winner: Option<Side>, side: Side) -> GameOutcome {
    match winner {
        Some(winner) if winner == side => GameOutcome::Won,
        Some(_) => GameOutcome::Lost,
        None => GameOutcome::Draw,
    }
}

fn reason(faults: &BySide<Option<Fault>>) -> String {
    let fault = Side::ALL.into_iter().find_map(|side| faults[side].as_ref());
    fault.map_or("sunk", |fault| fault.kind.name()).to_owned()
}
