//! The links and paths of every page exist, and the index of the documentation is complete.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::repository;

/// Folders with pages for people.
const FOLDERS: [&str; 6] = ["", "bots", "docs", "docs/decisions", "training", "crates/seabattle-render/font"];

/// Folders of the repository whose paths stand in backticks on pages.
const PATHS: [&str; 6] = ["crates/", "docs/", "fuzz/", "packaging/", "scripts/", "training/"];

/// All pages, as paths from the root of the repository.
fn pages() -> Vec<PathBuf> {
    let files = FOLDERS.iter().flat_map(|folder| {
        let entries = fs::read_dir(repository().join(folder)).unwrap();
        entries.map(|entry| Path::new(folder).join(entry.unwrap().file_name()))
    });
    files.filter(|file| file.extension().is_some_and(|kind| kind == "md")).collect()
}

/// The lines of a page that are not between fences.
fn prose(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(repository().join(page)).unwrap();
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.map(str::to_owned).collect()
}

/// The name by which a link finds a heading.
fn anchor(heading: &str) -> String {
    let anchor_letters =
        heading.trim_start_matches('#').trim().chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
    anchor_letters.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// What is wrong with a link of a page, if anything.
fn broken_link(page: &Path, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (file, wanted) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { page.to_owned() } else { page.parent()?.join(file) };
    if !repository().join(&target).exists() {
        return Some(format!("{} links {link}, which does not exist", page.display()));
    }
    let is_page = target.extension().is_some_and(|kind| kind == "md");
    let has_heading = || prose(&target).iter().filter(|line| line.starts_with('#')).any(|line| anchor(line) == wanted);
    (!wanted.is_empty() && is_page && !has_heading())
        .then(|| format!("{} links {link}, but there is no such heading", page.display()))
}

/// Whether a word is a path of the repository, and not a pattern.
fn is_path(word: &str) -> bool {
    PATHS.iter().any(|folder| word.starts_with(folder))
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
}

#[test]
fn every_link_leads_somewhere() {
    let mut links = 0;
    let mut broken = Vec::new();
    for page in pages() {
        for line in prose(&page) {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            broken.extend(targets.inspect(|_| links += 1).filter_map(|link| broken_link(&page, link)));
        }
    }
    assert!(links > 150, "only {links} links were found");
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_path_in_backticks_exists() {
    let mut paths = 0;
    let mut missing = Vec::new();
    for page in pages() {
        for line in prose(&page) {
            let quoted = line.split('`').skip(1).step_by(2).filter_map(|text| text.split_whitespace().next());
            for path in quoted.filter(|word| is_path(word)) {
                paths += 1;
                if !repository().join(path).exists() {
                    missing.push(format!("{} names {path}, which does not exist", page.display()));
                }
            }
        }
    }
    assert!(paths > 80, "only {paths} paths were found");
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_index_names_every_page_of_the_documentation() {
    let index = prose(Path::new("docs/README.md")).join("\n");
    let listed =
        |page: &Path| page.strip_prefix("docs").is_ok_and(|page| index.contains(&format!("({})", page.display())));
    let missing: Vec<PathBuf> = pages()
        .into_iter()
        .filter(|page| page.parent() == Some(Path::new("docs")) && !page.ends_with("README.md") && !listed(page))
        .collect();
    assert!(missing.is_empty(), "docs/README.md does not name {missing:?}");
}

/// The Rust sources of all crates, each with the name of its file.
fn sources() -> Vec<(String, String)> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(repository().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
                sources.push((stem, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    sources
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|other| other == word)
}

#[test]
fn every_item_of_the_library_on_the_pages_exists() {
    let sources = sources();
    let mut items = 0;
    let mut missing = Vec::new();
    for page in pages() {
        for line in prose(&page) {
            for text in line.split('`').skip(1).step_by(2) {
                let Some((owner, name)) = text.split_once("::").filter(|(owner, _)| !owner.contains(' ')) else {
                    continue;
                };
                let name = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
                items += 1;
                // `layout::uniform` is in a file of its module's name, `Fleet::answer` in one that names the type;
                // a crate is named as it is in `use`.
                let is_there = |(stem, source): &(String, String)| {
                    (stem == owner || has_word(source, owner) || owner.starts_with("seabattle_"))
                        && has_word(source, name)
                };
                if !sources.iter().any(is_there) {
                    missing.push(format!("{} names {text}, which does not exist", page.display()));
                }
            }
        }
    }
    assert!(items > 40, "only {items} items were found");
    assert!(missing.is_empty(), "{missing:#?}");
}
