//! This crate against two others that speak the protocol, `scylla-cql` (v4) and `cassandra-protocol` (v3 to v5): they read what we
//! write and we read what they write, over random messages, frames and values. What they cannot say, or say wrongly, is in the one
//! table of `known.rs`, and shown there; each test says which rows it met, so that none stays unseen.

#[path = "../support/mod.rs"]
mod support;

mod cp_requests;
mod cp_responses;
mod cp_values;
mod frame_table;
mod frames;
mod known;
mod requests;
mod responses;
mod sc_requests;
mod sc_responses;
mod sc_types;
mod sc_values;
mod scylla;
mod values;

use cqlwire::message::{Request, Response};
use cqlwire::spec::Dialect;
use cqlwire::wire::Writer;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Runs `test` on that many values. The same ones each time, so that a test can count on having met its known cases.
fn for_each<S: Strategy>(cases: usize, strategy: S, mut test: impl FnMut(S::Value)) {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    for _ in 0..cases {
        test(strategy.new_tree(&mut runner).unwrap().current());
    }
}

/// The body of a request as this crate writes it.
fn request_body(request: &Request<'_>, dialect: Dialect) -> Vec<u8> {
    let mut w = Writer::new();
    request.encode(&mut w, dialect).unwrap_or_else(|error| panic!("{error}: {request:?}"));
    w.into_bytes()
}

/// The body of a response as this crate writes it.
fn response_body(response: &Response<'_>, dialect: Dialect) -> Vec<u8> {
    let mut w = Writer::new();
    response.encode(&mut w, dialect).unwrap_or_else(|error| panic!("{error}: {response:?}"));
    w.into_bytes()
}
