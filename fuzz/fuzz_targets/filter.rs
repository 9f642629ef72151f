//! Fuzz target: random text as the parameter `filter`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| resource_runtime::fuzzing::filter(text));
