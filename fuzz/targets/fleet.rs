//! See `seabattle_fuzz::fleet`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::fleet(data));
