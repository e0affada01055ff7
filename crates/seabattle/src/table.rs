//! Aligned columns of text, and entries that several tables share.

use std::collections::BTreeMap;

use seabattle_arena::FaultKind;

/// Lists the kinds of faults with their counts, in one table entry.
pub(crate) fn faults(faults: &BTreeMap<FaultKind, u64>) -> String {
    faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

/// Shortens a long name to its beginning and its end, where commands differ.
pub(crate) fn shorten_name(name: &str) -> String {
    const MAX_LETTERS: usize = 40;
    const KEPT_START: usize = 12;
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= MAX_LETTERS {
        return name.to_owned();
    }
    let (beginning, end) = (&letters[..KEPT_START], &letters[letters.len() - (MAX_LETTERS - KEPT_START - 1)..]);
    beginning.iter().chain(&['…']).chain(end).collect()
}

/// Lists the first fault of each contestant that had one, a line for each.
pub(crate) fn first_faults<'a>(failed: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> String {
    let lines: String = failed.filter_map(|(name, fault)| Some(format!("  {name}: {}\n", fault?))).collect();
    if lines.is_empty() { lines } else { format!("\nFirst faults:\n{lines}") }
}

/// The alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Renders rows with columns two spaces apart.
pub(crate) fn align_columns(alignments: &[Align], rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count()).max();
    let widths: Vec<usize> = (0..alignments.len()).map(|column| width(column).unwrap_or(0)).collect();
    let cell = |(text, (align, width)): (&String, (&Align, &usize))| match align {
        Align::Left => format!("{text:<width$}"),
        Align::Right => format!("{text:>width$}"),
    };
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(alignments.iter().zip(&widths)).map(cell).collect();
        cells.join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{Align, align_columns, first_faults, shorten_name};

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shorten_name("star"), "star");
        let shortened = shorten_name("python3 /home/somebody/with/a/very/deep/folder/version2.py");
        assert_eq!(shortened, "python3 /hom…ery/deep/folder/version2.py");
        assert_eq!(shortened.chars().count(), 40);
    }

    #[test]
    fn only_contestants_with_faults_are_listed() {
        let failed = [("star", None), ("./bot", Some("crash: ended with exit status: 3"))];
        assert_eq!(first_faults(failed.into_iter()), "\nFirst faults:\n  ./bot: crash: ended with exit status: 3\n");
        assert_eq!(first_faults(std::iter::once(("star", None))), "");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let rows =
            [["bot", "mean"], ["\u{441}\u{442}\u{430}\u{440}\u{442}", "5"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            align_columns(&[Align::Left, Align::Right], &rows),
            "bot    mean\n\u{441}\u{442}\u{430}\u{440}\u{442}     5\n"
        );
    }
}
