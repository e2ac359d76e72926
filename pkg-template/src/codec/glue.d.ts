// What `src/wasm.rs` and `src/wasm/` export, as wasm-bindgen's glue wraps it. `js-tests/surface.test.mjs` holds the list against the built wasm.

declare module "#wasm" {
  const base64: string;
  export default base64;
}

declare module "#glue" {
  export function initSync(options: { module: BufferSource }): unknown;
  export function __wbg_reset_state(): void;
  export function wasm_memory(): WebAssembly.Memory;
  export function tables(): { consistencies: [string, number][]; errors: [number, string][]; batch_types: string[]; opcodes: [number, string][] };

  /** `JsEntry` in `src/wasm/shapes.rs`. */
  export interface TraceEntry {
    depth: number;
    what: string;
    index: number | null;
    start: number;
    end: number;
    text: string | null;
    number: number | null;
  }

  export function murmur3_token(key: Uint8Array): bigint;
  export function routing_key(columns: Uint8Array[]): Uint8Array;
  export function shard_of(token: bigint, shards: number, ignoreMsb: number): number | undefined;
  export function decode_tablet(payload: Uint8Array): { first_token: bigint; last_token: bigint; replicas: [Uint8Array, number][] } | null;

  export function encode_tablet(firstToken: bigint, lastToken: bigint, hosts: string[], shards: Int32Array): Uint8Array;
  export function scylla_options(options: [string, string[]][]): import("../../types/index.js").ScyllaOptions;
  export function scylla_startup_options(options: [string, string[]][], version: number): [string, string][];

  export class Metadata {
    private constructor();
    static of_columns(columns: unknown): Metadata;
    describe(): unknown;
    of_statement(id: Uint8Array, resultMetadataId: Uint8Array): Metadata;
  }

  export class Steps {
    constructor(size: number);
    room(): number;
  }

  export class Conn {
    constructor(server: boolean, version: number, compression: string | undefined, features: object);
    fix_version(): void;
    limit(frameBody: number, nullSlots: number): void;
    version(): number;
    waiting(): number;
    is_established(): boolean;
    compression(): string;
    has_result_metadata_id(): boolean;
    features(): import("../../types/index.js").ScyllaFeatures;
    offer(features: object): void;
    traffic(): Float64Array;
    receive(length: number): number;
    next_frame(): number;
    frame_version(): number;
    request_flags(): number;
    prefix(): { tracing_id: Uint8Array | null; warnings: string[]; payload: [string, Uint8Array | null][] };
    message(): unknown;
    frame_bytes(): Uint8Array;
    trace(): TraceEntry[];
    trace_with(known: Metadata): TraceEntry[];
    metadata(which: number): Metadata;
    rows(): number;
    rows_with(known: Metadata): number;
    raw_rows(): number;
    decode_rows(types: Metadata, rowCount: number, columnCount: number): number;
    cell(length: number): number;
    swap_cell(width: number): void;
    decode_cell(types: Metadata, index: number): number;
    trace_next(): void;
    use_beta(): void;
    tracing_id(text: string): void;
    warning(text: string): void;
    payload(name: string, value?: Uint8Array): void;
    write(stream: number, message: unknown): void;
    prepared(
      stream: number,
      id: Uint8Array,
      metadataId: Uint8Array,
      pkIndices: Uint16Array,
      isLwt: boolean,
      bind: Metadata,
      result: Metadata,
    ): void;
    write_raw_rows(stream: number, rows: number, columns: number, globalTableSpec: boolean, pagingState: Uint8Array | undefined, cells: Uint8Array): void;
    begin_rows(
      stream: number,
      types: Metadata,
      withMetadata: boolean,
      globalTableSpec: boolean,
      pagingState?: Uint8Array,
      newMetadataId?: Uint8Array,
    ): void;
    end_rows(rowCount: number): void;
    begin_query(stream: number, text: string, consistency: number): void;
    begin_execute(stream: number, id: Uint8Array, resultMetadataId: Uint8Array, consistency: number): void;
    begin_prepared(stream: number, statement: Metadata, consistency: number): void;
    begin_batch(stream: number, type: number, consistency: number): void;
    statement_text(query: string): void;
    statement_prepared(id: Uint8Array): void;
    value(types: Metadata, index: number, name?: string): void;
    no_values(): void;
    lone_value(types: Metadata, index: number): void;
    lone_output(): Uint8Array;
    end_plain(): void;
    end_request(
      skipMetadata: boolean,
      pageSize?: number,
      pagingState?: Uint8Array,
      serialConsistency?: number,
      timestamp?: bigint,
      keyspace?: string,
      nowInSeconds?: number,
    ): void;
    abort(): void;
    flush(): number;
    flushed(): number;
    sent(): void;
    run(steps: Steps, types: Metadata, count: number, textAt: number, textLength: number, units: number): void;
    failed_step(): number;
    place(): Uint32Array;
    hex_integer(negative: boolean, hex: string): void;
    hex_decimal(scale: number, negative: boolean, hex: string): void;
    duration(months: number, days: number, nanoseconds: bigint): void;
    open_bytes(length: number): number;
    open_text(most: number): number;
    close_text(written: number): void;
    open_numbers(kind: number, count: number): number;
    close_numbers(): void;
  }
}
