//! Random text as `order`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| resource_runtime::fuzzing::order(text));
