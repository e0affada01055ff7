//! Charts as SVG and PNG: well-formed, with every name.

use seabattle_render::{
    Chart, Color, Dash, ErrorBar, ErrorBarChart, Picture, PngError, Point, Series, Stroke, YAxis, png, svg,
};

fn chart(names: &[&str]) -> Chart {
    let series = |(at, name): (usize, &&str)| Series {
        name: (*name).to_owned(),
        note: format!("{at}.5"),
        color: None,
        points: (0..=100).map(|x| (x as f32, (x as f32 / 100.0).powf(1.0 + at as f32))).collect(),
    };
    Chart {
        title: "Games <finished> & \"counted\"".to_owned(),
        subtitle: "classic".to_owned(),
        x_label: "shots".to_owned(),
        x_range: (0.0, 100.0),
        y_axis: YAxis::Percent,
        series: names.iter().enumerate().map(series).collect(),
    }
}

#[test]
fn the_svg_names_every_curve_and_escapes_words() {
    let text = svg(&chart(&["star", "боцман", "<script>"]).draw());
    for name in ["star", "боцман", "&lt;script&gt;"] {
        assert!(text.contains(&format!("aria-label=\"{name}\"")), "{name}");
    }
    assert!(text.contains("<title>Games &lt;finished&gt; &amp; &quot;counted&quot;."));
    assert!(!text.contains("<script>") && !text.contains("<text"), "letters are outlines");
    assert_eq!(text.matches("<path").count(), text.matches("/>").count());
}

#[test]
fn curves_differ_without_color() {
    let text = svg(&chart(&["a", "b", "c", "d"]).draw());
    let dashes: std::collections::HashSet<&str> =
        text.split("stroke-dasharray=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(dashes.len(), 3, "three broken lines beside the whole one");
}

#[test]
fn the_png_has_the_size_of_the_picture() {
    let bytes = png(&chart(&["star"]).draw(), 2.0).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!((side(16), side(20)), (1920, 1120));
}

#[test]
fn absurd_pictures_are_refused() {
    assert_eq!(png(&Picture::new(0.0, 10.0, ""), 1.0), Err(PngError::Size));
    assert_eq!(png(&Picture::new(1e9, 10.0, ""), 1.0), Err(PngError::Size));
    assert_eq!(png(&Picture::new(f32::NAN, 10.0, ""), 1.0), Err(PngError::Size));
}

#[test]
fn points_far_away_do_not_stop_the_painter() {
    let mut picture = Picture::new(50.0, 50.0, "far");
    let line = Stroke { color: Color::INK, width: 2.0, dash: Dash::Solid };
    let far = [f32::MAX, f32::INFINITY, f32::NAN, -1e30, 1e9].map(|x| Point::new(x, 10.0));
    picture.polyline(&far, line);
    picture.polygon(&far, Some(Color::INK), Some(line));
    assert!(png(&picture, 1.0).is_ok());
}

#[test]
fn forty_curves_and_an_empty_range_are_drawn() {
    let many: Vec<String> = (0..40).map(|number| format!("bot-{number}")).collect();
    let names: Vec<&str> = many.iter().map(String::as_str).collect();
    let mut chart = chart(&names);
    chart.x_range = (5.0, 5.0);
    assert!(png(&chart.draw(), 1.0).is_ok());
}

#[test]
fn error_bars_name_every_number_and_survive_bad_ones() {
    let bar = |(at, name): (usize, &str)| ErrorBar { name: name.to_owned(), value: 100.0 * at as f32, error: 30.0 };
    let names = ["star", "<script>", "a name that is far too long for its place"];
    let mut chart = ErrorBarChart {
        title: "Elo & errors".to_owned(),
        x_label: "Elo".to_owned(),
        bars: names.into_iter().enumerate().map(bar).collect(),
    };
    let text = svg(&chart.draw());
    assert!(text.contains("<title>Elo &amp; errors</title>") && !text.contains("<script>"));
    for name in ["star", "&lt;script&gt;", "a name that is far …", "Elo", "200"] {
        assert!(text.contains(&format!("aria-label=\"{name}\"")), "{name}");
    }
    chart.bars[0].value = f32::NAN;
    chart.bars[1].error = f32::INFINITY;
    chart.bars[2].value = 1e30;
    let text = svg(&chart.draw());
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    chart.bars.clear();
    assert!(png(&chart.draw(), 1.0).is_ok());
}
