//! Nodes that start before what they need, or with what cannot be.

use super::site::{Node, Services, free_port};
use crate::program::{command, folder, stderr};

#[test]
fn a_node_waits_for_its_services_with_a_limit() {
    let Some(mut services) = Services::start("waiting") else { return };
    services.database.stop();
    services.nats.stop();
    let (store, nats) = (services.database.address(), services.nats.address());
    let mut node = Node::begin(free_port(), &store, &nats, &["--wait", "60s"]);
    let waiting = node.says();
    assert!(waiting.contains("PostgreSQL does not answer") && waiting.contains("up to 60s"), "{waiting}");
    services.database.resume();
    let waiting = node.says();
    assert!(waiting.contains("NATS does not answer") && waiting.contains("--wait"), "{waiting}");
    assert!(services.nats.resume());
    let serving = node.says();
    assert!(serving.contains("http://"), "{serving}");
    let message = refused(&["--store", &store, "--nats", &format!("nats://127.0.0.1:{}", free_port())]);
    assert!(message.contains("cannot use NATS") && message.contains("NATS does not answer"), "{message}");
    let message = refused(&["--store", &store, "--nats", "http://127.0.0.1"]);
    assert!(message.contains("is not an address of NATS"), "{message}");
}

fn refused(args: &[&str]) -> String {
    let output = command(&[&["serve", "--log-format", "off", "--wait", "500ms"], args].concat()).output().unwrap();
    assert!(!output.status.success());
    stderr(&output)
}

#[test]
fn what_cannot_be_is_told() {
    let nowhere = format!("postgres://127.0.0.1:{}/none", free_port());
    let message = refused(&["--store", &nowhere]);
    assert!(message.contains("cannot open the store") && message.contains("PostgreSQL does not answer"), "{message}");
    let file = folder("nodes-alone").join("games.db").display().to_string();
    let message = refused(&["--store", &file, "--nats", "nats://127.0.0.1:1"]);
    assert!(message.contains("only a PostgreSQL store can be shared"), "{message}");
}
