//! See `seabattle_fuzz::position`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::position(data));
