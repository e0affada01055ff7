//! A game as one HTML file: boards to step through, odds as a heat map, a chart, and a table of every shot.

mod boards;
mod data;

use crate::{Color, Palette, svg};
use seabattle_core::Side;
use seabattle_odds::{Analysis, AnalyzedShot};

use crate::colors::BoardColors;
use crate::describe::{describe_players, describe_result, describe_shot, describe_turning_point, percent};
use crate::frames::ShownSides;
use crate::hits_chart::hits_chart;
use crate::replay::Replay;

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");
const NOTE: &str = "<p class=\"note\"><b>Skill</b>: expected hits of the chosen cells, in percent of those of the likeliest \
    cells. <b>Luck</b>: hits beyond the expected hits of the chosen cells, also in standard deviations (sd). Between \
    \u{2212}1 and 1 is common, beyond 2 is rare. The likeliest cell is not always the best one, but nearly so.</p>\n";

/// A replay as one HTML file. Without an analysis it has boards and no numbers. `odds` shows the heat map at first.
pub fn page(replay: &Replay, shown: ShownSides, odds: bool) -> String {
    let record = replay.record();
    let names = record.names().map(escape);
    let heading = match record.is_solo() {
        true => format!("<bdi>{}</bdi> alone", names[record.first()]),
        false => format!("<bdi>{}</bdi> against <bdi>{}</bdi>", names.a, names.b),
    };
    let analysis = replay.analysis();
    let review = analysis.map_or_else(String::new, |analysis| {
        format!(
            "{numbers}{points}{chart}{shots}{NOTE}",
            numbers = numbers(replay, analysis),
            points = turning_points(replay, analysis),
            chart = hits(replay),
            shots = shots(replay, analysis),
        )
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{colors}{STYLE}</style>\n</head>\n\
         <body>\n<main>\n<h1>{heading}</h1>\n<p class=\"lead\">{outcome} Rules: {rules}.{estimates}</p>\n\
         {player}{boards}{review}</main>\n\
         <script type=\"application/json\" id=\"game\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        title = escape(&describe_players(record)),
        colors = colors(),
        outcome = escape(&describe_result(replay.record())),
        rules = escape(&replay.rules().to_string()),
        estimates =
            if analysis.is_some_and(|analysis| !analysis.is_exact()) { " Some odds are estimates." } else { "" },
        player = player(replay, odds),
        boards = boards::boards(replay, shown),
        data = data::data(replay),
    )
}

/// Both palettes as CSS variables, by the names that the style sheet and the drawings use.
fn colors() -> String {
    let list =
        |palette: &Palette| named(palette).iter().map(|(name, color)| format!("--{name}:{};", color.hex())).collect();
    let (light, dark): (String, String) = (list(&Palette::LIGHT), list(&Palette::DARK));
    format!(":root{{color-scheme:light dark;{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n")
}

fn named(palette: &Palette) -> Vec<(&'static str, Color)> {
    let colors = BoardColors::of(palette);
    let mut named = vec![
        ("paper", palette.paper),
        ("ink", palette.ink),
        ("grey", palette.grey),
        ("faint", palette.faint),
        ("water", colors.water),
        ("ship", colors.ship),
        ("hot", colors.heat(1.0)),
    ];
    let curves = ["curve0", "curve1", "curve2", "curve3", "curve4", "curve5", "curve6"];
    named.extend(curves.into_iter().zip(palette.curves));
    named
}

/// Replaces the colors of the light palette by CSS variables, so that a drawing follows the reader's setting.
fn themed(drawing: &str) -> String {
    named(&Palette::LIGHT).iter().fold(drawing.to_owned(), |drawing, (name, color)| {
        drawing.replace(&format!("\"{}\"", color.hex()), &format!("\"var(--{name})\""))
    })
}

fn player(replay: &Replay, odds: bool) -> String {
    let steps = replay.steps().len();
    let checked = if odds { " checked" } else { "" };
    let heat = match replay.analysis() {
        Some(_) => format!("<label><input type=\"checkbox\" id=\"heat\"{checked}> odds before the shot</label>"),
        None => String::new(),
    };
    format!(
        "<section class=\"player\" aria-label=\"Steps\">\n<div class=\"buttons\">\
         <button type=\"button\" data-go=\"first\" aria-label=\"To the start\">\u{ab}</button>\
         <button type=\"button\" data-go=\"back\" aria-label=\"One step back\">\u{2039}</button>\
         <button type=\"button\" id=\"play\">Play</button>\
         <button type=\"button\" data-go=\"next\" aria-label=\"One step forward\">\u{203a}</button>\
         <button type=\"button\" data-go=\"last\" aria-label=\"To the end\">\u{bb}</button>{heat}</div>\n\
         <input type=\"range\" id=\"step\" min=\"0\" max=\"{steps}\" value=\"{steps}\" aria-label=\"Step\">\n\
         <p id=\"caption\" role=\"status\">{steps} steps</p>\n</section>\n"
    )
}

fn numbers(replay: &Replay, analysis: &Analysis) -> String {
    let row = |side: Side| {
        let review = analysis.reviews()[side];
        let skill = review.skill().map_or_else(|| "\u{2013}".to_owned(), |skill| format!("{skill:.1}%"));
        format!(
            "<tr><th scope=\"row\"><bdi>{name}</bdi></th><td>{shots}</td><td>{hits}</td><td>{expected:.2}</td>\
             <td>{best:.2}</td><td>{skill}</td><td>{luck}</td><td>{deviations}</td></tr>\n",
            name = escape(replay.record().names()[side]),
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
        replay.record().shooters().iter().copied().map(row).collect::<String>()
    )
}

/// A number with a sign and two decimals, and never a negative zero.
fn signed(number: f64) -> String {
    let rounded = (100.0 * number).round() / 100.0 + 0.0;
    format!("{rounded:+.2}").replace('-', "\u{2212}")
}

fn turning_points(replay: &Replay, analysis: &Analysis) -> String {
    let shots: Vec<AnalyzedShot<'_>> = analysis.shots().collect();
    let item = |point: &seabattle_odds::TurningPoint| {
        let shot = shots.get(point.number - 1)?;
        let step = replay.steps().partition_point(|step| step.first_shot < point.number);
        Some(format!(
            "<li><button type=\"button\" data-step=\"{step}\">{number}. <bdi>{name}</bdi>: {shot}</button> {why}</li>\n",
            number = point.number,
            name = escape(replay.record().names()[shot.side]),
            shot = escape(&describe_shot(replay.rules(), shot.review.shot)),
            why = describe_turning_point(shot, point.reason),
        ))
    };
    let items: String = analysis.turning_points().iter().filter_map(item).collect();
    if items.is_empty() { items } else { format!("<h2>Turning points</h2>\n<ul class=\"points\">\n{items}</ul>\n") }
}

fn hits(replay: &Replay) -> String {
    hits_chart(replay, &Palette::LIGHT)
        .map_or_else(String::new, |picture| format!("<figure class=\"chart\">{}</figure>\n", themed(&svg(&picture))))
}

fn shots(replay: &Replay, analysis: &Analysis) -> String {
    let row = |shot: AnalyzedShot<'_>| {
        let review = shot.review;
        format!(
            "<tr><td>{number}</td><td><bdi>{name}</bdi></td><td>{answer}</td><td>{chosen}</td><td>{cell}</td><td>{best}</td>\
             <td>{rank}</td><td>{loss:.3}</td></tr>\n",
            number = shot.number,
            name = escape(replay.record().names()[shot.side]),
            answer = escape(&describe_shot(replay.rules(), review.shot)),
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
