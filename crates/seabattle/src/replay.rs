//! `seabattle replay`: a recorded game in the terminal, step by step.

use seabattle_odds::OddsCache;
use seabattle_terminal::screen::{self, Folders, Start};
use seabattle_terminal::{First, plain};

use crate::cli::ReplayArgs;
use crate::interrupt;
use crate::play::{columns, glyphs, has_screen};
use crate::recorded::{judged, progress_bar, read, shots};

pub(crate) fn replay(args: &ReplayArgs) -> anyhow::Result<()> {
    let record = read(&args.record)?;
    let line_by_line = args.plain || args.boards || args.no_odds || !has_screen();
    if !line_by_line {
        return Ok(screen::run(screen::Options {
            start: Start::Replay(Box::new(record)),
            rules: None,
            bot: None,
            seed: 0,
            first: First::Random,
            save: None,
            theme: args.theme,
            glyphs: glyphs(args.ascii),
            folders: Folders::from_environment(),
        })?);
    }
    let options = plain::ReplayOptions { glyphs: glyphs(args.ascii), columns: columns(), boards: args.boards };
    if args.no_odds {
        return Ok(plain::replay(&record, None, &options, &mut anstream::stdout().lock())?);
    }
    interrupt::flag()?;
    let bar = progress_bar(shots(&record), "shots judged");
    let replay = judged(record, &OddsCache::for_every_position(), &bar)?;
    bar.finish_and_clear();
    Ok(plain::replay(replay.record(), replay.analysis(), &options, &mut anstream::stdout().lock())?)
}
