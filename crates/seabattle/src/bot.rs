//! `seabattle bot`: runs a bot of the catalog over the line protocol.

use std::io;

use seabattle_arena::protocol::serve;

use crate::cli::BotArgs;

pub(crate) fn bot(args: &BotArgs) -> anyhow::Result<()> {
    let entry = args.bot;
    let make = |seed: &_| entry.make(seed);
    serve(entry.name, &make, args.learn, &mut io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(())
}
