"""read.py FOLDER: reads each FOLDER/*.arrow with pyarrow and with DuckDB, and writes what they see to FOLDER/read.json, in the plain data of
expected.mjs. Every table is validated in full."""

import json
import math
import pathlib
import struct
import sys
import warnings

import duckdb
import pyarrow as pa

warnings.filterwarnings("ignore", message="Arrow output on a DB-API result")


def plain_double(number):
    return "NaN" if math.isnan(number) else struct.pack(">d", number).hex()


def plain(array):
    """The cells of an array. Counts stay counts: Python's dates and times do not go as far as Arrow's."""
    kind = array.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(array.storage)
    valid = array.is_valid().to_pylist()

    def cells(make):
        return [make(row) if ok else None for row, ok in enumerate(valid)]

    if pa.types.is_map(kind):
        pairs = list(zip(plain(array.keys), plain(array.items)))
        ends = array.offsets.to_pylist()
        return cells(lambda row: [list(pair) for pair in pairs[ends[row] : ends[row + 1]]])
    if pa.types.is_list(kind):
        items, ends = plain(array.values), array.offsets.to_pylist()
        return cells(lambda row: items[ends[row] : ends[row + 1]])
    if pa.types.is_fixed_size_list(kind):
        items, size = plain(array.values), kind.list_size
        return cells(lambda row: items[(array.offset + row) * size : (array.offset + row + 1) * size])
    if pa.types.is_struct(kind):
        fields = [plain(array.field(index)) for index in range(kind.num_fields)]
        return cells(lambda row: [field[row] for field in fields])
    if pa.types.is_timestamp(kind):
        unit = {"ms": 1, "us": 1000}[kind.unit]
        counts = array.view(pa.int64()).to_pylist()
        assert all(count is None or count % unit == 0 for count in counts)
        return cells(lambda row: str(counts[row] // unit))
    if pa.types.is_date32(kind) or pa.types.is_time64(kind):
        assert kind != pa.time64("us"), "nanoseconds are gone"
        counts = array.view(pa.int32() if pa.types.is_date32(kind) else pa.int64()).to_pylist()
        return cells(lambda row: str(counts[row]))
    values = array.to_pylist()
    if pa.types.is_floating(kind):
        return cells(lambda row: plain_double(values[row]))
    if pa.types.is_integer(kind):
        return cells(lambda row: str(values[row]))
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return cells(lambda row: values[row].hex())
    if kind == pa.month_day_nano_interval():
        return cells(lambda row: [str(part) for part in values[row]])
    if pa.types.is_string(kind) or pa.types.is_boolean(kind):
        return values
    raise TypeError(f"no plain form of {kind}")


def column(make):
    try:
        chunked = make()
        return {"type": str(chunked.type), "values": [cell for chunk in chunked.chunks for cell in plain(chunk)]}
    except Exception as error:  # whatever the reader says: the test knows which it may be
        return {"error": f"{type(error).__name__}: {error}"}


def read(path, database):
    with pa.ipc.open_stream(pa.memory_map(str(path))) as stream:
        schema = stream.schema
        batches = list(stream)
    table = pa.Table.from_batches(batches, schema)
    table.validate(full=True)
    for batch in batches:
        batch.validate(full=True)

    def by_duckdb(index):
        one = pa.table([table.column(index)], schema=pa.schema([table.schema.field(index).with_name("c")]))
        return database.from_arrow(one).select("c").to_arrow_table().column(0)

    indices = range(table.num_columns)
    return {
        "rows": table.num_rows,
        "batches": [batch.num_rows for batch in batches],
        "names": schema.names,
        "nullable": all(field.nullable for field in schema),
        "pyarrow": [column(lambda: table.column(index)) for index in indices],
        "duckdb": [column(lambda: by_duckdb(index)) for index in indices],
    }


folder = pathlib.Path(sys.argv[1])
connection = duckdb.connect()
results = {path.stem: read(path, connection) for path in sorted(folder.glob("*.arrow"))}
(folder / "read.json").write_text(json.dumps(results))
print(f"pyarrow {pa.__version__}, DuckDB {duckdb.__version__}: {len(results)} streams")
