//! Fuzz target: random text as the parameter `order`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| resource_runtime::fuzzing::order(text));
