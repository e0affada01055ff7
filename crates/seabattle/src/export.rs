//! `seabattle export`: a recorded game as a moving picture, a still or a page.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use seabattle_core::{Record, Side};
use seabattle_odds::OddsCache;
use seabattle_render::{Frames, Palette, Replay, ShownSides, animation, page, png, svg};

use crate::cli::{ExportArgs, Paper, Whose};
use crate::interrupt;
use crate::recorded::{judged, progress_bar, read, shots};

/// Sharp on dense screens.
const STILL_SCALE: f32 = 2.0;

enum Kind {
    Gif,
    Svg,
    Png,
    Html,
}

pub(crate) fn export(args: &ExportArgs) -> anyhow::Result<()> {
    let kind = kind(args)?;
    let record = read(&args.record)?;
    writable(&args.output)?;
    let replay = story(record, args.odds)?;
    let bytes = match kind {
        Kind::Html => page(&replay, shown(args.side), args.odds).into_bytes(),
        Kind::Gif => moving(args, &replay)?,
        Kind::Svg | Kind::Png => still(args, &replay, &kind)?,
    };
    fs::write(&args.output, bytes).with_context(|| format!("cannot write {}", args.output.display()))
}

/// What the name of the file asks for, and whether the other arguments go with it.
fn kind(args: &ExportArgs) -> anyhow::Result<Kind> {
    let file = args.output.display();
    let extension = args.output.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    let kind = match extension.as_deref() {
        Some("gif") => Kind::Gif,
        Some("svg") => Kind::Svg,
        Some("png") => Kind::Png,
        Some("html" | "htm") => Kind::Html,
        _ => bail!("-o {file}: the file name must end in .gif, .svg, .png or .html"),
    };
    match kind {
        Kind::Gif | Kind::Html if args.step.is_some() => {
            bail!("--step is for stills: {file} shows all steps; write a .png or .svg instead")
        }
        Kind::Svg | Kind::Html if args.size.is_some() => {
            bail!("--size is for .gif and .png: {file} is as large as its place")
        }
        kind => Ok(kind),
    }
}

/// Better to hear of a closed folder before the odds are reckoned than after.
fn writable(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("cannot write {}: there is no folder {}", file.display(), folder.display());
    }
    if file.is_dir() {
        bail!("cannot write {}: it is a folder", file.display());
    }
    Ok(())
}

fn story(record: Record, odds: bool) -> anyhow::Result<Replay> {
    if !odds {
        return Ok(Replay::new(record));
    }
    interrupt::flag()?;
    let bar = progress_bar(shots(&record), "shots judged");
    let replay = judged(record, &OddsCache::for_every_position(), &bar).context("without --odds the game can be shown");
    bar.finish_and_clear();
    replay
}

fn shown(side: Whose) -> ShownSides {
    match side {
        Whose::A => ShownSides::One(Side::A),
        Whose::B => ShownSides::One(Side::B),
        Whose::Both => ShownSides::Both,
    }
}

fn theme(paper: Paper) -> Palette {
    match paper {
        Paper::Light => Palette::LIGHT,
        Paper::Dark => Palette::DARK,
    }
}

fn moving(args: &ExportArgs, replay: &Replay) -> anyhow::Result<Vec<u8>> {
    let frames = Frames::new(replay, shown(args.side), args.odds, theme(args.theme));
    let bar = progress_bar(frames.steps() as u64, "pictures");
    let width = args.size.unwrap_or_else(|| frames.width().round() as u16);
    let bytes = animation(&frames, args.speed, width, |step| bar.set_position(step as u64))?;
    bar.finish_and_clear();
    Ok(bytes)
}

fn still(args: &ExportArgs, replay: &Replay, kind: &Kind) -> anyhow::Result<Vec<u8>> {
    let frames = Frames::new(replay, shown(args.side), args.odds, theme(args.theme));
    let step = args.step.unwrap_or_else(|| frames.steps());
    if step > frames.steps() {
        bail!("--step {step}: the game has {} steps", frames.steps());
    }
    let picture = frames.still(step);
    match kind {
        Kind::Svg => Ok(svg(&picture).into_bytes()),
        _ => {
            let scale = args.size.map_or(STILL_SCALE, |width| f32::from(width) / picture.width());
            Ok(png(&picture, scale)?)
        }
    }
}
