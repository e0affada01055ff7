//! The stored results of tuning the layout chooser, as `examples/placing` prints them.

use seabattle_core::Rules;

use super::Tuning;

/// A block for each of some rules. Its first line has the rules. The others have the packing, or for each informed
/// shooter the weight of every orbit.
const STORED: &str = include_str!("stored_tuning.txt");

/// The stored tuning for rules with the same board, fleet and touching. Turns and announcements make no difference.
pub(super) fn tuning(rules: &Rules) -> Tuning {
    let mut blocks = STORED.split("\n\n").filter_map(|block| block.split_once('\n'));
    let matches = |name: &str| name.parse::<Rules>().is_ok_and(|stored_rules| is_same_placement(&stored_rules, rules));
    let lines = blocks.find(|(name, _)| matches(name)).map_or("", |(_, lines)| lines);
    let packing = lines.lines().find_map(|line| weight(line.strip_prefix("packing ")?));
    let informed_shooters = lines.lines().filter_map(|line| weights(line.strip_prefix("shooter ")?));
    Tuning { packing, informed_shooters: informed_shooters.collect() }
}

fn is_same_placement(a: &Rules, b: &Rules) -> bool {
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
    use super::tuning;
    use crate::parts::placing::Tuning;
    use crate::parts::placing::placement_index::PlacementIndex;
    use seabattle_core::Rules;

    #[test]
    fn common_rules_have_a_stored_tuning() {
        for text in ["classic", "salvo", "classic,touching=forbidden"] {
            let rules: Rules = text.parse().unwrap();
            let Tuning { packing, informed_shooters } = tuning(&rules);
            let orbits = PlacementIndex::new(&rules).unwrap().orbits();
            assert!(packing.is_none() && informed_shooters.len() > 3, "{text}");
            assert!(informed_shooters.iter().all(|shooter| shooter.len() == orbits), "{text}");
        }
        for text in ["russian", "russian,turn=alternate"] {
            let Tuning { packing, informed_shooters } = tuning(&text.parse().unwrap());
            assert!(packing.is_some_and(|packing| packing < 1.0) && informed_shooters.is_empty(), "{text}");
        }
        for text in ["8x8:4,3,2", "russian,touching=corners", "10x10:5,4,3,2"] {
            assert_eq!(tuning(&text.parse().unwrap()), Tuning::default(), "{text}");
        }
    }
}
