#![no_main]
cqlwire_fuzz::target!("decompress");
