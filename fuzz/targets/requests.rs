//! See `seabattle_fuzz::requests`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::requests(data));
