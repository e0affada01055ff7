//! The line protocol from both of its ends.

use seabattle_arena::protocol::{ArenaCommand, MOST_BYTES, Reply, serve};
use seabattle_core::Rules;

/// What the arena says: each line is read under the rules of the last game.
pub fn orders(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut rules: Option<Rules> = None;
    for line in text.lines() {
        let Ok(order) = ArenaCommand::parse(line, rules.as_ref()) else { continue };
        if let ArenaCommand::Game { rules: new, .. } = &order {
            rules = Some(new.clone());
        }
        let printed = order.to_text(rules.as_ref().unwrap_or(&Rules::classic()));
        assert_eq!(ArenaCommand::parse(&printed, rules.as_ref()).as_ref(), Ok(&order), "{line:?} as {printed:?}");
    }
}

/// What a bot says, modules of the contest too: their runner speaks the same lines for them.
pub fn replies(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.lines() {
        match Reply::parse(line) {
            Ok(Reply::Shots(cells)) => {
                assert_eq!(Reply::parse(&Reply::shots_text(&cells)), Ok(Reply::Shots(cells)), "{line:?}");
            }
            Ok(Reply::Name(text) | Reply::Author(text) | Reply::Error(text)) => {
                assert!(text.chars().count() <= 100 && !text.contains(char::is_control), "{text:?}");
            }
            Ok(Reply::Ready | Reply::Fleet(_)) => {}
            Err(why) => assert!(why.to_string().len() < 1000, "{why}"),
        }
    }
}

/// A bot of the catalog is told anything: all that it answers is a reply.
pub fn conversation(data: &[u8]) {
    let bot = seabattle_bots::find("random").expect("random is in the catalog");
    let mut said = Vec::new();
    // A line that is too long ends the conversation; what was said before counts.
    let _ended = serve("random", &|seed| bot.make(seed), false, &mut &*data, &mut said);
    let said = String::from_utf8(said).expect("replies are text");
    for line in said.lines() {
        assert!(line.len() <= MOST_BYTES && Reply::parse(line).is_ok(), "{line:?}");
    }
}
