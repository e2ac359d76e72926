// What a clumsy or hostile caller gives: arrays whose `length` is not theirs, bytes that are gone, getters that call the codec or change their
// mind, proxies, the traps of other WebAssembly modules, objects of other copies. A CqlError each time, nothing written, every connection alive.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import vm from "node:vm";
import {
  Codec, CqlError, Decimal, Duration, LocalDate, LocalTime, decodeTablet, decodeValue, empty, encodeTablet, encodeValue, messageStream, messageText,
  murmur3Token, parseType, routingKey, scyllaOptions, shardOf, timeuuid, timeuuidDate,
} from "cqlwire";

const other = createRequire(import.meta.url)("../pkg/dist/index.cjs");

const established = { version: 4 };
const client = (options) => new Codec({ established, ...options });
const server = (options) => new Codec({ role: "server", established, ...options });
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const rows = (fields) => ({ opcode: "RESULT", kind: "Rows", ...fields });
const answer = (fields, stream = 1) => server().encode(rows(fields), stream);
const COLUMNS = [{ name: "a", type: "int" }, { name: "b", type: "text" }];

function revoked(target = {}) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
function detached() {
  const bytes = new Uint8Array(4);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}
class Short extends Uint8Array {
  get length() {
    return 1;
  }
}
const short = () => new Short(new Uint8Array(5000).fill(0x41).buffer);
const code = (...codes) => (error) => error instanceof CqlError && codes.includes(error.code);

/** Runs `attack`; a codec made before is alive, and what the attacked one writes next is whole. */
function survives(attack) {
  const [bystander, codec] = [client(), client()];
  attack(codec);
  assert.equal(bystander.version, 4);
  assert.equal(hex(codec.encode({ opcode: "OPTIONS" }, 2)), "040000020500000000");
}

test("a subclass whose length is another: its own bytes are taken, none are written beyond their room", () => {
  const whole = new Uint8Array(5000).fill(0x41);
  survives((codec) => {
    for (const make of [
      (bytes) => ({ opcode: "EXECUTE", id: bytes }),
      (bytes) => ({ opcode: "EXECUTE", prepared: { id: bytes, resultMetadataId: bytes, bind: [], result: [] } }),
      (bytes) => ({ opcode: "QUERY", query: "q", pageState: bytes }),
      (bytes) => ({ opcode: "OPTIONS", customPayload: { a: bytes } }),
      (bytes) => ({ opcode: "AUTH_RESPONSE", token: bytes }),
      (bytes) => ({ opcode: "BATCH", statements: [{ id: bytes }, { prepared: { id: bytes, resultMetadataId: bytes, bind: [], result: [] } }] }),
    ]) assert.equal(hex(codec.encode(make(short()), 1)), hex(codec.encode(make(whole), 1)));
    for (const make of [
      (bytes) => ({ cells: bytes, length: 1, columnCount: 1 }),
      (bytes) => ({ metadata: COLUMNS, rows: [], pagingState: bytes }),
    ]) assert.equal(hex(answer(make(short()))), hex(answer(make(whole))));
    assert.equal(murmur3Token(short()), murmur3Token(whole));
    assert.equal(hex(routingKey([short(), short()])), hex(routingKey([whole, whole])));
    assert.equal(decodeValue("blob", short()).length, 5000);
    assert.equal(encodeValue("blob", short()).length, 5000);
    assert.throws(() => decodeTablet(short()), code("CQL_DECODE"));
  });
});

