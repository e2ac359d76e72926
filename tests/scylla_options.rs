//! ScyllaDB's extensions (scylladb/scylladb `docs/dev/protocol-extensions.md`): what SUPPORTED says, what STARTUP asks for, and what is
//! agreed then. Options and numbers without another note are those of the tests of ScyllaDB's own drivers.

mod support;

use cqlwire::message::*;
use cqlwire::spec::{Dialect, Features, Opcode, Version};
use cqlwire::wire::{Reader, Writer};
use support::dialects;
use support::scylla::{OFFERED, Options, newest_node, node};

#[test]
fn what_a_node_says_of_itself() {
    let supported = Supported { options: newest_node() };
    let said = ScyllaOptions {
        shard: Some(0),
        nr_shards: Some(12),
        sharding_ignore_msb: Some(12),
        sharding_algorithm: Some("biased-token-round-robin"),
        partitioner: Some("org.apache.cassandra.dht.Murmur3Partitioner"),
        shard_aware_port: Some(19042),
        shard_aware_port_ssl: Some(19142),
        host_id: Some("00112233-4455-6677-8899-aabbccddeeff"),
        features: OFFERED,
    };
    assert_eq!(supported.scylla(), said);
    assert_eq!(said.sharding(), Some((12, 12)));
    // Also through bytes, with the options as they were, and none taken away.
    for dialect in dialects("345x") {
        let mut w = Writer::new();
        supported.encode(&mut w).unwrap();
        let bytes = w.into_bytes();
        let Ok(Response::Supported(read)) = Response::decode(Opcode::Supported, &mut Reader::new(&bytes), dialect) else { panic!() };
        assert_eq!((&read, read.scylla()), (&supported, said.clone()));
    }

    let said = Supported { options: node() }.scylla();
    assert_eq!((said.shard_aware_port_ssl, said.host_id), (None, None));
    assert_eq!(said.features, Features { metadata_id: false, ..OFFERED });

    let cassandra =
        Supported { options: vec![("COMPRESSION", vec!["lz4"]), ("CQL_VERSION", vec!["3.0.0"]), ("PROTOCOL_VERSIONS", vec![])] };
    assert_eq!(cassandra.scylla(), ScyllaOptions::default());
    assert_eq!(cassandra.startup_options(Dialect::new(Version::V4)), []);
}

/// The node's options with the values of one changed (or the option taken away), and what it then says.
fn with<'a>(key: &'static str, values: Option<Vec<&'a str>>) -> ScyllaOptions<'a> {
    let mut options: Options<'a> = newest_node();
    let at = options.iter().position(|(name, _)| *name == key).unwrap_or_else(|| panic!("{key}"));
    match values {
        Some(values) => options[at].1 = values,
        None => drop(options.remove(at)),
    }
    Supported { options }.scylla()
}

