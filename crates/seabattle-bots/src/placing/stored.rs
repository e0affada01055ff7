//! What shooters have learnt of the mixture while it was tuned, as `examples/placing.rs` prints it.

use seabattle_core::Rules;

/// For each rules a line with its name, then one shooter a line: what a place of each kind weighs.
const STORED: &str = include_str!("stored.txt");

/// The shooters stored for rules that place ships alike; turns and answers make no difference.
pub(super) fn shooters(rules: &Rules) -> Vec<Vec<f64>> {
    let mut blocks = STORED.split("\n\n").filter_map(|block| block.split_once('\n'));
    let alike = |name: &str| name.parse::<Rules>().is_ok_and(|known| places_alike(&known, rules));
    let lines = blocks.find(|(name, _)| alike(name)).map_or("", |(_, lines)| lines);
    lines.lines().filter_map(parse).collect()
}

fn places_alike(a: &Rules, b: &Rules) -> bool {
    let fleet = |rules: &Rules| -> Vec<(u8, u16)> {
        rules.classes().iter().map(|class| (class.length(), class.count())).collect()
    };
    a.size() == b.size() && a.touching() == b.touching() && fleet(a) == fleet(b)
}

fn parse(line: &str) -> Option<Vec<f64>> {
    let weight = |text: &str| text.parse::<f64>().ok().filter(|weight| weight.is_finite() && *weight > 0.0);
    line.split_whitespace().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::shooters;
    use crate::placing::chart::Chart;
    use seabattle_core::Rules;

    #[test]
    fn the_best_known_rules_are_stored() {
        for text in ["classic", "salvo", "classic,touching=forbidden", "russian", "russian,turn=alternate"] {
            let rules: Rules = text.parse().unwrap();
            let shooters = shooters(&rules);
            assert!(shooters.len() > 3, "{text}");
            let kinds = Chart::new(&rules).unwrap().kinds();
            assert!(shooters.iter().all(|shooter| shooter.len() == kinds), "{text}");
        }
        for text in ["8x8:4,3,2", "russian,touching=corners", "10x10:5,4,3,2"] {
            assert!(shooters(&text.parse().unwrap()).is_empty(), "{text}");
        }
    }
}
