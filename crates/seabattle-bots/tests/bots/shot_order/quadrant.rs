//! `quadrant` against a line-by-line transcription of its document's pseudocode.

use seabattle_bots::find;
use seabattle_core::{Cell, Outcome, Rules, Seed, Side, Solo, layout};

use super::{cells_from, check_start, shots};

#[derive(Clone, Copy, PartialEq)]
enum HitmapCell {
    Empty,
    Missed,
    HitShip,
}

#[derive(Clone, Copy, PartialEq)]
enum BattleshipMove {
    Missed,
    HitShip,
    SunkShip,
}

/// `establishDelta` calls itself forever. No shot is fired during its recursion, so that happens exactly if a call repeats
/// the cell and the `lastDirection` of a running call. The stack's depth decides which `lastDirection` the original keeps
/// after the overflow; here it is the one of the repeated call.
struct StackOverflow;

/// The game that the pseudocode fires at. Each of its shots must be the one the bot has chosen.
struct Battleship {
    solo: Solo,
    shot_of_the_bot: Cell,
}

impl Battleship {
    fn hitmap(&self, x: i32, y: i32) -> HitmapCell {
        let cell = Cell::new(x as u8, y as u8);
        let knowledge = self.solo.knowledge();
        match (knowledge.open().contains(cell), knowledge.hits().contains(cell)) {
            (true, _) => HitmapCell::Empty,
            (false, true) => HitmapCell::HitShip,
            (false, false) => HitmapCell::Missed,
        }
    }

    fn fire(&mut self, x: i32, y: i32) -> BattleshipMove {
        let cell = Cell::new(x as u8, y as u8);
        let shots = || self.solo.knowledge().shots();
        assert_eq!(self.shot_of_the_bot, cell, "the pseudocode fires at {cell} after {:?}", shots());
        match self.solo.fire(&[cell]).unwrap()[0].outcome {
            Outcome::Miss => BattleshipMove::Missed,
            Outcome::Hit(_) => BattleshipMove::HitShip,
            Outcome::Sunk(_) => BattleshipMove::SunkShip,
        }
    }

    /// `RandomUtils->choice` with the choice of the bot, which must be one of the options.
    fn choice(&self, options: &[(i32, i32)]) -> (i32, i32) {
        let chosen = (i32::from(self.shot_of_the_bot.col()), i32::from(self.shot_of_the_bot.row()));
        assert!(options.contains(&chosen), "{chosen:?} is not one of {options:?}");
        chosen
    }
}

/// The state of the AI under the names of the document.
struct Ai {
    current_quadrant: i32,
    ship_x: i32,
    ship_y: i32,
    current_ship_x: i32,
    current_ship_y: i32,
    original_delta_x: i32,
    original_delta_y: i32,
    delta_x: i32,
    delta_y: i32,
    has_attempted_invert_delta: bool,
    last_direction: i32,
    /// The running calls of `establishDelta`: x, y and `lastDirection` of each.
    running: Vec<(i32, i32, i32)>,
}

fn is_off_board(x: i32, y: i32) -> bool {
    !(0..=9).contains(&x) || !(0..=9).contains(&y)
}

impl Ai {
    fn new() -> Self {
        Self {
            current_quadrant: 0,
            ship_x: -1,
            ship_y: -1,
            current_ship_x: -1,
            current_ship_y: -1,
            original_delta_x: -999,
            original_delta_y: -999,
            delta_x: -999,
            delta_y: -999,
            has_attempted_invert_delta: false,
            last_direction: -1,
            running: Vec::new(),
        }
    }

    fn fire(&mut self, game: &mut Battleship) -> BattleshipMove {
        if self.ship_x == -1 { self.search(game) } else { self.sink(game) }
    }

    fn invert_delta(&mut self, game: &mut Battleship) -> BattleshipMove {
        self.has_attempted_invert_delta = true;
        let new_delta_x = -self.original_delta_x;
        let new_delta_y = -self.original_delta_y;
        let new_ship_x = self.ship_x + new_delta_x;
        let new_ship_y = self.ship_y + new_delta_y;
        if is_off_board(new_ship_x, new_ship_y) {
            return self.sink(game);
        }
        if game.hitmap(new_ship_x, new_ship_y) != HitmapCell::Empty {
            return self.sink(game);
        }
        let result = game.fire(new_ship_x, new_ship_y);
        if game.hitmap(new_ship_x, new_ship_y) == HitmapCell::HitShip {
            self.current_ship_x = new_ship_x;
            self.current_ship_y = new_ship_y;
            self.delta_x = new_delta_x;
            self.delta_y = new_delta_y;
        }
        result
    }