#[test]
fn a_number_that_makes_no_sense_is_absent_and_takes_nothing_with_it() {
    let usual = || Supported { options: newest_node() }.scylla();
    let nonsense = ["", " ", "x", "-1", "-0", "+1", "1.0", "1e1", "0x1", "1 ", " 1", "1\0", "1,2", "٣", "18446744073709551616"];
    let none: [Option<Vec<&str>>; 2] = [None, Some(vec![])];
    type Set = for<'a> fn(&mut ScyllaOptions<'a>, Option<u16>);
    let set_shard: Set = |said, number| said.shard = number;
    let set_count: Set = |said, number| said.nr_shards = number;
    let set_bits: Set = |said, number| said.sharding_ignore_msb = number.map(|bits| bits as u8);
    let set_port: Set = |said, number| said.shard_aware_port = number;
    let set_ssl: Set = |said, number| said.shard_aware_port_ssl = number;
    for (key, set, too_much, good) in [
        ("SCYLLA_SHARD", set_shard, &["12", "65535", "65536"][..], &[("0", 0), ("11", 11), ("007", 7)][..]),
        ("SCYLLA_NR_SHARDS", set_count, &["0", "65536"], &[("1", 1), ("65535", 65_535)]),
        ("SCYLLA_SHARDING_IGNORE_MSB", set_bits, &["64", "256"], &[("0", 0), ("63", 63)]),
        ("SCYLLA_SHARD_AWARE_PORT", set_port, &["0", "65536"], &[("1", 1), ("65535", 65_535)]),
        ("SCYLLA_SHARD_AWARE_PORT_SSL", set_ssl, &["0", "65536"], &[("19142", 19_142)]),
    ] {
        let bad = none.iter().cloned().chain(nonsense.iter().chain(too_much).map(|value| Some(vec![*value])));
        for values in bad {
            let mut expected = usual();
            set(&mut expected, None);
            assert_eq!(with(key, values.clone()), expected, "{key} {values:?}");
            // A second value does not stand in for the first.
            let Some(mut values) = values.filter(|values| !values.is_empty()) else { continue };
            values.push("1");
            assert_eq!(with(key, Some(values.clone())), expected, "{key} {values:?}");
        }
        for (text, number) in good {
            let mut expected = usual();
            set(&mut expected, Some(*number));
            assert_eq!(with(key, Some(vec![text])), expected, "{key} {text}");
            assert_eq!(with(key, Some(vec![text, "x", "3"])), expected, "{key} {text}");
        }
    }
    // Without a number of shards, any shard may be.
    assert_eq!(Supported { options: vec![("SCYLLA_SHARD", vec!["65535"])] }.scylla().shard, Some(65_535));
}

#[test]
fn a_text_that_makes_no_sense_is_absent() {
    for key in ["SCYLLA_PARTITIONER", "SCYLLA_SHARDING_ALGORITHM"] {
        for values in [None, Some(vec![]), Some(vec![""])] {
            assert_eq!(with(key, values).sharding(), None, "{key}");
        }
        let said = with(key, Some(vec!["another"]));
        assert_eq!((said.sharding(), said.nr_shards), (None, Some(12)), "{key}");
    }
    assert_eq!(with("SCYLLA_PARTITIONER", Some(vec![""])).partitioner, None);
    assert_eq!(with("SCYLLA_PARTITIONER", Some(vec!["another"])).partitioner, Some("another"));
    assert_eq!(with("SCYLLA_NR_SHARDS", None).sharding(), None);
    assert_eq!(with("SCYLLA_SHARDING_IGNORE_MSB", None).sharding(), None);
    let upper = "00112233-4455-6677-8899-AABBCCDDEEFF";
    assert_eq!(with("SCYLLA_HOST_ID", Some(vec![upper])).host_id, Some(upper));
    for id in [
        "",
        "127.0.0.1",
        "00112233445566778899aabbccddeeff",
        "00112233-4455-6677-8899-aabbccddeefg",
        "00112233-4455-6677-8899-aabbccddeeff0",
    ] {
        assert_eq!(with("SCYLLA_HOST_ID", Some(vec![id])).host_id, None, "{id}");
    }
}

#[test]
fn keys_are_looked_for_as_they_are_written_and_the_first_one_counts() {
    let options = vec![
        ("scylla_nr_shards", vec!["3"]),
        ("SCYLLA_NR_SHARDS ", vec!["4"]),
        ("SCYLLA_NR_SHARDS", vec!["5"]),
        ("SCYLLA_NR_SHARDS", vec!["6"]),
        ("tablets_routing_v1", vec![]),
        ("TABLETS_ROUTING_V1_", vec![]),
    ];
    let said = Supported { options }.scylla();
    assert_eq!(said, ScyllaOptions { nr_shards: Some(5), ..ScyllaOptions::default() });
}