test("bytes that are gone are an error, not none", () => {
  survives((codec) => {
    for (const message of [
      { opcode: "EXECUTE", id: detached() },
      { opcode: "AUTH_RESPONSE", token: detached() },
      { opcode: "QUERY", query: "q", pageState: detached() },
      { opcode: "OPTIONS", customPayload: { a: detached() } },
      { opcode: "QUERY", query: "q", params: [detached()] },
    ]) assert.throws(() => codec.encode(message, 1), code("CQL_OPTION", "CQL_ENCODE"));
    for (const chunk of [detached(), detached().buffer]) assert.throws(() => codec.feed(chunk), code("CQL_OPTION"));
    assert.throws(() => murmur3Token(detached()), code("CQL_OPTION"));
    assert.throws(() => routingKey([detached()]), code("CQL_OPTION"));
    assert.throws(() => decodeTablet(detached()), code("CQL_OPTION"));
    for (const type of ["blob", "text", "int", "boolean", "uuid", "vector<float, 1>", "list<int>"]) {
      assert.throws(() => decodeValue(type, detached()), code("CQL_OPTION"), type);
      // Gone only while the type is read.
      const bytes = new Uint8Array(4);
      const sly = { get kind() { if (bytes.length) structuredClone(bytes.buffer, { transfer: [bytes.buffer] }); return parseType(type).kind; }, get of() { return parseType(type).of; }, get dimension() { return parseType(type).dimension; } };
      assert.throws(() => decodeValue(sly, bytes), code("CQL_OPTION"), type);
    }
  });
});

test("getters run before the codec is at work, each once", () => {
  survives((codec) => {
    const calling = new Proxy(["A"], {
      get(target, key, receiver) {
        if (key === "0") codec.flush();
        return Reflect.get(target, key, receiver);
      },
    });
    codec.encode({ opcode: "REGISTER", eventTypes: calling }, 1);
    for (const [opcode, field, second] of [["QUERY", "query", 5], ["PREPARE", "query", 5], ["AUTH_RESPONSE", "token", revoked()]]) {
      let reads = 0;
      const message = { opcode, get [field]() { return reads++ ? second : field === "query" ? "q" : new Uint8Array(1); } };
      codec.encode(message, 1);
      assert.equal(reads, 1, opcode);
    }
    let reads = 0;
    codec.encode({ opcode: "BATCH", statements: [{ get query() { return reads++ ? 5 : "q"; } }] }, 1);
    assert.equal(new Codec({ version: 4 }).offer({ get metadataId() { codec.flush(); return true; } }), undefined);
  });
});

test("what cannot be read is said so, with its cause", () => {
  const cause = new Error("of the getter");
  const thrower = (name) => Object.defineProperty({ opcode: "QUERY", query: "q" }, name, { enumerable: true, get() { throw cause; } });
  survives((codec) => {
    for (const name of ["opcode", "query", "params", "customPayload", "stream"]) {
      assert.throws(() => codec.encode(thrower(name), 1), (error) => code("CQL_OPTION")(error) && error.cause === cause, name);
    }
    for (const [name, run] of Object.entries({
      message: () => codec.encode(revoked(), 1),
      params: () => codec.encode({ opcode: "QUERY", query: "q", params: revoked() }, 1),
      prepared: () => codec.encode({ opcode: "EXECUTE", prepared: revoked() }, 1),
      options: () => new Codec(revoked()),
      values: () => new Codec({ values: revoked() }),
      established: () => new Codec({ established: revoked() }),
      offer: () => new Codec().offer(revoked()),
      chunk: () => codec.feed(revoked()),
      encodeValue: () => encodeValue("int", 1, revoked()),
      routingKey: () => routingKey(revoked([])),
      shardOf: () => shardOf(1n, revoked()),
      encodeTablet: () => encodeTablet(revoked()),
      scyllaOptions: () => scyllaOptions(revoked()),
      messageText: () => messageText(revoked()),
      messageTextGetter: () => messageText(thrower("params")),
      messageStream: () => messageStream(revoked()),
      timeuuid: () => timeuuid(revoked()),
      typeOf: () => encodeValue({ kind: "list", of: revoked([]) }, [1]),
    })) assert.throws(run, code("CQL_OPTION", "CQL_VALUE", "CQL_TYPE"), name);
  });
});

test("the trap of another module, in a caller's iterator or getter, is not this one's", () => {
  const trap = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  const query = (type, value) => ({ opcode: "QUERY", query: "q", params: [value], types: [type] });
  const udt = { kind: "udt", keyspace: "k", name: "u", names: ["a"], of: ["int"] };
  survives((codec) => {
    assert.throws(() => codec.encode(query("list<int>", { [Symbol.iterator]: trap }), 1), code("CQL_ENCODE"));
    assert.throws(() => codec.encode(query("map<text, int>", { get a() { return trap(); } }), 1), code("CQL_ENCODE"));
    assert.throws(() => codec.encode(query(udt, { get a() { return trap(); } }), 1), code("CQL_ENCODE"));
    assert.throws(() => codec.encode({ opcode: "QUERY", query: "q", get params() { return trap(); } }, 1), code("CQL_OPTION"));
    assert.throws(() => codec.encode({ opcode: "QUERY", query: "q", params: { get a() { return trap(); } } }, 1), code("CQL_OPTION"));
  });
});

