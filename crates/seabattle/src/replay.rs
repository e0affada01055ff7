//! `seabattle replay`: steps through a recorded game in the terminal.

use seabattle_odds::OddsCache;
use seabattle_terminal::screen::{self, DataFolders, Start};
use seabattle_terminal::{First, plain};

use crate::cli::ReplayArgs;
use crate::interrupt;
use crate::play::{columns, glyphs, is_screen_available};
use crate::record_input::{analyze, count_shots, progress_bar, read};

pub(crate) fn replay(args: &ReplayArgs) -> anyhow::Result<()> {
    let record = read(&args.record)?;
    let is_plain = args.plain || args.boards || args.no_odds || !is_screen_available();
    if !is_plain {
        return Ok(screen::run(screen::Options {
            start: Start::Replay(Box::new(record)),
            rules: None,
            bot: None,
            seed: 0,
            first: First::Random,
            save: None,
            theme: args.theme,
            glyphs: glyphs(args.ascii),
            folders: DataFolders::from_environment(),
        })?);
    }
    let options = plain::ReplayOptions { glyphs: glyphs(args.ascii), columns: columns(), boards: args.boards };
    if args.no_odds {
        return Ok(plain::replay(&record, None, &options, &mut anstream::stdout().lock())?);
    }
    interrupt::stop_flag()?;
    let bar = progress_bar(count_shots(&record), "shots analyzed");
    let replay = analyze(record, &OddsCache::for_every_position(), &bar)?;
    bar.finish_and_clear();
    Ok(plain::replay(replay.record(), replay.analysis(), &options, &mut anstream::stdout().lock())?)
}
