//! See `seabattle_fuzz::replies`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::replies(data));
