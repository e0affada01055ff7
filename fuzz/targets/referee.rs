//! See `seabattle_fuzz::referee`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::referee(data));
