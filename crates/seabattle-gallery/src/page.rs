//! A game as a page that needs nothing else: boards to step through, the odds as heat, a chart, and every shot in a table.

mod boards;
mod data;

use seabattle_core::Side;
use seabattle_odds::{Analysis, AnalyzedShot};
use seabattle_pictures::{Colour, Theme, svg};

use crate::chart;
use crate::frame::Shown;
use crate::story::Story;
use crate::tints::Tints;
use crate::words::{outcome, percent, players, short_shot, turning_point};

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");
const NOTE: &str = "<p class=\"note\"><b>Skill</b>: hits to be expected of the cells chosen, in percent of those to be \
    expected of the likeliest cells. <b>Luck</b>: hits beyond those to be expected of the cells chosen, also in standard \
    deviations (sd): between \u{2212}1 and 1 is common, beyond 2 rare. The likeliest cell is not always the best one, \
    but nearly so.</p>\n";

/// The page; a story that was not judged has boards and no numbers. With `odds`, heat is shown at first.
pub fn page(story: &Story, shown: Shown, odds: bool) -> String {
    let record = story.record();
    let names = record.names().map(escape);
    let heading = match record.is_solo() {
        true => format!("<bdi>{}</bdi> alone", names[record.first()]),
        false => format!("<bdi>{}</bdi> against <bdi>{}</bdi>", names.a, names.b),
    };
    let analysis = story.analysis();
    let judged = analysis.map_or_else(String::new, |analysis| {
        format!(
            "{numbers}{points}{chart}{shots}{NOTE}",
            numbers = numbers(story, analysis),
            points = turning_points(story, analysis),
            chart = hits(story),
            shots = shots(story, analysis),
        )
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{colours}{STYLE}</style>\n</head>\n\
         <body>\n<main>\n<h1>{heading}</h1>\n<p class=\"lead\">{outcome} Rules: {rules}.{estimates}</p>\n\
         {player}{boards}{judged}</main>\n\
         <script type=\"application/json\" id=\"game\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        title = escape(&players(record)),
        colours = colours(),
        outcome = escape(&outcome(story.record())),
        rules = escape(&story.rules().to_string()),
        estimates =
            if analysis.is_some_and(|analysis| !analysis.is_exact()) { " Some odds are estimates." } else { "" },
        player = player(story, odds),
        boards = boards::boards(story, shown),
        data = data::data(story),
    )
}

/// The palette for both themes, by the names that the style sheet and the drawings use.
fn colours() -> String {
    let list =
        |theme: &Theme| named(theme).iter().map(|(name, colour)| format!("--{name}:{};", colour.hex())).collect();
    let (light, dark): (String, String) = (list(&Theme::LIGHT), list(&Theme::DARK));
    format!(":root{{color-scheme:light dark;{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n")
}

fn named(theme: &Theme) -> Vec<(&'static str, Colour)> {
    let tints = Tints::of(theme);
    let mut named = vec![
        ("paper", theme.paper),
        ("ink", theme.ink),
        ("grey", theme.grey),
        ("faint", theme.faint),
        ("water", tints.water),
        ("ship", tints.ship),
        ("hot", tints.heat(1.0)),
    ];
    let curves = ["curve0", "curve1", "curve2", "curve3", "curve4", "curve5", "curve6"];
    named.extend(curves.into_iter().zip(theme.curves));
    named
}

/// A drawing in the colours of the light theme, made to follow the theme of the reader.
fn themed(drawing: &str) -> String {
    named(&Theme::LIGHT).iter().fold(drawing.to_owned(), |drawing, (name, colour)| {
        drawing.replace(&format!("\"{}\"", colour.hex()), &format!("\"var(--{name})\""))
    })
}

fn player(story: &Story, odds: bool) -> String {
    let steps = story.scenes().len();
    let checked = if odds { " checked" } else { "" };
    let heat = match story.analysis() {
        Some(_) => format!("<label><input type=\"checkbox\" id=\"heat\"{checked}> odds before the shot</label>"),
        None => String::new(),
    };
    format!(
        "<section class=\"player\" aria-label=\"Steps\">\n<div class=\"buttons\">\
         <button type=\"button\" data-go=\"first\" aria-label=\"To the beginning\">\u{ab}</button>\
         <button type=\"button\" data-go=\"back\" aria-label=\"One step back\">\u{2039}</button>\
         <button type=\"button\" id=\"play\">Play</button>\
         <button type=\"button\" data-go=\"next\" aria-label=\"One step on\">\u{203a}</button>\
         <button type=\"button\" data-go=\"last\" aria-label=\"To the end\">\u{bb}</button>{heat}</div>\n\
         <input type=\"range\" id=\"step\" min=\"0\" max=\"{steps}\" value=\"{steps}\" aria-label=\"Step\">\n\
         <p id=\"caption\" role=\"status\">{steps} steps</p>\n</section>\n"
    )
}

fn numbers(story: &Story, analysis: &Analysis) -> String {
    let row = |side: Side| {
        let review = analysis.reviews()[side];
        let skill = review.skill().map_or_else(|| "\u{2013}".to_owned(), |skill| format!("{skill:.1} %"));
        format!(
            "<tr><th scope=\"row\"><bdi>{name}</bdi></th><td>{shots}</td><td>{hits}</td><td>{expected:.2}</td>\
             <td>{best:.2}</td><td>{skill}</td><td>{luck}</td><td>{deviations}</td></tr>\n",
            name = escape(story.record().names()[side]),
            shots = review.shots().len(),
            hits = review.hits(),
            expected = review.expected(),
            best = review.best(),
            luck = signed(review.luck()),
            deviations = signed(review.luck_in_deviations()),
        )
    };
    format!(
        "<h2>Skill and luck</h2>\n<div class=\"wide\"><table>\n<thead><tr><th></th><th>shots</th><th>hits</th><th>expected</th>\
         <th>of the likeliest</th><th>skill</th><th>luck</th><th>sd</th></tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
        story.record().shooters().iter().copied().map(row).collect::<String>()
    )
}

/// Two decimals with a sign, and never a zero below zero.
fn signed(number: f64) -> String {
    let rounded = (100.0 * number).round() / 100.0 + 0.0;
    format!("{rounded:+.2}").replace('-', "\u{2212}")
}

fn turning_points(story: &Story, analysis: &Analysis) -> String {
    let steps: Vec<AnalyzedShot<'_>> = analysis.shots().collect();
    let item = |point: &seabattle_odds::TurningPoint| {
        let step = steps.get(point.number - 1)?;
        let scene = story.scenes().partition_point(|scene| scene.first < point.number);
        Some(format!(
            "<li><button type=\"button\" data-step=\"{scene}\">{number}. <bdi>{name}</bdi>: {shot}</button> {why}</li>\n",
            number = point.number,
            name = escape(story.record().names()[step.side]),
            shot = escape(&short_shot(story.rules(), step.review.shot)),
            why = turning_point(step, point.reason),
        ))
    };
    let items: String = analysis.turning_points().iter().filter_map(item).collect();
    if items.is_empty() { items } else { format!("<h2>Turning points</h2>\n<ul class=\"points\">\n{items}</ul>\n") }
}

fn hits(story: &Story) -> String {
    chart::hits(story, &Theme::LIGHT)
        .map_or_else(String::new, |picture| format!("<figure class=\"chart\">{}</figure>\n", themed(&svg(&picture))))
}

fn shots(story: &Story, analysis: &Analysis) -> String {
    let row = |step: AnalyzedShot<'_>| {
        let review = step.review;
        format!(
            "<tr><td>{number}</td><td><bdi>{name}</bdi></td><td>{shot}</td><td>{chosen}</td><td>{cell}</td><td>{best}</td>\
             <td>{rank}</td><td>{loss:.3}</td></tr>\n",
            number = step.number,
            name = escape(story.record().names()[step.side]),
            shot = escape(&short_shot(story.rules(), review.shot)),
            chosen = percent(review.chosen),
            cell = review.best_cell,
            best = percent(review.best),
            rank = review.rank,
            loss = review.loss(),
        )
    };
    let rows: String = analysis.shots().map(row).collect();
    format!(
        "<details><summary>Every shot</summary>\n<div class=\"wide\"><table>\n<thead><tr><th>no.</th><th>who</th><th>shot</th>\
         <th>odds</th><th>best cell</th><th>its odds</th><th>rank</th><th>loss</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n</details>\n"
    )
}

fn escape(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !c.is_control()).collect();
    visible
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
