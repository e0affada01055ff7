//! See `seabattle_fuzz::records`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::records(data));