#[test]
fn the_mask_of_lightweight_transactions() {
    let mask = |values: &[&str]| {
        let options = vec![("SCYLLA_LWT_ADD_METADATA_MARK", values.to_vec())];
        let supported = Supported { options };
        let said = supported.scylla().features;
        assert_eq!(Features { lwt_mask: None, ..said }, Features::NONE);
        let echoed = supported.startup_options(Dialect::new(Version::V4));
        assert_eq!(echoed.len(), usize::from(said.lwt_mask.is_some()), "{values:?}");
        said.lwt_mask
    };
    for (value, expected) in [("8", 8), ("2147483648", 0x8000_0000), ("3221225472", 0xc000_0000), ("4294967290", 0xffff_fffa)] {
        assert_eq!(mask(&[&format!("LWT_OPTIMIZATION_META_BIT_MASK={value}")]), Some(expected));
    }
    // scylladb/java-driver, LwtInfoTest, has most of these.
    for value in ["", "abc", "0x4", "99999999999999999999", "4294967296", "8589934593", "-4", "-2147483648", "+8", " 8", "8 ", "0"] {
        assert_eq!(mask(&[&format!("LWT_OPTIMIZATION_META_BIT_MASK={value}")]), None, "{value}");
    }
    for value in
        ["", "8", "LWT_OPTIMIZATION_META_BIT_MASK", "LWT_OPTIMIZATION_META_BIT_MASK8", "OTHER_KEY=8", " LWT_OPTIMIZATION_META_BIT_MASK=8"]
    {
        assert_eq!(mask(&[value]), None, "{value}");
    }
    // Bits by which the metadata is read (v4 §4.2.5.2, Global_tables_spec and No_metadata) would tell two things at once.
    for value in ["1", "4", "5", "2147483649", "4294967295"] {
        assert_eq!(mask(&[&format!("LWT_OPTIMIZATION_META_BIT_MASK={value}")]), None, "{value}");
    }
    assert_eq!(mask(&[]), None);
    assert_eq!(mask(&["OF_THE_FUTURE=1", "LWT_OPTIMIZATION_META_BIT_MASK=8", "LWT_OPTIMIZATION_META_BIT_MASK=16"]), Some(8));
    assert_eq!(mask(&["LWT_OPTIMIZATION_META_BIT_MASK=x", "LWT_OPTIMIZATION_META_BIT_MASK=16"]), None);
}

#[test]
fn the_code_of_rate_limits() {
    let code = |values: &[&str]| {
        let supported = Supported { options: vec![("SCYLLA_RATE_LIMIT_ERROR", values.to_vec())] };
        let code = supported.scylla().features.rate_limit_error;
        let echoed = if code.is_some() { vec![("SCYLLA_RATE_LIMIT_ERROR", "")] } else { vec![] };
        assert_eq!(supported.startup_options(Dialect::new(Version::V4)), echoed, "{values:?}");
        code
    };
    for (value, expected) in [("61440", 0xf000), ("123", 123), ("-1", -1), ("2147483647", i32::MAX), ("-2147483648", i32::MIN)] {
        assert_eq!(code(&[&format!("ERROR_CODE={value}")]), Some(expected));
    }
    // Numbers that are none, and codes that have a meaning already: SERVER_ERROR, WRITE_TIMEOUT, UNPREPARED.
    for value in ["", "x", "+1", "0xf000", "2147483648", "-2147483649", "61440 ", "0", "4352", "9472"] {
        assert_eq!(code(&[&format!("ERROR_CODE={value}")]), None, "{value}");
    }
    for values in [&[][..], &[""], &["61440"], &["ERROR_CODE"], &["error_code=61440"], &["ERROR_CODE=x", "ERROR_CODE=61440"]] {
        assert_eq!(code(values), None, "{values:?}");
    }
    assert_eq!(code(&["WINDOW=1", "ERROR_CODE=61440", "ERROR_CODE=1"]), Some(0xf000));
}

