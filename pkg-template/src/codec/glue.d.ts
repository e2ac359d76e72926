// What `src/wasm.rs` exports, as wasm-bindgen's glue wraps it. `js-tests/surface.test.mjs` holds the list against the built wasm.

declare module "#wasm" {
  const base64: string;
  export default base64;
}

declare module "#glue" {
  export function initSync(options: { module: BufferSource }): unknown;
  export function __wbg_reset_state(): void;
  export function wasm_memory(): WebAssembly.Memory;
  export function tables(): { consistencies: [string, number][]; errors: [number, string][]; batch_types: string[]; opcodes: [number, string][] };

  export function murmur3_token(key: Uint8Array): bigint;
  export function routing_key(columns: Uint8Array[]): Uint8Array;

  export class Metadata {
    private constructor();
    static of_type(text: string): Metadata;
    describe(): unknown;
  }

  export class Conn {
    constructor(version: number, established: boolean, compression: string);
    is_established(): boolean;
    compression(): string;
    has_result_metadata_id(): boolean;
    traffic(): Float64Array;
    receive(length: number): number;
    next_frame(): number;
    frame_version(): number;
    prefix(): { tracing_id: Uint8Array | null; warnings: string[]; payload: [string, Uint8Array | null][] };
    message(): unknown;
    metadata(which: number): Metadata;
    rows(): number;
    rows_with(known: Metadata): number;
    cell(length: number): number;
    decode_cell(types: Metadata, index: number): number;
    trace_next(): void;
    payload(name: string, value?: Uint8Array): void;
    startup(stream: number, options: string[]): void;
    options(stream: number): void;
    prepare(stream: number, query: string, keyspace?: string): void;
    register(stream: number, eventTypes: string[]): void;
    auth_response(stream: number, token?: Uint8Array): void;
    begin_query(stream: number, text: string, consistency: number): void;
    begin_execute(stream: number, id: Uint8Array, resultMetadataId: Uint8Array, consistency: number): void;
    begin_batch(stream: number, type: number, consistency: number): void;
    statement_text(query: string): void;
    statement_prepared(id: Uint8Array): void;
    value(types: Metadata, index: number, name?: string): void;
    lone_value(types: Metadata, index: number): void;
    lone_output(): Uint8Array;
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
    flush(): Uint8Array;
    null(): void;
    unset(): void;
    empty(): void;
    boolean(value: boolean): void;
    number(value: number): void;
    int64(value: bigint): void;
    hex_integer(negative: boolean, hex: string): void;
    hex_decimal(scale: number, negative: boolean, hex: string): void;
    days(days: number): void;
    nanoseconds(nanoseconds: bigint): void;
    duration(months: number, days: number, nanoseconds: bigint): void;
    open_bytes(length: number): number;
    open_text(most: number): number;
    close_text(written: number): void;
    open_numbers(kind: number, count: number): number;
    close_numbers(): void;
    begin(count: number): void;
    end(): void;
  }
}
