//! Rooms without a network: order of play, repeated commands, clocks, and what a view may not tell.

use seabattle_core::{BySide, Cell, Fleet, Game, Rules, Seed, SeededRng, Side, layout, uniform_below};
use seabattle_odds::Sampler;

use crate::rooms::command::{Command, CommandKind};
use crate::rooms::event::{Created, Event, EventKind, Seat, SideName};
use crate::rooms::room::{CorruptLog, PendingAction, Room, Stage, read_rules};
use crate::rooms::view::View;
use crate::timestamp::Timestamp;

const NOW: Timestamp = Timestamp(1_000_000);

fn event(kind: EventKind) -> Event {
    Event { at: NOW, command: None, kind }
}

fn created(rules: &str, clock: Option<u16>) -> Event {
    let seat = |name: &str| Some(Seat { fingerprint: name.to_owned(), name: Some(name.to_owned()) });
    event(EventKind::Created(Box::new(Created {
        rules: rules.to_owned(),
        computer: None,
        computer_side: None,
        first: SideName::A,
        clock,
        listed: false,
        seats: [seat("anna"), seat("boris")],
        seed: 1,
        salt: "salt".to_owned(),
    })))
}

fn replay(events: &[Event]) -> Result<Room, CorruptLog> {
    Room::replay("game", read_rules(events)?, events)
}

fn room(rules: &str, fleets: &BySide<Fleet>, clock: Option<u16>) -> Room {
    let mut room = replay(&[created(rules, clock)]).unwrap();
    for side in Side::ALL {
        room.apply(&event(EventKind::Placed { side: side.into(), fleet: fleets[side].to_string() })).unwrap();
    }
    room
}

fn command(name: &str, kind: CommandKind) -> Command {
    Command { command: name.to_owned(), kind }
}

fn shoot(name: &str, cells: &[&str]) -> Command {
    command(name, CommandKind::Shoot { cells: cells.iter().map(|cell| (*cell).to_owned()).collect() })
}

fn fleets(rules: &str, seed: u64) -> BySide<Fleet> {
    let rules: Rules = rules.parse().unwrap();
    let mut rng = Seed::new(seed).rng();
    BySide { a: layout::any(&rules, &mut rng), b: layout::any(&rules, &mut rng) }
}

fn text(room: &Room, viewer: Option<Side>) -> String {
    serde_json::to_string(&View::of(room, viewer, NOW)).unwrap()
}

/// Fires a random volley for the side to move.
fn fire_any(room: &mut Room, events: &mut Vec<Event>, rng: &mut SeededRng) -> Option<()> {
    let (side, game) = (room.side_to_move()?, room.game.clone()?);
    let mut cells: Vec<Cell> = Vec::new();
    for _ in 0..game.shots_due() {
        let targets = game.view(side).aiming(&cells).targets().into_owned();
        cells.extend(targets.nth(uniform_below(rng, targets.len())));
    }
    let fired =
        event(EventKind::Fired { side: side.into(), cells: cells.iter().map(Cell::to_string).collect(), late: false });
    room.apply(&fired).unwrap();
    events.push(fired);
    Some(())
}

/// The same game against another fleet that gives all the answers that were announced.
fn with_other_fleet(rules: &str, fleets: &BySide<Fleet>, room: &Room, events: &[Event], rng: &mut SeededRng) -> Room {
    let known = room.game.as_ref().unwrap().knowledge(Side::A);
    let other = Sampler::new(known).unwrap().draw(rng).unwrap();
    let mut other = self::room(rules, &BySide { a: fleets.a.clone(), b: other }, None);
    events.iter().for_each(|event| other.apply(event).unwrap());
    other
}

#[test]
fn what_was_not_announced_changes_no_byte_of_a_view() {
    let mut differed = 0;
    for rules in
        ["classic", "salvo", "6x6:3,2,2,announce=hit", "5x5:3,2,announce=named", "6x6:3,2,1,touching=forbidden"]
    {
        for seed in 0..12 {
            let mut rng = Seed::new(seed).rng();
            let fleets = fleets(rules, seed);
            let (mut one, mut events) = (room(rules, &fleets, None), Vec::new());
            while one.stage() == Stage::Battle {
                let other = with_other_fleet(rules, &fleets, &one, &events, &mut rng);
                differed += usize::from(other.fleets.b != one.fleets.b);
                for viewer in [Some(Side::A), None] {
                    assert_eq!(text(&one, viewer), text(&other, viewer));
                }
                fire_any(&mut one, &mut events, &mut rng);
            }
        }
    }
    assert!(differed > 1000, "only {differed} fleets differed");
}

