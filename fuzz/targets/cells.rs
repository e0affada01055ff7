//! See `seabattle_fuzz::cells`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::cells(data));
