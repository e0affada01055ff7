//! The files of a network's weights and of a judge's.

use seabattle_core::{Knowledge, Rules};
use seabattle_network::{Judge, Network};

/// Whatever the weights are, the network looks where ships may be and nowhere else, and a judge foretells no fewer than no misses.
pub fn weights(data: &[u8]) {
    if let Ok(judge) = Judge::read(data) {
        let misses = judge.misses(&Knowledge::new(&Rules::classic()));
        assert!(misses.is_none_or(|misses| misses >= 0.0));
    }
    let Ok(network) = Network::read(data) else { return };
    for rules in ["classic", "russian", "classic,touching=forbidden", "4x4:3,2", "1x1:1"] {
        let rules: Rules = rules.parse().expect("rules");
        let known = Knowledge::new(&rules);
        let seen = network.look(&known);
        assert!(seen.is_none() || network.plays(&rules));
        if let Some(best) = seen.and_then(|seen| seen.best(|_| true)) {
            assert!(known.open().contains(best));
        }
    }
}
