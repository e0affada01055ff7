//! Placing the fleet by typed commands.

use std::io::{BufRead, Write};

use seabattle_core::{Cell, Fleet, FleetBuilder, Placement, Rules, Seed, SeededRng, TextBoard, layout};

use super::console::{Console, Input};
use super::{Exit, boards, messages};

const HELP: &str = "  random              place the whole fleet at random
  random rest         place the remaining ships at random
  remove A1           remove the ship on A1
  clear               remove all ships
  boards              show the board
  fleet               list placed and missing ships
  done                start the battle
  reset               start over
  quit                leave the game";

/// Asks the player to place a fleet. Returns it, or how the player left.
pub(super) fn place<R: BufRead, W: Write>(
    console: &mut Console<R, W>,
    rules: &Rules,
    seed: &Seed,
) -> crate::Result<Result<Fleet, Exit>> {
    let mut prompt = PlacingPrompt { console, ships: FleetBuilder::new(rules), rng: seed.rng() };
    loop {
        let Input::Line(line) = prompt.console.ask("place> ")? else {
            return Ok(Err(Exit::Quit));
        };
        let words: Vec<String> = line.to_ascii_lowercase().split_whitespace().map(str::to_owned).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let names_ship = words.first().is_some_and(|word| rules.class_named(word).is_some());
        match *words {
            _ if names_ship => prompt.place(&line)?,
            ["done", ..] => match prompt.ships.fleet() {
                Ok(fleet) => return Ok(Ok(fleet)),
                Err(_) => prompt.refuse(&format!("Not yet. Still to place: {}.", prompt.missing()))?,
            },
            ["reset", ..] => return Ok(Err(Exit::Reset)),
            ["quit" | "q" | "exit", ..] => return Ok(Err(Exit::Quit)),
            _ => prompt.run_command(&words, &line)?,
        }
    }
}

struct PlacingPrompt<'a, R, W> {
    console: &'a mut Console<R, W>,
    ships: FleetBuilder,
    rng: SeededRng,
}

impl<R: BufRead, W: Write> PlacingPrompt<'_, R, W> {
    fn run_command(&mut self, words: &[&str], line: &str) -> crate::Result<()> {
        match *words {
            ["help" | "?", ..] => self.help()?,
            ["boards" | "board", ..] => self.print_board()?,
            ["fleet", ..] => self.console.say(&self.inventory())?,
            ["clear", ..] => {
                self.ships.clear();
                self.print_board()?;
            }
            ["random"] => {
                self.ships.clear();
                self.fill_randomly()?;
            }
            ["random", "rest"] => self.fill_randomly()?,
            ["remove", ref cells @ ..] => self.remove(cells.first().unwrap_or(&""))?,
            _ => self.place(line)?,
        }
        Ok(())
    }

    fn help(&mut self) -> crate::Result<()> {
        let ship = self.ships.rules().classes().first().map_or("", |class| class.name());
        let (line, cells) = (format!("{ship} A1 across"), format!("{ship} A1 B1 ..."));
        let placing = format!(
            "  {line:<18}  place a ship by its left or top cell, across or down\n  {cells:<18}  place a ship on these cells"
        );
        Ok(self.console.say(&format!("{placing}\n{HELP}"))?)
    }

    fn place(&mut self, line: &str) -> crate::Result<()> {
        let placement = match Placement::parse(self.ships.rules(), line) {
            Ok(placement) => placement,
            Err(error) => return self.refuse(&format!("Cannot place that: {error}. Type help for all commands.")),
        };
        match self.ships.place(&placement) {
            Ok(_) => self.print_board(),
            Err(refused) => self.refuse(&format!("Cannot place that: {refused}.")),
        }
    }

    fn remove(&mut self, text: &str) -> crate::Result<()> {
        let Ok(cell) = text.parse::<Cell>() else {
            return self.refuse("Which ship? Name one of its cells, as in remove A1.");
        };
        match self.ships.remove(cell) {
            Some(_) => self.print_board(),
            None => self.refuse(&format!("There is no ship on {cell}.")),
        }
    }

    /// Places the missing ships at random. Ships placed before stay.
    fn fill_randomly(&mut self) -> crate::Result<()> {
        let fleet = layout::uniform_around(&self.ships, &mut self.rng)
            .or_else(|_| layout::sequential_around(&self.ships, &mut self.rng));
        match fleet {
            Ok(fleet) => self.ships = FleetBuilder::from(&fleet),
            Err(_) if self.ships.ships().is_empty() => {
                self.ships = FleetBuilder::from(&layout::any(self.ships.rules(), &mut self.rng));
            }
            Err(error) => {
                return self
                    .refuse(&format!("The remaining ships do not fit ({error}). Remove a ship, as in remove A1."));
            }
        }
        self.print_board()
    }

    fn print_board(&mut self) -> crate::Result<()> {
        let board = TextBoard::of_builder(&self.ships);
        let picture = boards::one_board("Your fleet", &board, self.console.glyphs);
        let next = if self.ships.is_complete() {
            "All ships are placed. Type done to start.".to_owned()
        } else {
            format!("Still to place: {}.", self.missing())
        };
        Ok(self.console.say(&format!("{picture}\n{next}"))?)
    }

    fn inventory(&self) -> String {
        let rules = self.ships.rules();
        let ship = |ship: &seabattle_core::Ship| {
            format!("{} {} {}", rules.class(ship.class()).name(), ship.start(), ship.orientation())
        };
        let placed: Vec<String> = self.ships.ships().iter().map(ship).collect();
        let placed = if placed.is_empty() { "nothing".to_owned() } else { placed.join(", ") };
        format!("Placed: {placed}.\nStill to place: {}.", self.missing())
    }

    fn missing(&self) -> String {
        let rules = self.ships.rules();
        messages::fleet_list(rules, |class| rules.class_named(class.name()).map_or(0, |id| self.ships.missing(id)))
    }

    fn refuse(&mut self, why: &str) -> crate::Result<()> {
        Ok(self.console.say(why)?)
    }
}
