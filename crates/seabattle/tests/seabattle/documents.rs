//! What the documents show is true: their commands run, their records are read.

use std::fs;
use std::process::Command;

use seabattle_core::Record;

use crate::program::{folder, repository, run_command, stderr, stdout};

/// The texts between fences of one language.
fn fenced<'a>(document: &'a str, language: &'a str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    let blocks = document.split(&fence).skip(1);
    blocks.map(|block| block.split("```").next().unwrap_or_default()).collect()
}

fn document(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap()
}

/// Runs every command that a page shows, in order, in a folder of its own.
///
/// `seabattle` and `cargo run --release` mean the program under test, `scripts/test` only shows its plan:
/// it is what runs this test. Other scripts are those of the repository.
fn run_commands_of(page: &str) {
    let folder = folder(&format!("commands-of-{}", page.replace('/', "-")));
    for shown in ["bots", "docs"] {
        std::os::unix::fs::symlink(repository().join(shown), folder.join(shown)).unwrap();
    }
    let program = env!("CARGO_BIN_EXE_seabattle");
    let prelude = format!(
        "set -euo pipefail\n\
         seabattle() {{ '{program}' \"$@\"; }}\n\
         cargo() {{ case \"$1 $2\" in 'run --release') shift 2;; 'install --path') return 0;; *) return 1;; esac\n\
         [ \"${{1-}}\" != -- ] || shift; seabattle \"$@\"; }}\n"
    );
    let text = document(page);
    let blocks = fenced(&text, "sh");
    assert!(!blocks.is_empty(), "{page} shows commands");
    for block in blocks {
        let scripts = repository().join("scripts");
        let block = block.replace("scripts/test", "scripts/test --plan");
        let block = block.replace("scripts/", &format!("{}/", scripts.display()));
        let script = format!("{prelude}{block}");
        let output = run_command(Command::new("bash").args(["-c", &script]).current_dir(&folder), b"");
        assert!(output.status.success(), "{page}\n{block}\n{}\n{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn the_commands_of_the_readme_run() {
    run_commands_of("README.md");
}

#[test]
fn the_commands_of_the_documentation_run() {
    for page in ["docs/bench.md", "docs/odds.md", "docs/play.md", "docs/sources.md"] {
        run_commands_of(page);
    }
}

#[test]
fn the_commands_for_authors_of_bots_run() {
    run_commands_of("docs/protocol.md");
    run_commands_of("bots/README.md");
}

#[test]
fn the_records_in_the_documents_are_read() {
    let text = document("docs/record.md");
    let records = fenced(&text, "record");
    assert!(records.len() >= 3);
    for record in records {
        let parsed: Record = record.parse().unwrap_or_else(|error| panic!("{error}\n{record}"));
        assert_eq!(parsed.to_string(), record, "the document shows what the program prints");
    }
    for (broken, reason) in fenced(&text, "broken").into_iter().map(|block| block.split_once("---\n").unwrap()) {
        let error = broken.parse::<Record>().expect_err(broken);
        assert_eq!(error.to_string(), reason.trim());
    }
}

#[test]
fn the_position_lines_in_the_documents_are_read() {
    let text = document("docs/record.md");
    let lines: Vec<&str> = fenced(&text, "position").into_iter().flat_map(str::lines).collect();
    assert!(lines.len() >= 3);
    for line in lines {
        let knowledge: seabattle_core::Knowledge = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(knowledge.to_string(), line);
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let (manifest, reasons) = (document("Cargo.toml"), document("ARCHITECTURE.md"));
    let manifest: toml::Table = manifest.parse().unwrap();
    let dependencies = manifest["workspace"]["dependencies"].as_table().unwrap();
    for name in dependencies.keys().filter(|name| !name.starts_with("seabattle-")) {
        assert!(reasons.contains(&format!("`{name}`")), "ARCHITECTURE.md does not say what {name} is for");
    }
}

#[test]
fn alerts_are_about_metrics_that_there_are() {
    let (operations, source) = (document("docs/operations.md"), document("crates/seabattle-server/src/metrics.rs"));
    let is_part = |c: char| c.is_ascii_lowercase() || c == '_';
    let names: Vec<&str> = operations
        .match_indices("seabattle_")
        .map(|(at, _)| operations[at..].split(|c| !is_part(c)).next().unwrap_or_default())
        .collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        let bare = name.trim_start_matches("seabattle_").trim_end_matches("_total").trim_end_matches("_bucket");
        assert!(source.contains(&format!("\"{bare}\"")), "no metric is called {name}");
    }
}
