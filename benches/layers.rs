//! The layers above the frame one by one, natively: `cargo bench --bench layers`, or with `-- value` one of them. What users have is measured in JavaScript
//! (`make bench`); these say in which layer a change of that came about. Input is made here, the same each time.

use std::hint::black_box;
use std::sync::Arc;

use cqlwire::column::Page;
use cqlwire::conn::{Conn, FrameOptions, Role};
use cqlwire::message::{ColumnSpec, Params, Query, Request, RequestOptions, Response, ResultMessage, Rows, RowsMetadata};
use cqlwire::route::murmur3_token;
use cqlwire::spec::{Consistency, Dialect, Native, Version};
use cqlwire::value::{CqlType, Value, decode_value, encode_value, parse_type};
use cqlwire::wire::Writer;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// xorshift32
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        for shift in [13, -17, 5_i32] {
            self.0 ^= if shift > 0 { self.0 << shift } else { self.0 >> -shift };
        }
        self.0
    }

    fn text(&mut self) -> String {
        let length = 10 + self.next() % 31;
        (0..length).map(|_| char::from(b'a' + (self.next() % 26) as u8)).collect()
    }

    fn value(&mut self, ty: &CqlType) -> Value {
        match ty {
            CqlType::Native(Native::Int) => Value::Int(self.next() as i32),
            CqlType::Native(Native::Bigint) => Value::Bigint(i64::from(self.next()) << 31),
            CqlType::Native(Native::Double) => Value::Double(f64::from(self.next()) / 7.0),
            CqlType::Native(Native::Text) => Value::Text(self.text()),
            CqlType::Vector(_, dimension) => Value::List((0..*dimension).map(|_| Value::Float(self.next() as f32)).collect()),
            other => unreachable!("{other}"),
        }
    }
}

fn types(texts: &[&str]) -> Vec<Arc<CqlType>> {
    texts.iter().map(|text| Arc::new(parse_type(text).unwrap())).collect()
}

/// What a page has in it: of each type a column.
const PAGES: &[(&str, &[&str], usize)] = &[
    ("1,000 × (bigint, text, double)", &["bigint", "text", "double"], 1000),
    ("10,000 × (int, int)", &["int", "int"], 10_000),
    ("1,000 × vector<float, 768>", &["vector<float, 768>"], 1000),
];

fn cells(texts: &[&str], rows: usize) -> Vec<u8> {
    let (types, mut random, mut w) = (types(texts), Random(1), Writer::new());
    for _ in 0..rows {
        types.iter().for_each(|ty| encode_value(ty, &random.value(ty), &mut w).unwrap());
    }
    w.as_slice().to_vec()
}

fn columns(texts: &[&str]) -> Vec<ColumnSpec> {
    let column = |(index, ty)| ColumnSpec { keyspace: "k".into(), table: "t".into(), name: format!("c{index}").as_str().into(), ty };
    types(texts).into_iter().enumerate().map(column).collect()
}

fn rows<'a>(texts: &[&str], row_count: usize, cells: &'a [u8]) -> Rows<'a> {
    let metadata =
        RowsMetadata { global_table_spec: true, column_count: texts.len(), columns: Some(columns(texts)), ..RowsMetadata::default() };
    Rows { metadata, row_count, cells, cells_at: 0 }
}

fn value(c: &mut Criterion) {
    let mut group = c.benchmark_group("value");
    for text in ["int", "text", "vector<float, 768>"] {
        let (ty, mut w) = (Arc::new(parse_type(text).unwrap()), Writer::new());
        let value = Random(3).value(&ty);
        encode_value(&ty, &value, &mut w).unwrap();
        let bytes = w.as_slice()[4..].to_vec();
        group.bench_function(format!("{text}, decode"), |b| b.iter(|| decode_value(&ty, Some(black_box(&bytes))).unwrap()));
        group.bench_function(format!("{text}, encode"), |b| {
            b.iter(|| {
                let mut w = Writer::new();
                encode_value(&ty, black_box(&value), &mut w).unwrap();
                w
            });
        });
    }
}

fn column(c: &mut Criterion) {
    let mut group = c.benchmark_group("column");
    for (name, texts, count) in PAGES {
        let (cells, columns) = (cells(texts, *count), columns(texts));
        group.throughput(Throughput::Bytes(cells.len() as u64));
        group.bench_function(*name, |b| b.iter(|| Page::read(&rows(texts, *count, black_box(&cells)), &columns).unwrap()));
    }
}

fn conn(c: &mut Criterion) {
    let mut group = c.benchmark_group("conn");
    for version in [Version::V4, Version::V5] {
        let [mut server, mut client] = [Role::Server, Role::Client].map(|role| Conn::established(role, Dialect::new(version)));
        let (_, texts, count) = PAGES[0];
        let cells = cells(texts, count);
        let answer = Response::Result(ResultMessage::Rows(rows(texts, count, &cells)));
        server.reply(&answer, 1, &Default::default()).unwrap();
        let bytes = server.output().unwrap().to_vec();
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("{version:?}, a page as it is"), |b| {
            b.iter(|| {
                client.feed(black_box(&bytes));
                client.next_frame().unwrap();
                black_box(client.response().unwrap());
            });
        });
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("{version:?}, QUERY"), |b| {
            b.iter(|| {
                let params =
                    Params { consistency: Consistency::LocalQuorum, values: None, names: Vec::new(), options: RequestOptions::default() };
                let query = Query { query: "SELECT id, name, score FROM bench.items WHERE id = 42", params };
                client.send(&Request::Query(black_box(query)), 1, &FrameOptions::default()).unwrap();
                black_box(client.output().unwrap());
                client.sent();
            });
        });
    }
}

fn route(c: &mut Criterion) {
    let key = [7; 36];
    c.bench_function("route/token of 36 bytes", |b| b.iter(|| murmur3_token(black_box(&key))));
}

criterion_group!(benches, value, column, conn, route);
criterion_main!(benches);
