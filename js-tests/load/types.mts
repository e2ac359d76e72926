// What a TypeScript user writes, compiled in strict mode against the packed types (types.cts: the same by require).
import {
  Codec, type CqlErrorCode, CqlError, Decimal, LocalDate, LocalTime, type Message, type ScyllaFeatures, type ScyllaOptions, type Tablet, type TraceField, type ValueOptions,
  arrowStream, decodeTablet, decodeValue, encodeTablet, encodeValue, messageStream, messageText, parseType, scyllaOptions, scyllaStartupOptions, shardOf, timeuuid, timeuuidDate, unset, uuid,
} from "cqlwire";
import { Client, type Page, type PreparedStatement, type Result } from "cqlwire/client";

export async function useClient(): Promise<number> {
  const client = await Client.connect({ contactPoints: ["127.0.0.1:9042"], keyspace: "shop", compression: "lz4" });
  try {
    const result: Result<{ id: number; title: string }> = await client.execute<{ id: number; title: string }>(
      "SELECT id, title FROM docs WHERE topic = ?", ["art"], { consistency: "QUORUM", pageSize: 10, pageState: null },
    );
    let sum = 0;
    for (const { id } of result.rows) sum += id;
    for await (const row of result) sum += row.title.length;
    for await (const chunk of arrowStream(client.pages("SELECT v FROM docs"))) sum += chunk.length + result.toArrowIPC().length;
    for await (const page of client.pages("SELECT v FROM docs")) {
      const column = page.column<Float32Array>("v");
      sum += column.values[0]! * column.stride + page.length;
    }
    const insert: PreparedStatement = await client.prepare("INSERT INTO docs (id, price) VALUES (?, ?)");
    await client.batch([{ query: insert, params: [1, Decimal.from("1.50")] }, { query: "DELETE FROM docs WHERE id = 2" }], { type: "UNLOGGED" });
    await client.execute(insert, { id: 1, price: unset });
    const page: Page = result;
    return sum + page.warnings.length;
  } catch (error) {
    if (error instanceof CqlError && error.code === "CQL_TIMEOUT_CLIENT" && error.mayBeApplied) return -1;
    throw error;
  } finally {
    await client.close();
  }
}

export function useCodec(chunk: Uint8Array): CqlErrorCode | undefined {
  const codec = new Codec({ version: 4 });
  codec.encode({ opcode: "QUERY", query: "SELECT 1", consistency: "ONE", params: [1], types: ["int"] }, 0);
  const messages: Message[] = codec.feed(chunk);
  for (const message of messages) {
    if (message.error) return message.error.code;
    if (message.opcode === "ERROR") console.log(message.code, message.writeType);
    else if (message.opcode === "RESULT" && message.kind === "Rows") console.log(message.length, message.rows, message.columns[0]?.at(0));
    else if (message.opcode === "RESULT" && message.kind === "Prepared") codec.write({ opcode: "EXECUTE", prepared: message, params: [] }, 1);
    else if (message.opcode === "EVENT" && message.eventType === "SCHEMA_CHANGE") console.log(message.target);
  }
  const bytes: Uint8Array | null = encodeValue(parseType("int"), 5);
  const value: unknown = decodeValue("int", bytes);
  return value === 5 ? undefined : "CQL_DECODE";
}

