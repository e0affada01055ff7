//! Files of network weights: policy networks and value networks.

use seabattle_core::{Knowledge, Rules};
use seabattle_network::{PolicyNetwork, ValueNetwork};

/// Reads bytes as a file of weights. A policy network that can be read chooses only cells that may hold a ship, and a
/// value network never expects fewer than no misses.
pub fn weights(data: &[u8]) {
    if let Ok(value_network) = ValueNetwork::read(data) {
        let misses = value_network.expected_misses(&Knowledge::new(&Rules::classic()));
        assert!(misses.is_none_or(|misses| misses >= 0.0));
    }
    let Ok(network) = PolicyNetwork::read(data) else { return };
    for rules in ["classic", "russian", "classic,touching=forbidden", "4x4:3,2", "1x1:1"] {
        let rules: Rules = rules.parse().expect("rules");
        let known = Knowledge::new(&rules);
        let output = network.evaluate(&known);
        assert!(output.is_none() || network.supports(&rules));
        if let Some(best) = output.and_then(|output| output.best(|_| true)) {
            assert!(known.open().contains(best));
        }
    }
}
