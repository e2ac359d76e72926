//! The column layer alone: pages of one shape each, in blocks as `Page::read` reads them, and by its plain twin. `cargo bench --bench columns`.

use std::hint::black_box;
use std::sync::Arc;

use cqlwire::column::{NullSlots, Page};
use cqlwire::message::{ColumnSpec, Rows, RowsMetadata};
use cqlwire::value::parse_type;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Name, types, rows, and how many cells in a hundred are null.
const PAGES: [(&str, &[&str], usize, u32); 8] = [
    ("one_row", &["int", "text", "double"], 1, 0),
    ("ints", &["int", "int"], 100_000, 0),
    ("doubles", &["double"; 20], 5_000, 0),
    ("doubles_half_null", &["double"; 20], 5_000, 50),
    ("mixed", &["bigint", "text", "double", "timestamp", "uuid"], 1_000, 0),
    ("texts", &["text", "text", "text", "text"], 10_000, 0),
    ("vectors", &["int", "vector<float, 768>"], 1_000, 0),
    ("lists", &["int", "list<int>"], 10_000, 0),
];

fn cells(types: &[&str], row_count: usize, nulls: u32) -> (Vec<ColumnSpec>, Vec<u8>) {
    let mut state = 0x2545_f491u32;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let spec =
        |text: &&str| ColumnSpec { keyspace: "k".into(), table: "t".into(), name: "c".into(), ty: Arc::new(parse_type(text).unwrap()) };
    let specs: Vec<_> = types.iter().map(spec).collect();
    let mut cells = vec![];
    for _ in 0..row_count {
        for (spec, text) in specs.iter().zip(types) {
            if random() % 100 < nulls {
                cells.extend((-1i32).to_be_bytes());
                continue;
            }
            let value: Vec<u8> = match (spec.ty.cell_size(), *text) {
                (Some(size), _) => (0..size).map(|_| random() as u8).collect(),
                (None, "list<int>") => [&5u32.to_be_bytes()[..], &[0, 0, 0, 4, 1, 2, 3, 4].repeat(5)].concat(),
                (None, _) => (0..10 + random() % 31).map(|_| b'a' + (random() % 26) as u8).collect(),
            };
            cells.extend((value.len() as u32).to_be_bytes());
            cells.extend(value);
        }
    }
    (specs, cells)
}

fn pages(c: &mut Criterion) {
    let mut group = c.benchmark_group("page");
    for (name, types, row_count, nulls) in PAGES {
        let (specs, cells) = cells(types, row_count, nulls);
        let metadata = RowsMetadata { column_count: types.len(), ..RowsMetadata::default() };
        let rows = Rows { metadata, row_count, cells: &cells, cells_at: 0 };
        group.throughput(Throughput::Bytes(cells.len() as u64));
        group.bench_with_input(BenchmarkId::new("blocks", name), &rows, |b, rows| b.iter(|| black_box(Page::read(rows, &specs).unwrap())));
        group.bench_with_input(BenchmarkId::new("by_cell", name), &rows, |b, rows| {
            b.iter(|| black_box(Page::read_by_cell(rows, &specs, &mut NullSlots::default()).unwrap()));
        });
    }
    group.finish();
}

criterion_group!(benches, pages);
criterion_main!(benches);
