//! What shooters have learnt of the mixture while it was tuned, as `examples/placing.rs` prints it.

use seabattle_core::Rules;

use super::{Mixture, Pull};

/// For each rules a line with its name; then, if layouts are drawn under a pull, a line with that; then for every shooter
/// what a place of each kind weighs.
const STORED: &str = include_str!("stored.txt");

/// What is stored for rules that place ships alike; turns and answers make no difference.
pub(super) fn mixture(rules: &Rules) -> Mixture {
    let mut blocks = STORED.split("\n\n").filter_map(|block| block.split_once('\n'));
    let alike = |name: &str| name.parse::<Rules>().is_ok_and(|known| places_alike(&known, rules));
    let lines = blocks.find(|(name, _)| alike(name)).map_or("", |(_, lines)| lines);
    let pull = lines.lines().find_map(|line| pull(line.strip_prefix("pull ")?));
    let knowing = lines.lines().filter_map(|line| weights(line.strip_prefix("knows ")?));
    Mixture { pull, knowing: knowing.collect() }
}

fn places_alike(a: &Rules, b: &Rules) -> bool {
    let fleet = |rules: &Rules| -> Vec<(u8, u16)> {
        rules.classes().iter().map(|class| (class.length(), class.count())).collect()
    };
    a.size() == b.size() && a.touching() == b.touching() && fleet(a) == fleet(b)
}

fn pull(text: &str) -> Option<Pull> {
    let [near, near_long, ref kinds @ ..] = *weights(text)? else {
        return None;
    };
    Some(Pull { near, near_long, kinds: kinds.to_vec() })
}

fn weights(text: &str) -> Option<Vec<f64>> {
    let weight = |text: &str| text.parse::<f64>().ok().filter(|weight| weight.is_finite() && *weight > 0.0);
    text.split_whitespace().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::mixture;
    use crate::placing::Mixture;
    use crate::placing::chart::Chart;
    use seabattle_core::Rules;

    #[test]
    fn the_best_known_rules_are_stored() {
        for text in ["classic", "salvo", "classic,touching=forbidden", "russian", "russian,turn=alternate"] {
            let rules: Rules = text.parse().unwrap();
            let mixture = mixture(&rules);
            assert!(mixture.knowing.len() > 3, "{text}");
            let kinds = Chart::new(&rules).unwrap().kinds();
            let pulled = mixture.pull.iter().map(|pull| &pull.kinds);
            assert!(mixture.knowing.iter().chain(pulled).all(|shooter| shooter.len() == kinds), "{text}");
        }
        for text in ["8x8:4,3,2", "russian,touching=corners", "10x10:5,4,3,2"] {
            assert_eq!(mixture(&text.parse().unwrap()), Mixture::default(), "{text}");
        }
    }
}