#[test]
fn a_client_asks_for_what_it_can_read_and_nothing_else() {
    let supported = Supported { options: newest_node() };
    let asked = [
        ("SCYLLA_USE_METADATA_ID", ""),
        ("TABLETS_ROUTING_V1", ""),
        ("SCYLLA_LWT_ADD_METADATA_MARK", "LWT_OPTIMIZATION_META_BIT_MASK=2147483648"),
        ("SCYLLA_RATE_LIMIT_ERROR", ""),
    ];
    assert_eq!(supported.startup_options(Dialect::new(Version::V4)), asked);
    assert_eq!(supported.startup_options(Dialect::new(Version::V5)), asked);
    // The document extends v4 and v5; v3 frames have no payload for a tablet to come in.
    assert_eq!(supported.startup_options(Dialect::new(Version::V3)), []);
    let partly = Supported { options: vec![("TABLETS_ROUTING_V1", vec!["unexpected", "values"])] };
    assert_eq!(partly.startup_options(Dialect::new(Version::V4)), [("TABLETS_ROUTING_V1", "")]);
}

#[test]
fn both_sides_agree_on_what_is_in_both_messages() {
    let startup = |options: Vec<(&'static str, &'static str)>| Startup { options };
    let all = || Supported { options: newest_node() }.startup_options(Dialect::new(Version::V4));
    let agreed = |startup: &Startup<'_>, offered| startup.negotiate(Dialect::new(Version::V4), offered).unwrap().features;
    assert_eq!(agreed(&startup(all()), Some(OFFERED)), OFFERED);
    // Asked for, but not on offer: Cassandra passes over keys that it does not know.
    assert_eq!(agreed(&startup(all()), Some(Features::NONE)), Features::NONE);
    assert_eq!(
        agreed(&startup(all()), Some(Features { metadata_id: true, ..Features::NONE })),
        Features { metadata_id: true, ..Features::NONE }
    );
    // On offer, but not asked for; the case of the keys is the server's.
    assert_eq!(agreed(&startup(vec![("CQL_VERSION", "3.0.0")]), Some(OFFERED)), Features::NONE);
    let lower = vec![("scylla_use_metadata_id", ""), ("tablets_routing_v1", ""), ("Scylla_Rate_Limit_Error", "")];
    assert_eq!(agreed(&startup(lower), Some(OFFERED)), Features::NONE);
    for (index, expected) in [
        Features { metadata_id: true, ..Features::NONE },
        Features { tablets_v1: true, ..Features::NONE },
        Features { lwt_mask: Some(0x8000_0000), ..Features::NONE },
        Features { rate_limit_error: Some(0xf000), ..Features::NONE },
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(agreed(&startup(vec![all()[index]]), Some(OFFERED)), expected);
    }
    // Who has seen no SUPPORTED goes by STARTUP, which does not have the error's code.
    assert_eq!(agreed(&startup(all()), None), Features { rate_limit_error: None, ..OFFERED });
    assert_eq!(agreed(&startup(vec![]), None), Features::NONE);
    // How gocql and the Rust, Python and Java drivers give the mask back; then what is none.
    for value in ["LWT_OPTIMIZATION_META_BIT_MASK=2147483648", "2147483648", "-2147483648"] {
        let mask = startup(vec![("SCYLLA_LWT_ADD_METADATA_MARK", value)]);
        assert_eq!(agreed(&mask, None).lwt_mask, Some(0x8000_0000), "{value}");
    }
    for value in ["", "x", "0", "1", "4294967296", "-2147483649", "ERROR_CODE=8", "LWT_OPTIMIZATION_META_BIT_MASK="] {
        let mask = startup(vec![("SCYLLA_LWT_ADD_METADATA_MARK", value)]);
        assert_eq!(agreed(&mask, None), Features::NONE, "{value}");
        assert_eq!(agreed(&mask, Some(OFFERED)).lwt_mask, OFFERED.lwt_mask, "the key is enough for a server: {value}");
    }
}
