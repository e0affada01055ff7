//! A moving picture of the program, made by the program: `cargo run --release -p seabattle-terminal --example film FILE.gif`.

use std::error::Error;
use std::time::Duration;
use std::{env, fs};

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use seabattle_core::Glyphs;
use seabattle_render::{Anchor, Color as Rgb, Font, GifEncoder, Picture, Point};
use seabattle_terminal::First;
use seabattle_terminal::screen::{Folders, Headless, Options, Start, Theme};

const COLUMNS: u16 = 80;
const ROWS: u16 = 24;
const CELL: (f32, f32) = (8.0, 16.0);
/// The letters of the font are 0.602 of their size wide.
const LETTERS: f32 = CELL.0 / 0.602;
const BASE_LINE: f32 = 12.4;

/// A game that is soon won.
const SEED: u64 = 3;

/// Shots that are shown at leisure, with the odds.
const SLOW: usize = 8;

const PAPER: Rgb = Rgb::new(13, 17, 23);
const INK: Rgb = Rgb::new(205, 213, 222);

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args().nth(1).ok_or("which file? film FILE.gif")?;
    let mut camera = Camera { film: GifEncoder::new(1.0), stage: Headless::new(options()?) };
    camera.hold(1500)?;
    placing(&mut camera)?;
    battle(&mut camera)?;
    fs::write(&file, camera.film.finish()?)?;
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    Ok(Options {
        start: Start::Menu,
        rules: Some("classic".parse()?),
        bot: Some(seabattle_bots::find("captain")?),
        seed: SEED,
        first: First::Me,
        save: None,
        theme: Some(Theme::Sea),
        glyphs: Glyphs::Unicode,
        folders: Folders::default(),
    })
}

fn placing(camera: &mut Camera) -> Result<(), Box<dyn Error>> {
    camera.keys("<enter>", 900)?;
    for key in ["j", "l", "l", "<enter>", "j", "j", "r", "l", "l", "l", "l", "<enter>", "h", "h"] {
        camera.keys(key, 180)?;
    }
    camera.keys("z", 1600)?;
    camera.keys("<enter>", 0)?;
    camera.wait("Your shot 1")?;
    camera.hold(900)
}

/// The first shots slowly, with the odds; then by hints to the end.
fn battle(camera: &mut Camera) -> Result<(), Box<dyn Error>> {
    camera.keys("<enter>", 0)?;
    camera.wait("Your shot 2")?;
    camera.hold(900)?;
    camera.keys("o", 0)?;
    camera.wait(" 10 ")?;
    camera.hold(1800)?;
    for number in 2..200 {
        if number == SLOW {
            camera.keys("o", 0)?;
        }
        camera.keys("H", 0)?;
        camera.wait_any(&["Try ", "w review"])?;
        if number < SLOW {
            camera.hold(600)?;
        }
        camera.keys("<enter>", 0)?;
        camera.wait_any(&[&format!("Your shot {}:", number + 1), "w review"])?;
        camera.hold(if number < SLOW { 600 } else { 250 })?;
        if camera.stage.text(COLUMNS, ROWS).contains("w review") {
            break;
        }
    }
    let reckoned = camera.stage.wait_until(COLUMNS, ROWS, |screen| !screen.contains("calculating"));
    if reckoned { camera.hold(5000) } else { Err("the game has no end".into()) }
}

struct Camera {
    film: GifEncoder,
    stage: Headless,
}

impl Camera {
    fn keys(&mut self, keys: &str, milliseconds: u64) -> Result<(), Box<dyn Error>> {
        self.stage.press(keys);
        if milliseconds > 0 { self.hold(milliseconds) } else { Ok(()) }
    }

    fn hold(&mut self, milliseconds: u64) -> Result<(), Box<dyn Error>> {
        let picture = painted(&self.stage.screen(COLUMNS, ROWS));
        Ok(self.film.add_frame(&picture, Duration::from_millis(milliseconds))?)
    }

    fn wait(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.wait_any(&[text])
    }

    fn wait_any(&mut self, texts: &[&str]) -> Result<(), Box<dyn Error>> {
        let shown = self.stage.wait_until(COLUMNS, ROWS, |screen| texts.iter().any(|text| screen.contains(text)));
        if shown { Ok(()) } else { Err(format!("{texts:?} never came").into()) }
    }
}

fn painted(screen: &Buffer) -> Picture {
    let size = (f32::from(COLUMNS) * CELL.0, f32::from(ROWS) * CELL.1);
    let mut picture = Picture::new(size.0, size.1, "Seabattle in a terminal");
    rectangle(&mut picture, 0.0, 0.0, size, PAPER);
    for y in 0..ROWS {
        for x in 0..COLUMNS {
            let place = Point::new(f32::from(x) * CELL.0, f32::from(y) * CELL.1);
            draw_cell(&mut picture, &screen[(x, y)], place);
        }
    }
    picture
}

fn draw_cell(picture: &mut Picture, cell: &Cell, at: Point) {
    let (mut ink, mut paper) = (colour(cell.fg, INK), colour(cell.bg, PAPER));
    if cell.modifier.contains(Modifier::REVERSED) {
        (ink, paper) = (paper, ink);
    }
    if paper != PAPER {
        rectangle(picture, at.x, at.y, CELL, paper);
    }
    if cell.symbol() != " " {
        let base = Point::new(at.x, at.y + BASE_LINE);
        picture.text(base, Anchor::Start, LETTERS, Font::Mono, ink, cell.symbol());
    }
}

fn rectangle(picture: &mut Picture, x: f32, y: f32, (width, height): (f32, f32), fill: Rgb) {
    let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
    picture.polygon(&corners.map(|(x, y)| Point::new(x, y)), Some(fill), None);
}

/// The colours that terminals of 256 colours agree on.
fn colour(color: Color, default: Rgb) -> Rgb {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match color {
        Color::Indexed(number @ 16..=231) => {
            let number = usize::from(number - 16);
            Rgb::new(STEPS[number / 36], STEPS[number / 6 % 6], STEPS[number % 6])
        }
        Color::Indexed(number @ 232..) => {
            let grey = 8 + 10 * (number - 232);
            Rgb::new(grey, grey, grey)
        }
        _ => default,
    }
}
