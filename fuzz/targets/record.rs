//! See `seabattle_fuzz::record`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::record(data));
