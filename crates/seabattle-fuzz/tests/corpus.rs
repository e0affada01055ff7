//! What fuzzing has found interesting so far, tried again; each input takes bounded time.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use seabattle_fuzz::TARGETS;

/// Generous: debug builds on machines that have other things to do.
const LONGEST: Duration = Duration::from_secs(20);

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn all_that_was_found_interesting_holds() {
    for (name, target) in TARGETS {
        let inputs = files(&fuzz().join("corpus").join(name));
        assert!(!inputs.is_empty(), "{name} has no corpus");
        for input in inputs {
            let data = fs::read(&input).unwrap();
            println!("{}", input.display());
            let begun = Instant::now();
            target(&data);
            assert!(begun.elapsed() < LONGEST, "{} takes too long", input.display());
        }
    }
}

#[test]
fn every_function_has_its_fuzz_target() {
    let names = |folder: &str| -> BTreeSet<String> {
        let stem = |file: &PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
        files(&fuzz().join(folder)).iter().map(stem).collect()
    };
    let wanted: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names("targets"), wanted);
    assert_eq!(names("corpus"), wanted);
}
