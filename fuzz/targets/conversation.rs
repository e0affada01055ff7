//! See `seabattle_fuzz::conversation`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seabattle_fuzz::conversation(data));
