//! Lists the files of the page, so that each is embedded in the program.

use std::path::Path;
use std::{env, fs, io};

const KINDS: [&str; 4] = ["html", "js", "css", "svg"];

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let folder = Path::new(&root).join("page");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let is_part = path.extension().and_then(|kind| kind.to_str()).is_some_and(|kind| KINDS.contains(&kind));
        let name = path.file_name().and_then(|name| name.to_str()).filter(|_| is_part);
        names.extend(name.map(|name| (name.to_owned(), path.display().to_string())));
    }
    names.sort();
    let entries: Vec<String> =
        names.iter().map(|(name, path)| format!("({name:?}, include_bytes!({path:?})),\n")).collect();
    let code = format!("static FILES: &[(&str, &[u8])] = &[\n{}];\n", entries.concat());
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("page.rs"), code)
}
