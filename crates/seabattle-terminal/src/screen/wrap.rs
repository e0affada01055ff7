//! Wraps lines between words, and truncates texts.

use ratatui::text::{Line, Span};

use super::style::Styles;

/// Wraps a line, between words where possible.
pub(super) fn wrapped(line: &Line<'_>, width: usize) -> Vec<Line<'static>> {
    let width = width.max(1);
    let mut rows: Vec<Vec<Span<'static>>> = vec![Vec::new()];
    let mut used = 0;
    for span in &line.spans {
        let style = line.style.patch(span.style);
        for word in span.content.split_inclusive(' ').flat_map(|word| split_word(word, width)) {
            let bare = Span::raw(word.trim_end()).width();
            if used > 0 && used + bare > width {
                rows.push(Vec::new());
                used = 0;
            }
            if bare == 0 && used == 0 && rows.len() > 1 {
                continue;
            }
            used += Span::raw(word.as_str()).width();
            if let Some(row) = rows.last_mut() {
                row.push(Span::styled(word, style));
            }
        }
    }
    rows.into_iter().map(Line::from).collect()
}

/// Splits a word that is wider than a line.
fn split_word(word: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for letter in word.chars() {
        let columns = Span::raw(letter.to_string()).width();
        if used + columns > width && letter != ' ' {
            pieces.push(String::new());
            used = 0;
        }
        used += columns;
        if let Some(piece) = pieces.last_mut() {
            piece.push(letter);
        }
    }
    pieces
}

/// Truncates a text to a width and marks the cut.
pub(super) fn truncated(text: &str, width: usize, styles: Styles) -> String {
    if Span::raw(text).width() <= width {
        return text.to_owned();
    }
    let mark = styles.unicode_or_ascii("…", "..");
    let mut shown = text.to_owned();
    while Span::raw(shown.as_str()).width() + Span::raw(mark).width() > width && shown.pop().is_some() {}
    format!("{}{mark}", shown.trim_end())
}

#[cfg(test)]
mod tests {
    use seabattle_core::Glyphs;

    use super::super::style::Theme;
    use super::*;

    fn rows(text: &str, width: usize) -> Vec<String> {
        wrapped(&Line::from(text), width).iter().map(|line| line.to_string().trim_end().to_owned()).collect()
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(rows("carrier 5, battleship 4, cruiser 3", 14), ["carrier 5,", "battleship 4,", "cruiser 3"]);
        assert_eq!(rows("fits", 4), ["fits"]);
        assert_eq!(rows("", 4), [""]);
        assert_eq!(rows("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(rows("海战 海战", 4), ["海战", "海战"]);
        assert_eq!(rows("one   two", 4), ["one", "two"]);
    }

    #[test]
    fn a_truncated_text_is_marked() {
        let styles = |glyphs| Styles { theme: Theme::Mono, glyphs };
        assert_eq!(truncated("destroyer", 9, styles(Glyphs::Unicode)), "destroyer");
        assert_eq!(truncated("destroyer", 5, styles(Glyphs::Unicode)), "dest…");
        assert_eq!(truncated("destroyer", 5, styles(Glyphs::Ascii)), "des..");
    }
}
