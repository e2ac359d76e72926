//! Types that arrive as the name of a marshal class.

use std::sync::Arc;

use cqlwire::column::Page;
use cqlwire::message::ResultMessage;
use cqlwire::value::{CqlType, Value, parse_class};

use crate::result;
use crate::support::{dialects, hex, ty};

fn full(name: &str) -> String {
    name.replace('…', "org.apache.cassandra.db.marshal.")
}

/// A result of two columns: one of this class, one an int.
fn with_class(name: &str) -> Vec<u8> {
    let name = full(name);
    let class = format!("0000 {:04x} '{name}'", name.len());
    hex(&format!("00000002 00000001 00000002 0001 'k' 0001 't' 0001 'c' {class} 0001 'd' 0009 00000001 ffffffff 00000004 0000002a"))
}

/// CUS-1: Cassandra's own classes are their CQL types, Frozen and Reversed say nothing, what is not known or malformed stays bytes with
/// its name and fails nothing (whatyouhide/xandra#76, scylladb/scylla-rust-driver#363 and #1566, apache/cassandra-java-driver#776,
/// krojew/cdrs-tokio#222, scylladb/gocql#1093, scylladb/scylladb#631).
#[test]
fn cus_1_class_names() {
    for (name, cql) in [
        ("…DurationType", "duration"),
        ("…ByteType", "tinyint"),
        ("…ShortType", "smallint"),
        ("…VectorType(…FloatType , 3)", "vector<float, 3>"),
        ("…VectorType(…FloatType,3)", "vector<float, 3>"),
        ("…VectorType(…FrozenType(…SetType(…Int32Type)),3)", "vector<set<int>, 3>"),
        ("…ReversedType(…TimestampType)", "timestamp"),
        ("…ReversedType(…FrozenType(…ListType(…Int32Type)))", "list<int>"),
        ("…SimpleDateType", "date"),
        ("…TimeType", "time"),
        ("…MapType(…UTF8Type,…VectorType(…LongType , 2))", "map<text, vector<bigint, 2>>"),
        ("…TupleType(…Int32Type,…BooleanType)", "tuple<int, boolean>"),
    ] {
        assert_eq!(parse_class(&full(name)), *ty(cql), "{name}");
        for dialect in dialects("345") {
            let body = with_class(name);
            let ResultMessage::Rows(rows) = result(&body, dialect).unwrap() else { panic!() };
            assert_eq!(rows.metadata.columns.as_ref().unwrap()[0].ty, ty(cql), "{name}");
        }
    }
    let CqlType::Udt(udt) = parse_class(&full("…UserType(ks,61646472,6e616d65:…UTF8Type)")) else { panic!("not a UDT") };
    assert_eq!((&*udt.keyspace, &*udt.name, &*udt.fields[0].0, &udt.fields[0].1), ("ks", "addr", "name", &ty("text")));

    let deep = format!("{}…Int32Type{}", "…ListType(".repeat(1_000), ")".repeat(1_000));
    let deep = &full(&deep)[..60_000.min(full(&deep).len())];
    for name in [
        "VectorType",
        "VectorType(",
        "VectorType(,)",
        "com.example.Mine",
        "…VectorType(…FloatType , -1)",
        "…UserType(ks,zz,61:…Int32Type)",
        "…ListType(",
        "",
        deep,
    ] {
        let body = with_class(name);
        let ResultMessage::Rows(rows) = result(&body, dialects("4")[0]).unwrap_or_else(|error| panic!("{name:.40}: {error}")) else {
            panic!()
        };
        let columns = rows.metadata.columns.as_ref().unwrap();
        let custom: Arc<CqlType> = CqlType::Custom(full(name).into()).into();
        assert_eq!(columns[0].ty, custom, "{name:.40}");
        let page = Page::read(&rows, columns).unwrap();
        assert_eq!((page.columns[0].value(&custom, 0), page.columns[1].value(&ty("int"), 0)), (Value::Null, Value::Int(42)));
    }
    let custom: Arc<CqlType> = CqlType::Custom("com.example.Mine".into()).into();
    crate::both_ways(&custom, "0102", Value::Blob(vec![1, 2]));
}
