//! See `seabattle_fuzz::typed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::typed(data));