test("limits that are undefined are the default ones", () => {
  const codec = client({ limits: { frameBody: undefined, nullSlots: undefined } });
  const [message] = codec.feed(server().encode({ opcode: "AUTHENTICATE", authenticator: "x" }, 1));
  assert.equal(message.authenticator, "x");
});

test("fields called as Object's own are no fields, and names as Object's own are names", () => {
  const refused = JSON.parse('[{"__proto__": 1}, {"constructor": 1}, {"toString": 1}]');
  for (const fields of refused) {
    const message = Object.defineProperties({ opcode: "OPTIONS" }, Object.getOwnPropertyDescriptors(fields));
    assert.throws(() => client().encode(message, 1), (error) => code("CQL_OPTION")(error) && /has no field/.test(error.message));
  }
  const params = JSON.parse('{"__proto__": null, "constructor": null}');
  const [request] = server().feed(client().encode({ opcode: "QUERY", query: "q", params, types: {} }, 1));
  assert.deepEqual(request.names, ["__proto__", "constructor"]);
  assert.throws(() => client().encode({ opcode: "QUERY", query: "q", params: { "\ud800": null } }, 1), code("CQL_PARAMS"));
});

test("fields of a message's class count as its own", () => {
  class Strict {
    opcode = "QUERY";
    query = "q";
    get consistency() {
      return "ALL";
    }
  }
  assert.equal(hex(client().encode(new Strict(), 1)), hex(client().encode({ opcode: "QUERY", query: "q", consistency: "ALL" }, 1)));
});

test("a type that has changed is the changed one", () => {
  const type = { kind: "int" };
  assert.equal(encodeValue(type, 1).length, 4);
  type.kind = "bigint";
  assert.equal(encodeValue(type, 1).length, 8);
  const list = { kind: "list", of: [{ kind: "int" }] };
  assert.equal(encodeValue(list, [1]).length, 12);
  list.of[0].kind = "bigint";
  assert.equal(encodeValue(list, [1]).length, 16);
});

test("a statement made by hand, its types as text, is bound and read by them; one that cannot be read is refused when it is sent", () => {
  const prepared = { opcode: "RESULT", kind: "Prepared", id: Uint8Array.of(1), resultMetadataId: new Uint8Array(0), bind: COLUMNS, result: COLUMNS };
  for (const trace of [false, true]) {
    const codec = client({ trace });
    assert.throws(() => codec.encode({ opcode: "EXECUTE", prepared, params: ["x", "x"] }, 1), /string for int: expected a whole number/);
    codec.encode({ opcode: "EXECUTE", prepared, params: [1, "x"] }, 1);
    const [page] = codec.feed(answer({ metadata: COLUMNS, rows: [[5, "y"]], noMetadata: true }));
    assert.deepEqual(page.rows, [{ a: 5, b: "y" }]);
    const bad = { ...prepared, bind: [], result: [{ name: "a", type: "nonsense" }] };
    assert.throws(() => codec.encode({ opcode: "EXECUTE", prepared: bad }, 1), code("CQL_TYPE"));
    // One that turns bad later concerns its own answer alone.
    const result = [{ name: "a", type: "int" }];
    codec.encode({ opcode: "EXECUTE", prepared: { ...prepared, bind: [], result } }, 1);
    result[0].type = "nonsense";
    const nothing = (stream) => server().encode({ opcode: "RESULT", kind: "Void" }, stream);
    const page1 = answer({ metadata: COLUMNS.slice(0, 1), rows: [[5]], noMetadata: true });
    const read = codec.feed(Buffer.concat([nothing(2), page1, nothing(3)]));
    assert.deepEqual(read.map((message) => [message.stream, message.error?.code]), [[2, undefined], [1, "CQL_DECODE"], [3, undefined]]);
  }
});