    fn establish_delta(
        &mut self,
        game: &mut Battleship,
        x: i32,
        y: i32,
    ) -> Result<Option<BattleshipMove>, StackOverflow> {
        if self.running.contains(&(x, y, self.last_direction)) {
            return Err(StackOverflow);
        }
        self.running.push((x, y, self.last_direction));
        let (mut x_delta, mut y_delta) = (0, 0);
        if y != 9 && game.hitmap(x, y + 1) == HitmapCell::Empty {
            y_delta = 1;
        } else if x != 0 && game.hitmap(x - 1, y) == HitmapCell::Empty {
            x_delta = -1;
        } else if y != 0 && game.hitmap(x, y - 1) == HitmapCell::Empty {
            y_delta = -1;
        } else if x != 9 && game.hitmap(x + 1, y) == HitmapCell::Empty {
            x_delta = 1;
        }
        let mut result = None;
        if x_delta == 0 && y_delta == 0 {
            for i in 0..=3 {
                if self.last_direction != -1 && (self.last_direction + 2) % 4 == i {
                    continue;
                }
                if i == 0 && y != 9 && game.hitmap(x, y + 1) == HitmapCell::HitShip {
                    self.last_direction = i;
                    result = self.establish_delta(game, x, y + 1)?;
                } else if i == 1 && x != 0 && game.hitmap(x - 1, y) == HitmapCell::HitShip {
                    self.last_direction = i;
                    result = self.establish_delta(game, x - 1, y)?;
                } else if i == 2 && y != 0 && game.hitmap(x, y - 1) == HitmapCell::HitShip {
                    self.last_direction = i;
                    result = self.establish_delta(game, x, y - 1)?;
                } else if i == 3 && x != 9 && game.hitmap(x + 1, y) == HitmapCell::HitShip {
                    self.last_direction = i;
                    result = self.establish_delta(game, x + 1, y)?;
                }
                if result.is_some() {
                    return Ok(result);
                }
            }
            self.running.pop();
            return Ok(None);
        }
        let result = game.fire(x + x_delta, y + y_delta);
        if game.hitmap(x + x_delta, y + y_delta) == HitmapCell::HitShip {
            self.delta_x = x_delta;
            self.delta_y = y_delta;
            self.current_ship_x = x + x_delta;
            self.current_ship_y = y + y_delta;
            self.last_direction = -1;
            if self.original_delta_x == -999 {
                self.original_delta_x = x_delta;
                self.original_delta_y = y_delta;
            }
        }
        Ok(Some(result))
    }

    fn sink(&mut self, game: &mut Battleship) -> BattleshipMove {
        if self.current_ship_x == -1 {
            self.current_ship_x = self.ship_x;
            self.current_ship_y = self.ship_y;
        }
        let result;
        if !self.has_attempted_invert_delta && self.original_delta_x != -999 && self.delta_x == -999 {
            result = Some(self.invert_delta(game));
        } else if self.delta_x == -999 {
            self.running.clear();
            match self.establish_delta(game, self.ship_x, self.ship_y) {
                Ok(found) => result = found,
                Err(StackOverflow) => {
                    self.reset();
                    return self.search(game);
                }
            }
        } else {
            self.current_ship_x += self.delta_x;
            self.current_ship_y += self.delta_y;
            if is_off_board(self.current_ship_x, self.current_ship_y) {
                (self.delta_x, self.delta_y) = (-999, -999);
                return self.sink(game);
            }
            if game.hitmap(self.current_ship_x, self.current_ship_y) != HitmapCell::Empty {
                (self.delta_x, self.delta_y) = (-999, -999);
                return self.sink(game);
            }
            result = Some(game.fire(self.current_ship_x, self.current_ship_y));
            if game.hitmap(self.current_ship_x, self.current_ship_y) != HitmapCell::HitShip {
                (self.delta_x, self.delta_y) = (-999, -999);
            }
        }
        if result == Some(BattleshipMove::SunkShip) || result.is_none() {
            self.reset();
        }
        match result {
            None => self.search(game),
            Some(result) => result,
        }
    }

    /// The document writes "Let deltaX be deltaX be -999" and so keeps deltaY. Nothing reads it before it is set again.
    fn reset(&mut self) {
        (self.ship_x, self.ship_y) = (-1, -1);
        self.delta_x = -999;
        (self.original_delta_x, self.original_delta_y) = (-999, -999);
        self.has_attempted_invert_delta = false;
    }

