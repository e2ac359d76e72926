//! What the targets share: the bodies are in `cqlwire::fuzzing`, this measures their memory.

pub mod memory;

pub use libfuzzer_sys::fuzz_target;

/// The fuzzer's entry for the body of this name.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        $crate::fuzz_target!(|input: &[u8]| {
            static TARGET: std::sync::LazyLock<&'static cqlwire::fuzzing::Target> =
                std::sync::LazyLock::new(|| cqlwire::fuzzing::target($name).expect("a target of this name"));
            $crate::memory::run(&TARGET, input);
        });
    };
}
