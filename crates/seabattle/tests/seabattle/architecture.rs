//! ARCHITECTURE.md is true: its picture shows every dependency edge, and every path it names exists.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::program::{repository, run_command, stderr, stdout};

/// A crate, and a crate it uses.
type Edge = (String, String);

fn architecture() -> String {
    std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap()
}

/// A crate as the picture names it.
fn short(name: &str) -> String {
    name.strip_prefix("seabattle-").unwrap_or(name).to_owned()
}

/// The nodes and edges of a mermaid graph with lines such as `a --> b & c`.
fn drawn(picture: &str) -> (BTreeSet<String>, BTreeSet<Edge>) {
    let (mut nodes, mut edges) = (BTreeSet::new(), BTreeSet::new());
    for line in picture.lines().skip(1).map(str::trim).filter(|line| !line.is_empty()) {
        let (from, to) = line.split_once(" --> ").unwrap_or((line, ""));
        nodes.insert(from.to_owned());
        for to in to.split(" & ").filter(|to| !to.is_empty()) {
            nodes.insert(to.to_owned());
            edges.insert((from.to_owned(), to.to_owned()));
        }
    }
    (nodes, edges)
}

/// The crates of the workspace, and which uses which; dependencies of tests and build scripts are left out.
fn real() -> (BTreeSet<String>, BTreeSet<Edge>) {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(repository());
    let output = run_command(&mut cargo, b"");
    assert!(output.status.success(), "{}", stderr(&output));
    let metadata: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let nodes: BTreeSet<String> = packages.iter().map(|package| short(package["name"].as_str().unwrap())).collect();
    let mut edges = BTreeSet::new();
    for package in packages {
        let from = short(package["name"].as_str().unwrap());
        for dependency in package["dependencies"].as_array().unwrap() {
            let to = short(dependency["name"].as_str().unwrap());
            if dependency["kind"].is_null() && nodes.contains(&to) {
                edges.insert((from.clone(), to));
            }
        }
    }
    (nodes, edges)
}

#[test]
fn the_picture_shows_every_dependency() {
    let text = architecture();
    let picture = text.split("```mermaid\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let ((drawn_nodes, drawn_edges), (nodes, edges)) = (drawn(picture), real());
    assert_eq!(drawn_nodes, nodes, "crates in ARCHITECTURE.md, and in the workspace");
    let missing: Vec<_> = edges.difference(&drawn_edges).collect();
    let invented: Vec<_> = drawn_edges.difference(&edges).collect();
    assert!(missing.is_empty() && invented.is_empty(), "draw {missing:?}, and remove {invented:?}");
}

/// Whether a text in backticks is meant as a path of the repository.
fn is_path(text: &str) -> bool {
    const KINDS: [&str; 10] = ["rs", "md", "js", "ts", "json", "css", "toml", "txt", "svg", "gif"];
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let extension = Path::new(text).extension().and_then(|kind| kind.to_str());
    plain && !text.starts_with('/') && (text.contains('/') || extension.is_some_and(|kind| KINDS.contains(&kind)))
}

#[test]
fn every_path_exists() {
    let mut named = 0;
    // Sections about a crate name paths inside it.
    let mut crates: Vec<String> = Vec::new();
    for line in architecture().lines() {
        if let Some(heading) = line.strip_prefix('#') {
            let words = heading.split_whitespace().filter(|word| word.starts_with("seabattle"));
            crates = words.map(|name| format!("crates/{name}")).collect();
        }
        for path in line.split('`').skip(1).step_by(2).filter(|text| is_path(text)) {
            named += 1;
            let inside = crates.iter().flat_map(|folder| [format!("{folder}/{path}"), format!("{folder}/src/{path}")]);
            let exists = std::iter::once(path.to_owned()).chain(inside).any(|path| repository().join(path).exists());
            assert!(exists, "ARCHITECTURE.md names {path}, which does not exist: {line}");
        }
        for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            named += 1;
            let file = link.split('#').next().unwrap_or(link);
            assert!(repository().join(file).exists(), "ARCHITECTURE.md links {link}, which does not exist");
        }
    }
    assert!(named > 100, "only {named} paths were found");
}
