//! `seabattle count`: counts the legal fleets of some rules.

use std::io::Write;

use anyhow::{Context, bail};
use seabattle_core::{Knowledge, Rules};
use seabattle_odds::Odds;

use crate::cli::CountArgs;

pub(crate) fn count(args: &CountArgs) -> anyhow::Result<()> {
    let odds = Odds::of(&Knowledge::new(&args.rules))?;
    if !odds.is_exact() {
        bail!("{} has too many fleets to count exactly: about {:.3e}", args.rules, odds.layouts() as f64);
    }
    let distinct = times_permutations(odds.layouts(), args.rules.classes().iter().map(|class| class.count()))
        .context("there are more fleets than a 128-bit number can hold")?;
    let interchangeable = distinct
        / times_permutations(1, ships_by_length(&args.rules))
            .context("there are more fleets than a 128-bit number can hold")?;
    let text = format!(
        "Legal fleets of {}\n{:>28}  if all ships are distinct\n{:>28}  if ships of one length are the same\n",
        args.rules,
        group_digits(distinct),
        group_digits(interchangeable)
    );
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

/// Multiplies a number by the permutations of ships that look the same.
fn times_permutations(number: u128, counts: impl Iterator<Item = u16>) -> Option<u128> {
    let mut factors = counts.flat_map(|count| 1..=u128::from(count));
    factors.try_fold(number, u128::checked_mul)
}

/// Counts the ships of each length.
fn ships_by_length(rules: &Rules) -> impl Iterator<Item = u16> + '_ {
    (1..=50)
        .map(|length| rules.classes().iter().filter(|class| class.length() == length).map(|class| class.count()).sum())
}

/// Writes a number with its digits in groups of three.
pub(crate) fn group_digits(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::group_digits;

    #[test]
    fn digits_are_in_groups_of_three() {
        let texts = [0, 12, 123, 1234, 1_234_567].map(group_digits);
        assert_eq!(texts, ["0", "12", "123", "1,234", "1,234,567"]);
    }
}
