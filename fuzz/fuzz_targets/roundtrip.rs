#![no_main]
cqlwire_fuzz::target!("roundtrip");