    fn find_fire_options(game: &Battleship, quadrant_index: i32) -> Vec<(i32, i32)> {
        let (offset_x, offset_y) = [(0, 0), (5, 0), (0, 5), (5, 5)][quadrant_index as usize];
        let mut options = Vec::new();
        for i in offset_x..=offset_x + 4 {
            for j in offset_y..=offset_y + 4 {
                if i % 2 == j % 2 && game.hitmap(i, j) == HitmapCell::Empty {
                    options.push((i, j));
                }
            }
        }
        options
    }

    fn search(&mut self, game: &mut Battleship) -> BattleshipMove {
        let (mut x, mut y) = (-1, -1);
        for i in self.current_quadrant..=self.current_quadrant + 3 {
            let fire_options = Self::find_fire_options(game, i % 4);
            if !fire_options.is_empty() {
                (x, y) = game.choice(&fire_options);
                break;
            }
        }
        self.current_quadrant = (self.current_quadrant + 1) % 4;
        if x == -1 {
            let cells = (0..100).map(|index| (index % 10, index / 10));
            let empty: Vec<(i32, i32)> = cells.filter(|&(x, y)| game.hitmap(x, y) == HitmapCell::Empty).collect();
            (x, y) = game.choice(&empty);
        }
        let result = game.fire(x, y);
        if game.hitmap(x, y) == HitmapCell::HitShip {
            self.ship_x = x;
            self.ship_y = y;
        }
        result
    }
}

#[test]
fn no_shot_differs_from_the_pseudocode() {
    let rules = Rules::classic();
    for number in 0..2000 {
        let seed = Seed::new(18).game(number);
        let fleet = layout::uniform(&rules, &mut seed.layout().rng()).unwrap();
        let mut game = Battleship { solo: Solo::new(fleet), shot_of_the_bot: Cell::new(0, 0) };
        let mut bot = find("quadrant").unwrap().make(&seed.side(Side::A));
        let mut ai = Ai::new();
        bot.start(&rules);
        while !game.solo.is_over() {
            game.shot_of_the_bot = bot.shoot(&game.solo.view());
            ai.fire(&mut game);
        }
    }
}

const RULES: &str = "10x10:4,2";

#[test]
fn the_search_takes_the_quarters_in_turn() {
    for seed in 0..50 {
        // Both ships are on the color that the search leaves out, or beside it: until the first hit all is search.
        let fired = shots("quadrant", RULES, "4 A10 across, 2 J9 down", seed);
        let search = fired.iter().take_while(|shot| !shot.outcome.is_hit()).map(|shot| shot.cell);
        for (number, cell) in search.take(40).enumerate() {
            assert_eq!(cell.col() % 2, cell.row() % 2, "{cell}");
            let quarter = (cell.col() / 5, cell.row() / 5);
            assert_eq!(quarter, [(0, 0), (1, 0), (0, 1), (1, 1)][number % 4], "shot {number}: {cell}");
        }
    }
}

#[test]
fn a_direction_is_looked_for_above_left_below_and_right() {
    let check = |fleet: &str, expected: &str| {
        check_start(&cells_from("C3", "quadrant", RULES, fleet), expected);
    };
    // "Above" is y + 1: the row below, as boards are shown here.
    check("4 C3 down, 2 A10 across", "C3 C4 C5 C6");
    check("4 A3 across, 2 A10 across", "C3 C4 B3 A3 D3");
    check("2 C2 down, 4 A10 across", "C3 C4 B3 C2");
    check("4 C3 across, 2 A10 across", "C3 C4 B3 C2 D3 E3 F3");
}

#[test]
fn after_a_miss_the_direction_is_inverted_at_the_first_hit() {
    let check = |first: &str, fleet: &str, expected: &str| {
        check_start(&cells_from(first, "quadrant", RULES, fleet), expected);
    };
    // C5 misses: back at C3 the other way leads to C2, and on.
    check("C3", "4 C1 down, 2 A10 across", "C3 C4 C5 C2 C1");
    check("C3", "4 C2 down, 2 A10 across", "C3 C4 C5 C6 C2");
    // The board ends at A3: the same without a miss.
    check("C3", "4 A3 across, 2 A10 across", "C3 C4 B3 A3 D3");
    // After a sinking the search continues, in the next quarter.
    let fired = cells_from("C3", "quadrant", RULES, "2 C3 down, 4 A10 across");
    check_start(&fired, "C3 C4");
    assert!(fired[2].col() >= 5 && fired[2].row() < 5, "{}", fired[2]);
}
