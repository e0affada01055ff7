//! Columns of text, aligned, and what stands in them in every table.

use std::collections::BTreeMap;

use seabattle_arena::FaultKind;

/// Failures in one entry: each kind with how often it came.
pub(crate) fn faults(faults: &BTreeMap<FaultKind, u64>) -> String {
    faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

/// Which way the entries of a column lean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lean {
    Left,
    Right,
}

/// Lines with the columns two spaces apart; the first row is the heading.
pub(crate) fn aligned(leans: &[Lean], rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count()).max();
    let widths: Vec<usize> = (0..leans.len()).map(|column| width(column).unwrap_or(0)).collect();
    let cell = |(text, (lean, width)): (&String, (&Lean, &usize))| match lean {
        Lean::Left => format!("{text:<width$}"),
        Lean::Right => format!("{text:>width$}"),
    };
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(leans.iter().zip(&widths)).map(cell).collect();
        cells.join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{Lean, aligned};

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let rows =
            [["bot", "mean"], ["\u{441}\u{442}\u{430}\u{440}\u{442}", "5"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            aligned(&[Lean::Left, Lean::Right], &rows),
            "bot    mean\n\u{441}\u{442}\u{430}\u{440}\u{442}     5\n"
        );
    }
}
