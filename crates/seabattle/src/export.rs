//! `seabattle export`: saves a recorded game as an animation, a picture or a web page.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use seabattle_core::{Record, Side};
use seabattle_odds::OddsCache;
use seabattle_render::{Frames, Palette, Replay, ShownSides, animation, page, png, svg};

use crate::cli::{ExportArgs, ExportSide, ExportTheme};
use crate::interrupt;
use crate::record_input::{analyze, count_shots, progress_bar, read};

/// Pixels per unit, for sharp pictures on dense screens.
const STILL_SCALE: f32 = 2.0;

enum OutputKind {
    Gif,
    Svg,
    Png,
    Html,
}

pub(crate) fn export(args: &ExportArgs) -> anyhow::Result<()> {
    let output_kind = output_kind(args)?;
    let record = read(&args.record)?;
    check_writable(&args.output)?;
    let replay = load_replay(record, args.odds)?;
    let bytes = match output_kind {
        OutputKind::Html => page(&replay, shown_sides(args.side), args.odds).into_bytes(),
        OutputKind::Gif => render_animation(args, &replay)?,
        OutputKind::Svg | OutputKind::Png => render_still(args, &replay, &output_kind)?,
    };
    fs::write(&args.output, bytes).with_context(|| format!("cannot write {}", args.output.display()))
}

/// Returns the kind of output that the file name asks for. Arguments that do not fit it are an error.
fn output_kind(args: &ExportArgs) -> anyhow::Result<OutputKind> {
    let file = args.output.display();
    let extension = args.output.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    let output_kind = match extension.as_deref() {
        Some("gif") => OutputKind::Gif,
        Some("svg") => OutputKind::Svg,
        Some("png") => OutputKind::Png,
        Some("html" | "htm") => OutputKind::Html,
        _ => bail!("-o {file}: the file name must end in .gif, .svg, .png or .html"),
    };
    match output_kind {
        OutputKind::Gif | OutputKind::Html if args.step.is_some() => {
            bail!("--step is for pictures, but {file} shows all steps: write a .png or .svg")
        }
        OutputKind::Svg | OutputKind::Html if args.size.is_some() => {
            bail!("--size is only for .gif and .png: {file} scales by itself")
        }
        output_kind => Ok(output_kind),
    }
}

/// Returns an error if the file cannot be written, before any odds are computed.
fn check_writable(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("cannot write {}: there is no folder {}", file.display(), folder.display());
    }
    if file.is_dir() {
        bail!("cannot write {}: it is a folder", file.display());
    }
    Ok(())
}

fn load_replay(record: Record, odds: bool) -> anyhow::Result<Replay> {
    if !odds {
        return Ok(Replay::new(record));
    }
    interrupt::stop_flag()?;
    let bar = progress_bar(count_shots(&record), "shots analyzed");
    let replay = analyze(record, &OddsCache::for_every_position(), &bar).context("try it without --odds");
    bar.finish_and_clear();
    replay
}

fn shown_sides(side: ExportSide) -> ShownSides {
    match side {
        ExportSide::A => ShownSides::One(Side::A),
        ExportSide::B => ShownSides::One(Side::B),
        ExportSide::Both => ShownSides::Both,
    }
}

fn palette(theme: ExportTheme) -> Palette {
    match theme {
        ExportTheme::Light => Palette::LIGHT,
        ExportTheme::Dark => Palette::DARK,
    }
}

fn render_animation(args: &ExportArgs, replay: &Replay) -> anyhow::Result<Vec<u8>> {
    let frames = Frames::new(replay, shown_sides(args.side), args.odds, palette(args.theme));
    let bar = progress_bar(frames.steps() as u64, "pictures");
    let width = args.size.unwrap_or_else(|| frames.width().round() as u16);
    let bytes = animation(&frames, args.speed, width, |step| bar.set_position(step as u64))?;
    bar.finish_and_clear();
    Ok(bytes)
}

fn render_still(args: &ExportArgs, replay: &Replay, output_kind: &OutputKind) -> anyhow::Result<Vec<u8>> {
    let frames = Frames::new(replay, shown_sides(args.side), args.odds, palette(args.theme));
    let step = args.step.unwrap_or_else(|| frames.steps());
    if step > frames.steps() {
        bail!("--step {step}: the game has only {} steps", frames.steps());
    }
    let picture = frames.still(step);
    match output_kind {
        OutputKind::Svg => Ok(svg(&picture).into_bytes()),
        _ => {
            let scale = args.size.map_or(STILL_SCALE, |width| f32::from(width) / picture.width());
            Ok(png(&picture, scale)?)
        }
    }
}
