#![no_main]
cqlwire_fuzz::target!("type_names");
