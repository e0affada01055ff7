//! See `seabattle_fuzz::orders`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::orders(data));
