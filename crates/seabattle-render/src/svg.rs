//! Pictures as SVG.

use std::fmt::Write;

use crate::picture::{Segment, Shape, Stroke};
use crate::{Color, Picture, Point};

/// The shapes of a picture without its background, to embed in another SVG.
pub fn svg_shapes(picture: &Picture) -> String {
    picture.shapes.iter().skip(1).map(path).collect()
}

/// A picture as the text of an SVG file.
pub fn svg(picture: &Picture) -> String {
    let (width, height) = (number(picture.width), number(picture.height));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>{}</title>\n",
        escape(&picture.title)
    );
    for shape in &picture.shapes {
        text += &path(shape);
    }
    text + "</svg>\n"
}

fn path(shape: &Shape) -> String {
    let fill = shape.fill.map_or_else(|| "none".to_owned(), Color::hex);
    let stroke = shape.stroke.map_or_else(String::new, |stroke| stroke_attributes(&stroke));
    let label = shape.text.as_ref().map_or_else(String::new, |words| format!(" aria-label=\"{}\"", escape(words)));
    format!("<path d=\"{}\" fill=\"{fill}\"{stroke}{label}/>\n", outline(&shape.outline))
}

fn outline(segments: &[Segment]) -> String {
    let at = |point: &Point| format!("{} {}", number(point.x), number(point.y));
    let mut text = String::new();
    for segment in segments {
        // Writing to a string cannot fail.
        let _ = match segment {
            Segment::Move(to) => write!(text, "M{}", at(to)),
            Segment::Line(to) => write!(text, "L{}", at(to)),
            Segment::Quad(by, to) => write!(text, "Q{} {}", at(by), at(to)),
            Segment::Cubic(by, and, to) => write!(text, "C{} {} {}", at(by), at(and), at(to)),
            Segment::Close => write!(text, "Z"),
        };
    }
    text
}

fn stroke_attributes(stroke: &Stroke) -> String {
    let pattern: Vec<String> = stroke.dash.pattern().iter().map(|length| number(length * stroke.width)).collect();
    let dash = if pattern.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", pattern.join(" ")) };
    format!(
        " stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}",
        stroke.color.hex(),
        number(stroke.width)
    )
}

/// A number with at most two decimals.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn escape(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !c.is_control()).collect();
    visible.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
