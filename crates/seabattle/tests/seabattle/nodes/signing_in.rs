//! The ways in which NATS wants to know who comes.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::site::{Node, free_port};
use crate::nats::Nats;
use crate::postgres::Database;
use crate::program::{command, folder, repository, stderr};

fn serves(store: &str, nats: &str, more: &[&str]) {
    let mut node = Node::begin(free_port(), store, nats, more);
    let first = node.says();
    assert!(first.contains("http://"), "{nats} {more:?}: {first}");
}

fn is_refused(store: &str, nats: &str) {
    let output = command(&["serve", "--addr", "127.0.0.1:0", "--store", store, "--nats", nats]).output().unwrap();
    let message = stderr(&output);
    assert!(message.contains("NATS does not accept the credentials") && !message.contains("wrong"), "{message}");
}

#[test]
fn nats_lets_in_whoever_it_knows() {
    let (Some(known), Some(database)) =
        (Nats::start(&["--user", "anna", "--pass", "s:e@cret"]), Database::start("sign"))
    else {
        return eprintln!("PostgreSQL or nats-server is not installed here: this is not tested");
    };
    let store = database.address();
    serves(&store, &format!("nats://anna:s%3Ae%40cret@127.0.0.1:{}", known.port), &[]);
    is_refused(&store, &format!("nats://anna:wrong@127.0.0.1:{}", known.port));
    is_refused(&store, &known.address());
    let with_token = Nats::start(&["--auth", "open-sesame"]).unwrap();
    serves(&store, &format!("nats://open-sesame@127.0.0.1:{}", with_token.port), &[]);
    is_refused(&store, &format!("nats://wrong@127.0.0.1:{}", with_token.port));
    with_a_file_of_credentials(&store);
    over_tls(&store);
}

/// With a certificate that only we trust.
fn over_tls(store: &str) {
    let folder = folder("nodes-tls");
    let path = |name: &str| folder.join(name).display().to_string();
    let (key, certificate) = (path("key.pem"), path("certificate.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", &key, "-out", &certificate])
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        return eprintln!("openssl is not installed here: TLS is not tested");
    }
    let nats = Nats::start(&["--tls", "--tlscert", &certificate, "--tlskey", &key]).unwrap();
    let address = format!("tls://localhost:{}", nats.port);
    let serve =
        ["serve", "--addr", "127.0.0.1:0", "--store", store, "--nats", &address, "--log-format", "off", "--wait", "1s"];
    let output = command(&serve).output().unwrap();
    assert!(stderr(&output).contains("cannot use NATS"), "nobody trusts that certificate: {output:?}");
    let mut trusting = command(&serve);
    let mut trusting = trusting.env("SSL_CERT_FILE", &certificate).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(trusting.stderr.take().unwrap()).read_line(&mut first).unwrap();
    trusting.kill().unwrap();
    trusting.wait().unwrap();
    assert!(first.contains("http://"), "{first}");
}

fn with_a_file_of_credentials(store: &str) {
    let files = repository().join("crates/seabattle/tests/nats");
    let path = |name: &str| files.join(name).display().to_string();
    let nats = Nats::start(&["-c", &path("operator.conf")]).unwrap();
    serves(store, &nats.address(), &["--nats-creds", &path("user.creds")]);
    is_refused(store, &nats.address());
    let output = command(&["serve", "--store", store, "--nats", &nats.address(), "--nats-creds", "/nowhere"]).output();
    let message = stderr(&output.unwrap());
    assert!(message.contains("cannot use the credentials in /nowhere"), "{message}");
}
