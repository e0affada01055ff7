//! Records an animation of the program: `cargo run --release -p seabattle-terminal --example animation FILE.gif`.

use std::error::Error;
use std::time::Duration;
use std::{env, fs};

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use seabattle_core::Glyphs;
use seabattle_render::{Anchor, Color as Rgb, Font, GifEncoder, Picture, Point};
use seabattle_terminal::First;
use seabattle_terminal::screen::{DataFolders, Headless, Options, Start, Theme};

const COLUMNS: u16 = 80;
const ROWS: u16 = 24;
const CELL: (f32, f32) = (8.0, 16.0);
/// The font size. A letter's width is 0.602 of it.
const FONT_SIZE: f32 = CELL.0 / 0.602;
const BASELINE: f32 = 12.4;

/// The seed of a short game that the player wins.
const SEED: u64 = 3;

/// The shots that are shown slowly, with the odds.
const SLOW_SHOTS: usize = 8;

const BACKGROUND: Rgb = Rgb::new(13, 17, 23);
const FOREGROUND: Rgb = Rgb::new(205, 213, 222);

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args().nth(1).ok_or("which file? animation FILE.gif")?;
    let mut recorder = Recorder { gif: GifEncoder::new(1.0), session: Headless::new(options()?) };
    recorder.hold(1500)?;
    placing(&mut recorder)?;
    battle(&mut recorder)?;
    fs::write(&file, recorder.gif.finish()?)?;
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
        folders: DataFolders::default(),
    })
}

fn placing(recorder: &mut Recorder) -> Result<(), Box<dyn Error>> {
    recorder.keys("<enter>", 900)?;
    for key in ["j", "l", "l", "<enter>", "j", "j", "r", "l", "l", "l", "l", "<enter>", "h", "h"] {
        recorder.keys(key, 180)?;
    }
    recorder.keys("z", 1600)?;
    recorder.keys("<enter>", 0)?;
    recorder.wait("Your shot 1")?;
    recorder.hold(900)
}

/// Plays the first shots slowly with the odds, then follows hints to the end.
fn battle(recorder: &mut Recorder) -> Result<(), Box<dyn Error>> {
    recorder.keys("<enter>", 0)?;
    recorder.wait("Your shot 2")?;
    recorder.hold(900)?;
    recorder.keys("o", 0)?;
    recorder.wait(" 10 ")?;
    recorder.hold(1800)?;
    for number in 2..200 {
        if number == SLOW_SHOTS {
            recorder.keys("o", 0)?;
        }
        recorder.keys("H", 0)?;
        recorder.wait_any(&["Try ", "w review"])?;
        if number < SLOW_SHOTS {
            recorder.hold(600)?;
        }
        recorder.keys("<enter>", 0)?;
        recorder.wait_any(&[&format!("Your shot {}:", number + 1), "w review"])?;
        recorder.hold(if number < SLOW_SHOTS { 600 } else { 250 })?;
        if recorder.session.text(COLUMNS, ROWS).contains("w review") {
            break;
        }
    }
    let analyzed = recorder.session.wait_until(COLUMNS, ROWS, |screen| !screen.contains("calculating"));
    if analyzed { recorder.hold(5000) } else { Err("the game has no end".into()) }
}

struct Recorder {
    gif: GifEncoder,
    session: Headless,
}

impl Recorder {
    fn keys(&mut self, keys: &str, milliseconds: u64) -> Result<(), Box<dyn Error>> {
        self.session.press(keys);
        if milliseconds > 0 { self.hold(milliseconds) } else { Ok(()) }
    }

    fn hold(&mut self, milliseconds: u64) -> Result<(), Box<dyn Error>> {
        let picture = render(&self.session.screen(COLUMNS, ROWS));
        Ok(self.gif.add_frame(&picture, Duration::from_millis(milliseconds))?)
    }

    fn wait(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.wait_any(&[text])
    }

    fn wait_any(&mut self, texts: &[&str]) -> Result<(), Box<dyn Error>> {
        let shown = self.session.wait_until(COLUMNS, ROWS, |screen| texts.iter().any(|text| screen.contains(text)));
        if shown { Ok(()) } else { Err(format!("{texts:?} never appeared").into()) }
    }
}

fn render(screen: &Buffer) -> Picture {
    let size = (f32::from(COLUMNS) * CELL.0, f32::from(ROWS) * CELL.1);
    let mut picture = Picture::new(size.0, size.1, "Seabattle in a terminal");
    rectangle(&mut picture, 0.0, 0.0, size, BACKGROUND);
    for y in 0..ROWS {
        for x in 0..COLUMNS {
            let place = Point::new(f32::from(x) * CELL.0, f32::from(y) * CELL.1);
            draw_cell(&mut picture, &screen[(x, y)], place);
        }
    }
    picture
}

fn draw_cell(picture: &mut Picture, cell: &Cell, at: Point) {
    let (mut foreground, mut background) = (rgb(cell.fg, FOREGROUND), rgb(cell.bg, BACKGROUND));
    if cell.modifier.contains(Modifier::REVERSED) {
        (foreground, background) = (background, foreground);
    }
    if background != BACKGROUND {
        rectangle(picture, at.x, at.y, CELL, background);
    }
    if cell.symbol() != " " {
        let base = Point::new(at.x, at.y + BASELINE);
        picture.text(base, Anchor::Start, FONT_SIZE, Font::Mono, foreground, cell.symbol());
    }
}

fn rectangle(picture: &mut Picture, x: f32, y: f32, (width, height): (f32, f32), fill: Rgb) {
    let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
    picture.polygon(&corners.map(|(x, y)| Point::new(x, y)), Some(fill), None);
}

/// Returns the RGB value of a color of the 256-color palette.
fn rgb(color: Color, default: Rgb) -> Rgb {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match color {
        Color::Indexed(number @ 16..=231) => {
            let number = usize::from(number - 16);
            Rgb::new(STEPS[number / 36], STEPS[number / 6 % 6], STEPS[number % 6])
        }
        Color::Indexed(number @ 232..) => {
            let gray = 8 + 10 * (number - 232);
            Rgb::new(gray, gray, gray)
        }
        _ => default,
    }
}
