//! Sentences that both terminal games show to the player.

use seabattle_bots::BotInfo;
use seabattle_core::{
    Announce, Cell, ClassId, End, Ending, FireError, Fleet, Game, Knowledge, Outcome, Rules, ShipClass, Shot, Side,
    Termination, Touching, Turn,
};
use seabattle_odds::Review;
pub(crate) use seabattle_render::describe_shot;

use crate::{COMPUTER, HUMAN};

/// The player's name at the beginning of a sentence.
pub(crate) const YOU: &str = "You";

/// Builds the text that opens a game typed line by line.
pub(crate) fn welcome(rules: &Rules, bot: &BotInfo, seed: u64) -> String {
    format!(
        "Seabattle, rules {rules}, seed {seed}.\nFleet: {}.\n{}\nYour opponent: {}. {}\n\n\
         Place your fleet: `{} A1 across` or `random`, then `done`. Try `help`.",
        fleet_list(rules, |class| class.count()),
        rules_in_words(rules),
        bot.title,
        bot.about,
        rules.classes().first().map_or("", ShipClass::name),
    )
}

pub(crate) fn rules_in_words(rules: &Rules) -> String {
    let touching = match rules.touching() {
        Touching::Allowed => "Ships may touch.",
        Touching::Corners => "Ships may touch only at corners.",
        Touching::Forbidden => "Ships may not touch.",
    };
    let turn = match rules.turn() {
        Turn::Alternate => "One shot per turn.".to_owned(),
        Turn::AgainOnHit => "After a hit you fire again.".to_owned(),
        Turn::Salvo(1) => "One shot per turn.".to_owned(),
        Turn::Salvo(shots) => format!("{shots} shots per turn."),
        Turn::SalvoOfShipsAfloat => "One shot per turn for each of your ships afloat.".to_owned(),
    };
    let announce = match rules.announce() {
        Announce::Hit => "Sinkings are not announced.",
        Announce::Sunk => "Sinkings are announced.",
        Announce::Which => "A sunk ship is named.",
        Announce::Named => "Every hit names its ship.",
    };
    let ending = match rules.ending() {
        Ending::AtOnce => "",
        Ending::EqualTurns => " Both sides get the same number of turns.",
    };
    format!("{touching} {turn} {announce}{ending}")
}

/// Lists a fleet by class: `carrier 5, battleship 4`. Classes without names become `one 4, two 3s`.
pub(crate) fn fleet_list(rules: &Rules, count: impl Fn(&ShipClass) -> u16) -> String {
    let classes = rules.classes().iter().filter(|class| count(class) > 0);
    let entries: Vec<String> = classes.map(|class| ships_of(class, count(class))).collect();
    if entries.is_empty() { "none".to_owned() } else { entries.join(", ") }
}

/// Lists the ships' lengths: `5 4 3 3 2`, or `10x1` for many of one length.
fn lengths(rules: &Rules, count: impl Fn(&ShipClass) -> u16) -> String {
    const MANY: u16 = 4;
    let classes = rules.classes().iter().filter(|class| count(class) > 0);
    let entries = classes.map(|class| match count(class) {
        many if many > MANY => format!("{many}x{}", class.length()),
        few => vec![class.length().to_string(); few.into()].join(" "),
    });
    let entries: Vec<String> = entries.collect();
    if entries.is_empty() { "none".to_owned() } else { entries.join(" ") }
}

fn ships_of(class: &ShipClass, count: u16) -> String {
    let nameless = is_nameless(class);
    match count {
        1 if nameless => format!("one {}", class.length()),
        1 => format!("{} {}", class.name(), class.length()),
        _ if nameless => format!("{} {}s", number_word(count), class.length()),
        _ => format!("{} {}s of {}", number_word(count), class.name(), class.length()),
    }
}

