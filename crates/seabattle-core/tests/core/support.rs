//! Helpers of several topics: random rules and fleets, random games, corrupted texts.

use proptest::prelude::{BoxedStrategy, Just, ProptestConfig, Strategy, any, prop_oneof};
use proptest::sample::select;
use seabattle_core::{
    Announce, BySide, Cell, Ending, Fleet, Game, Rules, RulesDraft, Seed, SeededRng, Side, Size, Touching, Turn,
    layout, uniform_below,
};

pub(crate) fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn cell(text: &str) -> Cell {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn cells(text: &str) -> Vec<Cell> {
    text.split_whitespace().map(cell).collect()
}

pub(crate) fn fleet(rules: &Rules, text: &str) -> Fleet {
    Fleet::parse(rules, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A configuration with this many cases. Failures are printed, not written to a file.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

pub(crate) const TOUCHING: [Touching; 3] = [Touching::Allowed, Touching::Corners, Touching::Forbidden];
pub(crate) const ANNOUNCE: [Announce; 4] = [Announce::Hit, Announce::Sunk, Announce::Which, Announce::Named];

/// Random seeds. A failure shrinks to the smallest seed that still fails.
pub(crate) fn seeds() -> impl Strategy<Value = u64> {
    any::<u64>()
}

pub(crate) fn stream(number: u64) -> SeededRng {
    Seed::new(number).rng()
}

/// Random drafts with all options, often too crowded or too long.
pub(crate) fn any_draft(max_side: u8) -> BoxedStrategy<RulesDraft> {
    let size = (1..=max_side, 1..=max_side).prop_map(|(width, height)| Size::new(width, height).expect("a small size"));
    let ship = (1..=5_u8, 0..4_u8).prop_map(|(length, name)| match name {
        0 => (format!("scout-{length}"), length),
        1 => (format!("gun{length}boat"), length),
        _ => (length.to_string(), length),
    });
    let turn = prop_oneof![
        Just(Turn::Alternate),
        Just(Turn::AgainOnHit),
        Just(Turn::SalvoOfShipsAfloat),
        (1..=5_u16).prop_map(Turn::Salvo),
        Just(Turn::Salvo(2500)),
    ];
    let switches =
        (select(&TOUCHING[..]), turn, select(&ANNOUNCE[..]), select(&[Ending::AtOnce, Ending::EqualTurns][..]));
    (size, proptest::collection::vec(ship, 1..=6), switches)
        .prop_map(|(size, ships, (touching, turn, announce, ending))| RulesDraft {
            size,
            ships,
            touching,
            turn,
            announce,
            ending,
        })
        .boxed()
}

/// Random valid rules with all options: a draft without the ships that do not fit.
pub(crate) fn any_rules(max_side: u8) -> BoxedStrategy<Rules> {
    any_draft(max_side).prop_map(shrink_to_fit).boxed()
}

fn shrink_to_fit(mut draft: RulesDraft) -> Rules {
    let longest = draft.size.width().max(draft.size.height());
    for (name, length) in &mut draft.ships {
        if *length > longest {
            (*name, *length) = (longest.to_string(), longest);
        }
    }
    loop {
        if let Ok(rules) = draft.clone().check() {
            return rules;
        }
        assert!(draft.ships.len() > 1, "one ship always fits: {draft:?}");
        draft.ships.pop();
    }
}

/// A legal fleet, drawn quickly. A uniform draw may take a second on a full board.
pub(crate) fn some_fleet(rules: &Rules, rng: &mut SeededRng) -> Fleet {
    let first_of_all = |_| layout::all(rules).next().expect("valid rules have a fleet");
    layout::sequential(rules, rng).unwrap_or_else(first_of_all)
}

pub(crate) fn some_game(rules: &Rules, rng: &mut SeededRng) -> Game {
    let fleets = BySide::new(|_| some_fleet(rules, rng));
    Game::new(fleets, some_side(rng)).expect("one set of rules")
}

pub(crate) fn some_side(rng: &mut SeededRng) -> Side {
    Side::ALL[uniform_below(rng, 2)]
}

/// Draws one of the values uniformly.
pub(crate) fn pick<T: Copy>(things: &[T], rng: &mut SeededRng) -> T {
    things[uniform_below(rng, things.len())]
}

/// Draws this many different open cells, half of them on a ship if one is left.
pub(crate) fn some_volley(game: &Game, side: Side, shots: usize, rng: &mut SeededRng) -> Vec<Cell> {
    let mut open = game.knowledge(side).open().clone();
    let mut volley = Vec::new();
    for _ in 0..shots {
        let ships = &open & game.fleets()[side.other()].occupied();
        let from = if uniform_below(rng, 2) == 0 && !ships.is_empty() { &ships } else { &open };
        let cell = from.nth(uniform_below(rng, from.len())).expect("an open cell");
        volley.push(cell);
        open.remove(cell);
    }
    volley
}

/// Fires at most this many random legal volleys.
pub(crate) fn play(game: &mut Game, volleys: usize, rng: &mut SeededRng) {
    for _ in 0..volleys {
        let Some(side) = game.side_to_move() else { return };
        let volley = some_volley(game, side, game.shots_due(), rng);
        game.fire(side, &volley).expect("a legal volley");
    }
}

/// A text with some bytes or lines deleted, inserted, replaced, doubled or swapped.
pub(crate) fn corrupt(text: &str, rng: &mut SeededRng) -> Vec<u8> {
    const ODD: &[u8] = b"AB19.x#:;=[]\"\\ \n\r\t,\0\xff\xc3";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=uniform_below(rng, 3) {
        let at = uniform_below(rng, bytes.len());
        match uniform_below(rng, 6) {
            0 if !bytes.is_empty() => drop(bytes.remove(at)),
            1 => bytes.insert(at, pick(ODD, rng)),
            2 if !bytes.is_empty() => bytes[at] = pick(ODD, rng),
            3 if !bytes.is_empty() => bytes[at] = uniform_below(rng, 256) as u8,
            4 => bytes.truncate(at),
            _ => bytes = with_lines_moved(&bytes, rng),
        }
    }
    bytes
}

fn with_lines_moved(bytes: &[u8], rng: &mut SeededRng) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let (one, two) = (uniform_below(rng, lines.len()), uniform_below(rng, lines.len()));
    match uniform_below(rng, 3) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(two, lines[one]),
        _ => lines.swap(one, two),
    }
    lines.join(&b'\n')
}
