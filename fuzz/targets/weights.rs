//! See `seabattle_fuzz::weights`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::weights(data));