#[test]
fn a_fleet_is_seen_by_its_owner_alone_until_the_end() {
    let fleets = fleets("classic", 5);
    let mut room = room("classic", &fleets, None);
    let seen = |room: &Room, viewer: Option<Side>, of: &str| {
        let view: serde_json::Value = serde_json::from_str(&text(room, viewer)).unwrap();
        !view["waters"][of]["fleet"].is_null()
    };
    assert!(seen(&room, Some(Side::A), "A") && !seen(&room, Some(Side::A), "B"));
    assert!(seen(&room, Some(Side::B), "B") && !seen(&room, Some(Side::B), "A"));
    assert!(!seen(&room, None, "A") && !seen(&room, None, "B"));
    let resigned = room.decide(Side::B, &command("r", CommandKind::Resign), NOW).unwrap();
    room.apply(&resigned[0]).unwrap();
    assert!(seen(&room, None, "A") && seen(&room, None, "B"));
}

/// A view as JSON.
fn seen(room: &Room, viewer: Option<Side>) -> serde_json::Value {
    serde_json::from_str(&text(room, viewer)).unwrap()
}

#[test]
fn the_first_hit_tells_neither_the_cells_of_its_ship_nor_which_it_is() {
    let rules: Rules = "classic".parse().unwrap();
    let text = "carrier A1 across, battleship A3 across, cruiser A5 across, submarine A7 across, destroyer A9 across";
    let fleet = Fleet::parse(&rules, text).unwrap();
    let mut room = room("classic", &BySide { a: fleet.clone(), b: fleet }, None);
    let hit = room.decide(Side::A, &shoot("s", &["A1"]), NOW).unwrap();
    room.apply(&hit[0]).unwrap();
    for viewer in [Some(Side::A), None] {
        let waters = seen(&room, viewer)["waters"]["B"].clone();
        assert_eq!(waters["shots"], serde_json::json!([{ "cell": "A1", "answer": "hit" }]));
        assert_eq!((waters["sunk"].as_array().unwrap().len(), waters["fleet"].is_null()), (0, true));
    }
}

#[test]
fn no_refusal_tells_where_a_fleet_lies() {
    let fleets = fleets("classic", 5);
    let room = room("classic", &fleets, None);
    let attempts = [
        room.decide(Side::B, &shoot("a", &["A1"]), NOW),
        room.decide(Side::A, &shoot("b", &["A1", "A2"]), NOW),
        room.decide(Side::A, &shoot("c", &["Z99"]), NOW),
        room.decide(Side::A, &command("d", CommandKind::Place { fleet: fleets.a.to_string() }), NOW),
    ];
    for refusal in attempts.map(Result::unwrap_err) {
        let text = serde_json::to_string(&refusal).unwrap();
        for ship in fleets.b.ships() {
            assert!(!text.contains(&format!("{} {}", ship.start(), ship.orientation())), "{text}");
        }
    }
}

