//! What shooters have learnt of the mixture while it was tuned, as `examples/placing` prints it, or how tightly ships are packed.

use seabattle_core::Rules;

use super::Mixture;

/// For each rules a line with its name; then how tightly layouts are packed, or for every shooter what a place of each kind
/// weighs.
const STORED: &str = include_str!("tuned.txt");

/// What is stored for rules that place ships alike; turns and answers make no difference.
pub(super) fn mixture(rules: &Rules) -> Mixture {
    let mut blocks = STORED.split("\n\n").filter_map(|block| block.split_once('\n'));
    let alike = |name: &str| name.parse::<Rules>().is_ok_and(|known| places_alike(&known, rules));
    let lines = blocks.find(|(name, _)| alike(name)).map_or("", |(_, lines)| lines);
    let packing = lines.lines().find_map(|line| weight(line.strip_prefix("packing ")?));
    let informed = lines.lines().filter_map(|line| weights(line.strip_prefix("knows ")?));
    Mixture { packing, informed: informed.collect() }
}

fn places_alike(a: &Rules, b: &Rules) -> bool {
    let fleet = |rules: &Rules| -> Vec<(u8, u16)> {
        rules.classes().iter().map(|class| (class.length(), class.count())).collect()
    };
    a.size() == b.size() && a.touching() == b.touching() && fleet(a) == fleet(b)
}

fn weights(text: &str) -> Option<Vec<f64>> {
    text.split_whitespace().map(weight).collect()
}

fn weight(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|weight| weight.is_finite() && *weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::mixture;
    use crate::parts::placing::Mixture;
    use crate::parts::placing::placement_index::PlacementIndex;
    use seabattle_core::Rules;

    #[test]
    fn the_best_known_rules_are_stored() {
        for text in ["classic", "salvo", "classic,touching=forbidden"] {
            let rules: Rules = text.parse().unwrap();
            let Mixture { packing, informed } = mixture(&rules);
            let kinds = PlacementIndex::new(&rules).unwrap().kinds();
            assert!(packing.is_none() && informed.len() > 3, "{text}");
            assert!(informed.iter().all(|shooter| shooter.len() == kinds), "{text}");
        }
        for text in ["russian", "russian,turn=alternate"] {
            let Mixture { packing, informed } = mixture(&text.parse().unwrap());
            assert!(packing.is_some_and(|packing| packing < 1.0) && informed.is_empty(), "{text}");
        }
        for text in ["8x8:4,3,2", "russian,touching=corners", "10x10:5,4,3,2"] {
            assert_eq!(mixture(&text.parse().unwrap()), Mixture::default(), "{text}");
        }
    }
}