fn number_word(count: u16) -> String {
    const SMALL: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    SMALL.get(usize::from(count)).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Whether a class has no name of its own, only a length.
fn is_nameless(class: &ShipClass) -> bool {
    class.name().starts_with(|c: char| c.is_ascii_digit())
}

/// Names a ship in a sentence: `cruiser`, or `ship of 3`.
pub(crate) fn ship_name(rules: &Rules, class: ClassId) -> String {
    let class = rules.class(class);
    if is_nameless(class) { format!("ship of {}", class.length()) } else { class.name().to_owned() }
}

/// Describes the player's shot. It says no more than what the rules announce.
pub(crate) fn own_shot(rules: &Rules, shot: Shot) -> String {
    let answer = match shot.outcome {
        Outcome::Miss => "miss.".to_owned(),
        Outcome::Hit(None) => "hit!".to_owned(),
        Outcome::Hit(Some(class)) => format!("hit on the {}!", ship_name(rules, class)),
        Outcome::Sunk(None) => "hit and sunk!".to_owned(),
        Outcome::Sunk(Some(class)) => format!("the {} is sunk!", ship_name(rules, class)),
    };
    format!("You fire at {}: {answer}", shot.cell)
}

/// Describes the shots of the player's volley in one line.
pub(crate) fn own_volley(rules: &Rules, shots: &[Shot]) -> String {
    if let [shot] = *shots {
        return own_shot(rules, shot);
    }
    let texts: Vec<String> = shots.iter().map(|&shot| describe_shot(rules, shot)).collect();
    format!("You fire: {}.", texts.join(", "))
}

/// Describes a shot at the player's fleet. The player sees which ship was hit.
pub(crate) fn enemy_shot(bot: &str, fleet: &Fleet, incoming: &Knowledge, shot: Shot) -> String {
    let answer = match own_ship_hit(fleet, incoming, shot) {
        None => "miss.".to_owned(),
        Some((name, sunk)) => format!("your {name} is {}!", if sunk { "sunk" } else { "hit" }),
    };
    format!("{bot} fires at {}: {answer}", shot.cell)
}

/// Describes the shots of the bot's volley in one line.
pub(crate) fn enemy_volley(bot: &str, fleet: &Fleet, incoming: &Knowledge, shots: &[Shot]) -> String {
    if let [shot] = *shots {
        return enemy_shot(bot, fleet, incoming, shot);
    }
    let text = |&shot: &Shot| match own_ship_hit(fleet, incoming, shot) {
        None => format!("{} miss", shot.cell),
        Some((name, sunk)) => format!("{} your {name} {}", shot.cell, if sunk { "sunk" } else { "hit" }),
    };
    format!("{bot} fires: {}.", shots.iter().map(text).collect::<Vec<_>>().join(", "))
}

/// Names the player's ship that a shot has hit, and says whether that shot sank it.
fn own_ship_hit(fleet: &Fleet, incoming: &Knowledge, shot: Shot) -> Option<(String, bool)> {
    let ship = fleet.ship_at(shot.cell)?;
    let up_to_shot = incoming.shots().iter().rev().skip_while(|other| other.cell != shot.cell);
    let hits: Vec<Cell> = up_to_shot.filter(|other| other.outcome.is_hit()).map(|other| other.cell).collect();
    Some((ship_name(fleet.rules(), ship.class()), ship.cells().all(|cell| hits.contains(&cell))))
}

/// Lists the ships afloat on both sides, one line each.
pub(crate) fn afloat(game: &Game) -> String {
    let [enemy, own] = afloat_of_both(game, true);
    format!("Enemy afloat: {enemy}\nYours afloat: {own}")
}

/// Lists the enemy's ships afloat, as far as they are known, and the player's own. `named` uses names instead of lengths.
pub(crate) fn afloat_of_both(game: &Game, named: bool) -> [String; 2] {
    let view = game.view(HUMAN);
    let own = view.own().map_or_else(String::new, |own| {
        let rules = own.fleet.rules();
        let left = |class: &ShipClass| {
            let of_class = own.fleet.afloat(own.incoming.hits()).filter(|ship| rules.class(ship.class()) == class);
            of_class.count() as u16
        };
        if named { fleet_list(rules, left) } else { lengths(rules, left) }
    });
    [enemy_afloat(view.enemy(), named), own]
}

fn enemy_afloat(enemy: &Knowledge, named: bool) -> String {
    let rules = enemy.rules();
    let Some(sunk) = enemy.ships_sunk() else {
        return format!("not announced; {} of {} cells hit", enemy.hits().len(), rules.fleet_cells());
    };
    let certain = rules.class_ids().all(|class| enemy.afloat(class).count() == 1);
    if certain {
        let count = |class: &ShipClass| rules.class_named(class.name()).map_or(0, |id| *enemy.afloat(id).end());
        if named { fleet_list(rules, count) } else { lengths(rules, count) }
    } else {
        format!("{} of {} ships", rules.ship_count() - sunk, rules.ship_count())
    }
}

/// Says who won and how well both sides shot.
pub(crate) fn result(game: &Game, bot: &str) -> String {
    let tallies = [tally(YOU, game.knowledge(HUMAN)), tally(bot, game.knowledge(COMPUTER))];
    format!("{}\n{}\n{}", headline(game, bot), tallies[0], tallies[1])
}

/// Says who won.
pub(crate) fn headline(game: &Game, bot: &str) -> String {
    match game.end() {
        Some(End { winner: Some(HUMAN), termination: Termination::Sunk }) => {
            "You win! The enemy fleet is sunk.".to_owned()
        }
        Some(End { winner: Some(HUMAN), .. }) => format!("You win: {bot} forfeited."),
        Some(End { winner: Some(COMPUTER), .. }) => format!("{bot} wins. Your fleet is sunk."),
        Some(End { winner: None, termination: Termination::Sunk }) => "A draw: both fleets are sunk.".to_owned(),
        Some(End { winner: None, .. }) | None => "The game is not finished.".to_owned(),
    }
}

/// Counts one side's shots and hits.
pub(crate) fn tally(name: &str, knowledge: &Knowledge) -> String {
    let (shots, hits) = (knowledge.shots().len(), knowledge.hits().len());
    let plural = |count: usize, word: &str| if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") };
    let rate = (100 * hits + shots / 2).checked_div(shots).unwrap_or(0);
    format!("{name}: {}, {} ({rate}%)", plural(shots, "shot"), plural(hits, "hit"))
}

/// Formats one side's skill and luck. The text is empty before its first shot.
pub(crate) fn skill_and_luck(review: &Review) -> String {
    review.skill().map_or_else(String::new, |skill| {
        let (luck, deviations) = (tenths(review.luck()), tenths(review.luck_in_deviations()));
        format!("skill {skill:.0}%, luck {luck:+.1} hits ({deviations:+.1} sd)")
    })
}

/// Rounds to tenths and turns -0.0 into 0.0.
fn tenths(number: f64) -> f64 {
    (10.0 * number).round() / 10.0 + 0.0
}

/// Says who fires first.
pub(crate) fn who_begins(first: Side, bot: &str) -> String {
    if first == HUMAN { "You fire first.".to_owned() } else { format!("{bot} fires first.") }
}

/// Explains to the player why the game refused the shots.
pub(crate) fn fire_error(why: FireError) -> String {
    match why {
        FireError::Over => "The game is over.".to_owned(),
        FireError::NotYourTurn { .. } => "It is not your turn.".to_owned(),
        FireError::WrongCount { due: 1, given } => format!("Fire 1 shot, not {given}."),
        FireError::WrongCount { due, given } => format!("Fire {due} shots, not {given}."),
        FireError::Outside { cell, size } => format!("{cell} is outside the {size} board."),
        FireError::Repeated { cell } => format!("You already fired at {cell}."),
    }
}

/// Builds the possessive title of a board: `Sailor's fleet`, `Blocks' fleet`.
pub(crate) fn fleet_of(name: &str) -> String {
    match name {
        YOU => "Your fleet".to_owned(),
        _ if name.ends_with('s') => format!("{name}' fleet"),
        _ => format!("{name}'s fleet"),
    }
}

/// Returns a bot's title for its name in a record, or any other name unchanged.
pub(crate) fn player_title(name: &str) -> &str {
    match name {
        "you" => YOU,
        _ => seabattle_bots::catalog().iter().find(|bot| bot.name == name).map_or(name, |bot| bot.title),
    }
}
