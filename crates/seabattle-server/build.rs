//! Embeds the files of the page, each with a compressed copy and a tag that changes with its content.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::Path;
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

const KINDS: [&str; 4] = ["html", "js", "css", "svg"];

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let folder = Path::new(&root).join("page");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let is_part = path.extension().and_then(|kind| kind.to_str()).is_some_and(|kind| KINDS.contains(&kind));
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| is_part) else { continue };
        let plain = fs::read(&path)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&plain)?;
        let compressed = Path::new(&out).join(format!("{name}.gz"));
        fs::write(&compressed, encoder.finish()?)?;
        let mut hasher = DefaultHasher::new();
        plain.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        entries.push(format!(
            "PageFile {{ name: {name:?}, plain: include_bytes!({path:?}), gzip: include_bytes!({compressed:?}), tag: {tag:?} }},\n"
        ));
    }
    entries.sort();
    fs::write(Path::new(&out).join("page.rs"), format!("static FILES: &[PageFile] = &[\n{}];\n", entries.concat()))
}