export async function serve(bytes: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const codec = new Codec({ role: "server", limits: { frameBody: 1 << 20 }, trace: true });
  const out: Uint8Array[] = [];
  for await (const request of bytes.pipeThrough(messageStream(codec))) {
    if (request.error) continue;
    if (request.opcode === "EXECUTE" && request.id) console.log(request.id.length, request.names?.[0], request.params);
    if (request.opcode === "BATCH") console.log(request.statements.length, request.timestamp, messageText(request));
    const field: TraceField | undefined = request.trace?.fields[0];
    const metadata = [{ name: "a", type: { kind: "list", of: ["int"] } }];
    out.push(codec.encode({ opcode: "RESULT", kind: "Rows", metadata, rows: [[[1, 2]], { a: null }], warnings: [field?.name ?? ""] }, request.stream));
    out.push(codec.encode({ opcode: "ERROR", code: 0x1000, message: "no", consistency: "ONE", required: 1, alive: 0 }, request.stream));
  }
  const client = new Codec({ established: { version: 4, compression: "lz4", features: { metadataId: true } } });
  const [page] = client.feed(out[0]!);
  // What is read is what is written.
  if (page && !page.error && page.opcode === "RESULT" && page.kind === "Rows") out.push(codec.encode(page), codec.encode(page.decode([]), 5));
  // @ts-expect-error: a server writes no requests
  codec.encode({ opcode: "OPTIONS" }, 1);
  // @ts-expect-error: a client no responses
  client.encode({ opcode: "READY" }, 1);
  return out;
}

export function useValues(payload: Uint8Array): boolean {
  const values: ValueOptions = { int64: "number", timestamps: "bigint", sets: "set", maps: "object", empties: "marker", strings: "own", undefinedAs: "unset" };
  new Codec({ values });
  void Client.connect({ contactPoints: ["127.0.0.1"], values: { int64: "string" } });
  decodeValue("bigint", encodeValue("bigint", 5, values), values);
  const [a, b] = [LocalDate.from("2024-02-29"), LocalDate.from("2024-03-01")];
  const tablet: Tablet | null = decodeTablet(payload);
  const shard: number = shardOf(tablet?.lastToken ?? 0n, { nrShards: 8, ignoreMsb: 12 });
  const order: -1 | 0 | 1 = Decimal.from("1").compare(Decimal.from("2"));
  const date: Date = timeuuidDate(timeuuid(new Date()));
  return a < b && LocalTime.from("08:00") < LocalTime.from("09:00") && a.equals(uuid()) && order < shard && date > timeuuidDate(timeuuid(0));
}

export function useScylla(messages: readonly Message[], tablet: Tablet): string | undefined {
  const codec = new Codec({ version: 4 });
  const server = new Codec({ role: "server", established: { version: 4, features: { metadataId: true, lwtMask: 8 } } });
  for (const message of messages) {
    if (message.error) continue;
    if (message.opcode === "SUPPORTED") {
      const said: ScyllaOptions = scyllaOptions(message);
      if (said.sharding) shardOf(0n, said.sharding);
      codec.offer(said.features);
      codec.write({ opcode: "STARTUP", options: { CQL_VERSION: "3.0.0", ...scyllaStartupOptions(message, codec.version) } }, 1);
      const { rateLimitError }: ScyllaFeatures = codec.features;
      if (rateLimitError !== null) server.write({ opcode: "ERROR", code: rateLimitError, message: "m", opType: "READ", rejectedByCoordinator: false }, 1);
    }
    if (message.opcode === "EVENT" && message.eventType === "CLIENT_ROUTES_CHANGE") return message.hostIds[0];
    if (message.opcode === "RESULT" && message.kind === "Prepared") server.write({ ...message, isLwt: !message.isLwt });
    if (message.opcode === "ERROR" && message.rejectedByCoordinator) return message.opType?.toString();
  }
  server.write({ opcode: "EVENT", eventType: "CLIENT_ROUTES_CHANGE", changeType: "UPDATE_NODES", connectionIds: [], hostIds: [] }, -1);
  server.write({ opcode: "RESULT", kind: "Void", customPayload: { "tablets-routing-v1": encodeTablet(tablet) } }, 1);
  return undefined;
}

// @ts-expect-error: a choice that is not there
new Codec({ values: { int64: "long" } });
// @ts-expect-error: an option that is not there
void Client.connect({ contactPoints: [], pagesize: 5 });
// @ts-expect-error: a level that is not there
new Codec().encode({ opcode: "QUERY", query: "q", consistency: "one" }, 0);