#[test]
fn answers_come_from_the_fleet_that_was_placed_not_from_the_client() {
    let command: Result<Command, _> =
        serde_json::from_str(r#"{"command":"x","kind":"shoot","cells":["A1"],"answer":"sunk","fleet":"1 A1"}"#);
    let mut room = room("3x1:1", &fleets("3x1:1", 1), None);
    let events = room.decide(Side::A, &command.unwrap(), NOW).unwrap();
    room.apply(&events[0]).unwrap();
    let truth = room.fleets.b.as_ref().unwrap().occupied().contains("A1".parse().unwrap());
    assert_eq!(seen(&room, Some(Side::A))["waters"]["B"]["shots"][0]["answer"] != "miss", truth);
}

#[test]
fn equal_fleets_have_different_commitments() {
    use crate::crypto::{commitment, new_secret};
    let fleet = fleets("classic", 5).b.to_string();
    assert_ne!(commitment(&new_secret().unwrap(), &fleet), commitment(&new_secret().unwrap(), &fleet));
}

#[test]
fn two_shots_sent_at_once_are_not_both_counted() {
    let mut room = room("classic", &fleets("classic", 5), None);
    let first = room.decide(Side::A, &shoot("one", &["A1"]), NOW).unwrap();
    room.apply(&first[0]).unwrap();
    assert!(room.decide(Side::A, &shoot("one", &["A1"]), NOW).unwrap().is_empty(), "the same command again");
    assert_eq!(room.decide(Side::A, &shoot("two", &["A2"]), NOW).unwrap_err().code, "not-your-turn");
}

#[test]
fn nobody_fires_before_both_fleets_are_placed() {
    let fleets = fleets("classic", 5);
    let mut room = replay(&[created("classic", None)]).unwrap();
    let placing = command("p", CommandKind::Place { fleet: fleets.a.to_string() });
    let placed = room.decide(Side::A, &placing, NOW).unwrap();
    room.apply(&placed[0]).unwrap();
    assert_eq!(room.decide(Side::A, &shoot("s", &["A1"]), NOW).unwrap_err().code, "not-begun");
    let again = command("p2", CommandKind::Place { fleet: fleets.b.to_string() });
    assert_eq!(room.decide(Side::A, &again, NOW).unwrap_err().code, "placed");
}

#[test]
fn outside_is_not_reported_as_overlap_and_the_border_may_be_used() {
    let room = replay(&[created("3x3:3,1", None)]).unwrap();
    let place = |fleet: &str| room.decide(Side::A, &command("p", CommandKind::Place { fleet: fleet.to_owned() }), NOW);
    let reason = place("3 B1 across, 1 A3 across").unwrap_err().reason;
    assert!(reason.contains("outside") && !reason.contains("taken"), "{reason}");
    assert!(place("3 A1 across, 1 C3 across").is_ok());
}

#[test]
fn a_time_that_is_up_fires_by_chance_and_twice_in_a_row_loses() {
    let mut room = room("classic", &fleets("classic", 5), Some(10));
    assert_eq!(room.deadline, Some(Timestamp(NOW.0 + 10_000)));
    let any = |game: &Game, side: Side| vec![game.view(side).targets().first().unwrap()];
    assert!(room.expire(NOW, any).is_empty(), "not yet");
    let late = Timestamp(NOW.0 + 10_000);
    let expired = room.expire(late, any);
    assert!(matches!(expired[0].kind, EventKind::Fired { late: true, .. }));
    room.apply(&expired[0]).unwrap();
    let answered = room.decide(Side::B, &shoot("b", &["A1"]), late).unwrap();
    room.apply(&answered[0]).unwrap();
    let later = Timestamp(late.0 + 20_000);
    let lost = room.expire(later, any);
    assert!(matches!(lost[0].kind, EventKind::OutOfTime { side: SideName::A }));
    room.apply(&lost[0]).unwrap();
    assert_eq!(room.end().unwrap().winner, Some(Side::B));
}

#[test]
fn events_that_cannot_have_happened_are_refused() {
    let mut room = room("classic", &fleets("classic", 5), None);
    let fired = |side, cell: &str| event(EventKind::Fired { side, cells: vec![cell.to_owned()], late: false });
    assert!(room.apply(&fired(SideName::B, "A1")).is_err());
    assert!(room.apply(&fired(SideName::A, "Z99")).is_err());
    assert!(room.apply(&created("classic", None)).is_err());
    assert!(replay(&[fired(SideName::A, "A1")]).is_err());
    assert!(replay(&[]).is_err());
}

#[test]
fn what_has_to_happen_by_itself_is_known_with_its_time() {
    const DAY: u64 = 24 * 3_600_000;
    let clocked = room("4x4:2,1", &fleets("4x4:2,1", 1), Some(30));
    assert_eq!(clocked.pending_action(), Some((PendingAction::ExpireClock, Timestamp(NOW.0 + 30_000))));
    assert!(clocked.abandon(Timestamp(NOW.0 + 9 * DAY)).is_empty(), "a clock ends it");

    let mut left = room("4x4:2,1", &fleets("4x4:2,1", 1), None);
    let Some((PendingAction::Abandon, due)) = left.pending_action() else { panic!("{:?}", left.pending_action()) };
    assert!((NOW.0 + DAY..NOW.0 + DAY + 3_600_000).contains(&due.0), "{due:?}");
    assert!(left.abandon(Timestamp(due.0 - 1)).is_empty());
    left.apply(&left.abandon(due)[0]).unwrap();
    assert_eq!((left.stage(), left.pending_action()), (Stage::Over, None));

    let mut against = created("4x4:2,1", Some(30));
    if let EventKind::Created(created) = &mut against.kind {
        (created.computer, created.computer_side) = (Some("recruit".to_owned()), Some(SideName::A));
    }
    let mut room = replay(&[against]).unwrap();
    let fleets = fleets("4x4:2,1", 1);
    for side in Side::ALL {
        let kind = EventKind::Placed { side: side.into(), fleet: fleets[side].to_string() };
        room.apply(&Event { at: Timestamp(NOW.0 + 7), command: None, kind }).unwrap();
    }
    assert_eq!(
        room.pending_action(),
        Some((PendingAction::ComputerMove, Timestamp(NOW.0 + 7))),
        "the computer fires at once"
    );
}
