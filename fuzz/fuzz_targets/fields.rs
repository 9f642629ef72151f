//! Fuzz target: random text as the parameter `fields`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| resource_runtime::fuzzing::fields(text));