test("decode says what it takes", () => {
  const [page] = client().feed(answer({ metadata: COLUMNS, rows: [[5, "y"]], noMetadata: true }));
  for (const bad of [undefined, null, 5, "x", {}, { result: undefined }, revoked()]) assert.throws(() => page.decode(bad), code("CQL_OPTION"));
  assert.deepEqual(page.decode(COLUMNS).rows, [{ a: 5, b: "y" }]);
});

test("rows are written whole: columns without a length, two columns of one name, the columns of another copy", () => {
  const twice = [{ name: "a", type: "int" }, { name: "a", type: "int" }];
  const bytes = answer({ metadata: twice, rows: [[5, 6], [empty, null]] });
  const [page] = client().feed(bytes);
  assert.equal(hex(answer({ metadata: page.metadata, columns: page.columns })), hex(bytes));
  assert.throws(() => answer({ metadata: page.metadata, columns: page.columns, length: 1 }), code("CQL_PARAMS"));
  assert.throws(() => answer({ metadata: page.metadata, rows: page.rows }), code("CQL_PARAMS"));
  const [copied] = new other.Codec({ established }).feed(bytes);
  assert.equal(hex(server().encode(copied, 1)), hex(bytes));
});

test("statements of another copy, and objects of another realm", () => {
  const prepared = new other.Codec({ established }).feed(server().encode({ opcode: "RESULT", kind: "Prepared", id: Uint8Array.of(1), bind: COLUMNS, result: COLUMNS }, 1))[0];
  const codec = client();
  codec.encode({ opcode: "EXECUTE", prepared, params: [1, "x"] }, 1);
  assert.deepEqual(codec.feed(answer({ metadata: COLUMNS, rows: [[5, "y"]], noMetadata: true }))[0].rows, [{ a: 5, b: "y" }]);
  const message = "({ opcode: 'QUERY', query: 'q', params: [1, new Map([['a', 1]])], types: ['int', 'map<text, int>'], customPayload: { a: new Uint8Array(1) } })";
  assert.equal(hex(client().encode(vm.runInNewContext(message), 1)), hex(client().encode((0, eval)(message), 1)));
  assert.match(timeuuid(vm.runInNewContext("new Date(5)")), /-1/);
});

test("texts that are none", () => {
  for (const from of [Decimal.from, Duration.from, LocalDate.from, LocalTime.from, timeuuidDate, parseType]) {
    for (const none of [undefined, null, Symbol("x"), {}, Object.create(null), []]) assert.throws(() => from(none), code("CQL_VALUE", "CQL_TYPE"));
  }
  for (const none of [null, {}, { [Symbol.toStringTag]: "Date" }, new Date(NaN)]) assert.throws(() => timeuuid(none), code("CQL_VALUE"));
});

test("the text of rows is the same each time", () => {
  const [page] = client().feed(answer({ metadata: COLUMNS, rows: [], warnings: ["w"] }));
  const once = messageText(page);
  assert.equal(messageText(page), once);
  assert.equal(once.split("warnings").length, 2);
});

test("thousands of columns by name take no time", () => {
  const names = Array.from({ length: 30_000 }, (_, index) => `column${index}`);
  const metadata = names.map((name) => ({ name, type: "int" }));
  const row = Object.fromEntries(names.map((name, index) => [name, index]));
  const start = performance.now();
  answer({ metadata, rows: [row, row, row], noMetadata: true });
  assert.ok(performance.now() - start < 3000);
});

test("what no frame can hold is refused before the codec asks for its room", () => {
  survives((codec) => {
    const large = new Uint8Array(2 ** 31);
    const half = large.subarray(0, 200 << 20);
    assert.throws(() => codec.encode({ opcode: "AUTH_RESPONSE", token: large }, 1), code("CQL_OPTION"));
    assert.throws(() => codec.encode({ opcode: "QUERY", query: "x".repeat(2 ** 29 - 24) }, 1), code("CQL_OPTION"));
    assert.throws(() => codec.encode({ opcode: "OPTIONS", customPayload: { a: half, b: half } }, 1), code("CQL_OPTION"));
    for (const use of [murmur3Token, decodeTablet, (bytes) => decodeValue("blob", bytes)]) assert.throws(() => use(large), code("CQL_OPTION"));
  });
});
