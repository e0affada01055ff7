//! See `seabattle_fuzz::live`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::live(data));
