//! The bodies of the fuzzer over what it found before (`fuzz/corpus/`), and over bytes that no one has looked at: an ordinary test, so
//! that what once failed stays tested without the fuzzer. `cargo test --features fuzzing --test fuzz_corpus`.

#[path = "../fuzz/src/memory.rs"]
mod memory;

use std::path::PathBuf;

use cqlwire::fuzzing::{TARGETS, Target};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// The inputs of a target, by file name.
fn corpus(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target.name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let read = |entry: std::fs::DirEntry| (entry.file_name().to_string_lossy().into(), std::fs::read(entry.path()).unwrap());
    let mut inputs: Vec<_> = entries.map(|entry| read(entry.unwrap())).collect();
    inputs.sort();
    inputs
}

#[test]
fn what_was_found_before() {
    for target in TARGETS {
        let inputs = corpus(target);
        assert!(inputs.len() >= 10, "{}: only {} inputs", target.name, inputs.len());
        for (name, input) in inputs {
            println!("{} {name}", target.name); // shown when it fails
            memory::run(target, &input);
        }
    }
}

#[test]
fn bytes_that_are_near_to_those() {
    for target in TARGETS {
        let inputs: Vec<_> = corpus(target).into_iter().map(|(_, input)| input).collect();
        let damage = proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
        let tail = proptest::collection::vec(any::<u8>(), 0..40);
        let strategy = (prop::sample::select(inputs), damage, any::<prop::sample::Index>(), tail, any::<bool>());
        let config = Config { cases: 500, failure_persistence: None, ..Config::default() };
        let result = TestRunner::new(config).run(&strategy, |(mut input, damage, cut, tail, is_cut)| {
            for (at, byte) in damage.into_iter().filter(|_| !input.is_empty()).collect::<Vec<_>>() {
                let at = at.index(input.len());
                input[at] = byte;
            }
            if is_cut {
                input.truncate(cut.index(input.len() + 1));
                input.extend(tail);
            }
            memory::run(target, &input);
            Ok(())
        });
        result.unwrap_or_else(|error| panic!("{}: {error}", target.name));
    }
}

/// The body's own promise is held against memory, not only its assertions.
#[test]
#[should_panic(expected = "bytes of memory for 3 bytes")]
fn too_much_memory_is_a_failure() {
    let greedy = |input: &[u8]| {
        drop(std::hint::black_box(vec![1u8; 64 << 20]));
        input.len()
    };
    memory::run(&Target { name: "greedy", run: greedy, memory: 100 }, &[1, 2, 3]);
}
