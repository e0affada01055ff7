//! The battle by typed commands.

use std::io::{BufRead, Write};

use seabattle_core::{Bot, Cell, Game, Shot, Side, Stop, TextBoard};

use super::console::{Console, Input};
use super::{COMPUTER, Exit, HUMAN, boards};
use crate::messages;

const HELP: &str = "  b7          fire at B7; in a salvo, name every cell: b7 c3 d5
  boards      show both boards
  fleet       list your ships and their hits
  reset       give up this game and start a new one
  quit        leave the game";

/// Plays until the game is over. Returns what the player asked for, if it ended early.
pub(super) fn play<R: BufRead, W: Write>(
    console: &mut Console<R, W>,
    game: &mut Game,
    bot: &mut dyn Bot,
    name: &str,
) -> crate::Result<Option<Exit>> {
    console.say(&messages::who_begins(game.first(), name))?;
    if game.side_to_move() == Some(HUMAN) {
        print_boards(console, game)?;
    }
    while let Some(side) = game.side_to_move() {
        if side == COMPUTER {
            computer_turn(console, game, bot, name)?;
            if game.side_to_move() == Some(HUMAN) {
                print_boards(console, game)?;
            }
            continue;
        }
        match player_turn(console, game)? {
            Ok(shots) => print_own_shots(console, game, &shots)?,
            Err(exit) => return Ok(Some(exit)),
        }
        if game.side_to_move() == Some(HUMAN) {
            print_boards(console, game)?;
        }
    }
    Ok(None)
}

/// Asks until the player fires legal shots.
fn player_turn<R: BufRead, W: Write>(
    console: &mut Console<R, W>,
    game: &mut Game,
) -> crate::Result<Result<Vec<Shot>, Exit>> {
    let prompt = match game.shots_due() {
        1 => "fire> ".to_owned(),
        shots => format!("fire {shots} shots> "),
    };
    loop {
        let Input::Line(line) = console.ask(&prompt)? else {
            return Ok(Err(Exit::Quit));
        };
        let command = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        match command.as_str() {
            "help" | "?" => {
                let legend = boards::legend(&fleet_board(game, HUMAN), console.glyphs);
                console.say(&format!("{HELP}\n  {legend}"))?;
            }
            "boards" | "board" => print_boards(console, game)?,
            "fleet" => print_fleet(console, game)?,
            "reset" => return Ok(Err(Exit::Reset)),
            "quit" | "q" | "exit" => return Ok(Err(Exit::Quit)),
            _ => match fire(&line, game) {
                Ok(shots) => return Ok(Ok(shots)),
                Err(why) => console.say(&why)?,
            },
        }
    }
}

/// Fires at the cells of a line, or explains why that is impossible.
fn fire(line: &str, game: &mut Game) -> Result<Vec<Shot>, String> {
    let words = line.split(|c: char| c.is_whitespace() || c == ',');
    let words = words.filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("fire"));
    let mut cells = Vec::new();
    for word in words {
        let shown: String = word.chars().take(20).collect();
        let why = || format!("{shown:?} is neither a cell such as B7 nor a command. Type help for all commands.");
        cells.push(word.parse::<Cell>().map_err(|_| why())?);
    }
    let shots = game.fire(HUMAN, &cells).map_err(messages::fire_error)?;
    Ok(shots.to_vec())
}

/// Lets the bot fire. A bot that breaks the rules forfeits.
fn computer_turn<R: BufRead, W: Write>(
    console: &mut Console<R, W>,
    game: &mut Game,
    bot: &mut dyn Bot,
    name: &str,
) -> crate::Result<()> {
    let mut volley = Vec::new();
    for _ in 0..game.shots_due() {
        let cell = bot.shoot(&game.view(COMPUTER).aiming(&volley));
        volley.push(cell);
    }
    match game.fire(COMPUTER, &volley) {
        Ok(shots) => {
            let shots = shots.to_vec();
            print_enemy_shots(console, game, &shots, name)
        }
        Err(why) => {
            console.say(&format!("{name} broke the rules: {why}. It knew: {}", game.knowledge(COMPUTER)))?;
            game.stop(Stop::Fault(COMPUTER));
            Ok(())
        }
    }
}

fn print_own_shots<R: BufRead, W: Write>(
    console: &mut Console<R, W>,
    game: &Game,
    shots: &[Shot],
) -> crate::Result<()> {
    for &shot in shots {
        console.say(&messages::own_shot(game.rules(), shot))?;
    }
    Ok(())
}

fn print_enemy_shots<R: BufRead, W: Write>(
    console: &mut Console<R, W>,
    game: &Game,
    shots: &[Shot],
    name: &str,
) -> crate::Result<()> {
    let Some(own) = game.view(HUMAN).own() else {
        return Ok(());
    };
    for &shot in shots {
        console.say(&messages::enemy_shot(name, own.fleet, own.incoming, shot))?;
    }
    Ok(())
}

fn print_boards<R: BufRead, W: Write>(console: &mut Console<R, W>, game: &Game) -> crate::Result<()> {
    let enemy = TextBoard::of_enemy(game.knowledge(HUMAN));
    let own = fleet_board(game, HUMAN);
    let picture = boards::side_by_side(("Enemy waters", &enemy), ("Your fleet", &own), console.glyphs, console.columns);
    Ok(console.say(&format!("\n{picture}\n{}", messages::afloat(game)))?)
}

fn print_fleet<R: BufRead, W: Write>(console: &mut Console<R, W>, game: &Game) -> crate::Result<()> {
    let fleet = game.fleets()[HUMAN];
    let hits = game.knowledge(COMPUTER).hits();
    for ship in fleet.ships() {
        let name = messages::ship_name(game.rules(), ship.class());
        let hit = ship.cells().filter(|&cell| hits.contains(cell)).count();
        let state = match hit {
            0 => "undamaged".to_owned(),
            all if all == usize::from(ship.length()) => "sunk".to_owned(),
            some => format!("hit {some} of {}", ship.length()),
        };
        console.say(&format!("  {name} {} {}: {state}", ship.start(), ship.orientation()))?;
    }
    Ok(())
}

fn fleet_board(game: &Game, side: Side) -> TextBoard {
    TextBoard::of_fleet(game.fleets()[side], game.knowledge(side.other()))
}

/// Prints both fleets, the result and the counts.
pub(super) fn print_result<R: BufRead, W: Write>(
    console: &mut Console<R, W>,
    game: &Game,
    name: &str,
) -> crate::Result<()> {
    let (enemy, own) = (fleet_board(game, COMPUTER), fleet_board(game, HUMAN));
    let picture = boards::side_by_side(("Enemy fleet", &enemy), ("Your fleet", &own), console.glyphs, console.columns);
    Ok(console.say(&format!("\n{picture}\n{}", messages::result(game, name)))?)
}
