// The demo: 2,000 documents with embeddings of 384 floats go into a real Cassandra and come back as typed columns; the ranking made
// from them here is checked against the server's own. Needs CQL=host:port (tools/demo.sh starts a server).
import { Codec, encodeValue } from "cqlwire";
import { Client, CqlError } from "cqlwire/client";

const DIMENSION = 384;
const PER_TOPIC = 200;
const PER_BATCH = 50;
const KEYSPACE = "cqlwire_demo";
const TOPICS = {
  astronomy: "comet nebula orbit eclipse pulsar telescope",
  baking: "sourdough crust oven yeast rye proofing",
  cycling: "derailleur tarmac climb peloton saddle sprint",
  databases: "partition replica compaction memtable quorum index",
  gardening: "compost trellis seedling mulch pruning loam",
  jazz: "syncopation quartet ballad trumpet swing chorus",
  linguistics: "phoneme syntax dialect morpheme vowel cadence",
  oceans: "current reef plankton tide trench salinity",
  railways: "gauge signal sleeper junction viaduct timetable",
  volcanoes: "magma caldera basalt plume ash fissure",
};

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (colour ? `\x1b[${code}m${text}\x1b[0m` : String(text));
const [bold, dim, green, red, cyan] = ["1", "2", "32", "31", "36"].map(paint);
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const kib = (bytes) => `${(bytes / 1024).toFixed(0).replace(/\B(?=(\d{3})+$)/g, ",")} KiB`;
const count = (n) => n.toLocaleString("en");
const row = (name, text) => console.log(`  ${dim(name.padEnd(11))} ${text}`);

/** Time inside the codec, and what it did: measured where the client calls it. */
const spent = { encode: 0, decode: 0, requests: 0 };
const codecs = new Set();
function measure(method, part, counted = 0) {
  const original = Codec.prototype[method];
  Codec.prototype[method] = function (...args) {
    codecs.add(this);
    const start = performance.now();
    try {
      return original.apply(this, args);
    } finally {
      spent[part] += performance.now() - start;
      spent.requests += counted;
    }
  };
}
measure("write", "encode", 1);
measure("flush", "encode");
measure("feed", "decode");

/** What a phase cost. */
function snapshot() {
  const total = { ...spent, at: performance.now(), received: 0, framesReceived: 0, sent: 0, framesSent: 0 };
  for (const codec of codecs) for (const [name, bytes] of Object.entries(codec.traffic)) total[name] += bytes;
  return total;
}
function since(before) {
  const now = snapshot();
  return Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - before[name]]));
}

/** Fixed pseudo-random numbers (mulberry32), so that every run is the same. */
let seed = 20_240_229;
function random() {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const around = (centre, spread) => Float32Array.from({ length: DIMENSION }, (_, i) => (centre ? centre[i] : 0) + spread * gaussian());

function documents() {
  const centres = {};
  const docs = [];
  for (const [topic, words] of Object.entries(TOPICS)) {
    centres[topic] = around(null, 1);
    const list = words.split(" ");
    for (let id = 0; id < PER_TOPIC; id++) {
      const first = Math.floor(random() * list.length);
      const second = (first + 1 + Math.floor(random() * (list.length - 1))) % list.length;
      docs.push({ topic, id, title: `${list[first]} and ${list[second]}, ${id}`, embedding: around(centres[topic], 1.5) });
    }
  }
  return { docs, centres };
}

async function write(client, docs) {
  const query = `INSERT INTO ${KEYSPACE}.docs (topic, id, title, embedding) VALUES (?, ?, ?, ?)`;
  // One half as values, the other half as cells that are serialised already: both are parameters as they are.
  const params = docs.map(({ topic, id, title, embedding }, index) =>
    index % 2 === 0
      ? [topic, id, title, embedding]
      : [encodeValue("text", topic), encodeValue("int", id), encodeValue("text", title), encodeValue(`vector<float, ${DIMENSION}>`, embedding)],
  );
  const batches = [];
  for (let at = 0; at < params.length; at += PER_BATCH) batches.push(params.slice(at, at + PER_BATCH).map((params) => ({ query, params })));
  const before = snapshot();
  let next = 0;
  const worker = async () => {
    while (next < batches.length) await client.batch(batches[next++], { type: "UNLOGGED" });
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return { ...since(before), batches: batches.length };
}

async function read(client) {
  const before = snapshot();
  const pages = [];
  for await (const page of client.pages(`SELECT topic, id, title, embedding FROM ${KEYSPACE}.docs`, [], { pageSize: 500 })) {
    pages.push({ embedding: page.column("embedding"), topic: page.column("topic"), id: page.column("id"), title: page.column("title") });
  }
  return { pages, ...since(before) };
}

/** Cosine of each document of each page with the query, from the pages' Float32Arrays. */
function rank(pages, query) {
  const norm = (values, from) => {
    let sum = 0;
    for (let i = 0; i < DIMENSION; i++) sum += values[from + i] ** 2;
    return Math.sqrt(sum);
  };
  const queryNorm = norm(query, 0);
  const scores = [];
  for (const { embedding, topic, id, title } of pages) {
    const { values, stride } = embedding;
    for (let r = 0; r < embedding.length; r++) {
      let dot = 0;
      for (let i = 0; i < DIMENSION; i++) dot += values[r * stride + i] * query[i];
      scores.push({ topic: topic.at(r), id: id.at(r), title: title.at(r), cosine: dot / (norm(values, r * stride) * queryNorm) });
    }
  }
  return scores.sort((a, b) => b.cosine - a.cosine);
}

/** The server's own scores, (1 + cosine) / 2, best first. */
async function serverRank(client, query) {
  const result = await client.execute(`SELECT topic, id, similarity_cosine(embedding, ?) AS score FROM ${KEYSPACE}.docs`, [query]);
  const scores = [];
  for await (const { topic, id, score } of result) scores.push({ topic, id, cosine: 2 * score - 1 });
  return scores.sort((a, b) => b.cosine - a.cosine);
}

/** Scores equal within 1e-5 of the server's scale, and the same order but for ties. */
function compare(ours, theirs) {
  const key = (doc) => `${doc.topic}/${doc.id}`;
  const server = new Map(theirs.map((doc) => [key(doc), doc.cosine]));
  if (ours.length !== theirs.length || server.size !== theirs.length) throw new Error(`${ours.length} documents here, ${theirs.length} there`);
  let largest = 0;
  ours.forEach((doc, rank) => {
    const difference = Math.abs(doc.cosine - server.get(key(doc))) / 2;
    largest = Math.max(largest, difference);
    if (!(difference <= 1e-5)) throw new Error(`${key(doc)}: cosine ${doc.cosine} here, ${server.get(key(doc))} there`);
    const tie = Math.abs(doc.cosine - theirs[rank].cosine) <= 1e-6;
    if (key(doc) !== key(theirs[rank]) && !tie) throw new Error(`rank ${rank + 1} is ${key(doc)} here, ${key(theirs[rank])} there`);
  });
  return largest;
}

async function main() {
  const address = process.env.CQL;
  if (!address) throw new Error("CQL is not set: expected host:port of a Cassandra 5 (make demo starts one)");
  const client = await Client.connect({ contactPoints: [address] });
  try {
    const { rows: [node] } = await client.execute("SELECT cluster_name, release_version FROM system.local");
    console.log(`\n${bold("cqlwire")}: ${count(PER_TOPIC * Object.keys(TOPICS).length)} embeddings into a real Cassandra and back\n`);
    row("server", `Apache Cassandra ${cyan(node.release_version)} at ${address}, protocol ${cyan(`v${client.protocolVersion}`)}, compression ${cyan(client.compression)}`);
    if (client.protocolVersion !== 5 || client.compression !== "lz4") throw new Error("expected protocol v5 with lz4");

    await client.execute(`DROP KEYSPACE IF EXISTS ${KEYSPACE}`);
    await client.execute(`CREATE KEYSPACE ${KEYSPACE} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`);
    await client.execute(`CREATE TABLE ${KEYSPACE}.docs (topic text, id int, title text, embedding vector<float, ${DIMENSION}>, PRIMARY KEY (topic, id))`);
    const { docs, centres } = documents();

    const written = await write(client, docs);
    row("written", `${count(docs.length)} rows in ${written.batches} batches, each within one partition; ${written.requests} requests`);
    row("", `half of the parameters Uint8Array (serialised before), half values with Float32Array`);
    row("", `${kib(written.sent)} on the wire, ${kib(written.framesSent)} as frames`);
    row("", `${ms(written.at)}, ${ms(written.encode)} of it in the codec`);

    const got = await read(client);
    const floats = got.pages.reduce((sum, { embedding }) => sum + embedding.values.length, 0);
    const isOneArray = got.pages.every(({ embedding }) => embedding.values instanceof Float32Array && embedding.stride === DIMENSION);
    if (!isOneArray || floats !== docs.length * DIMENSION) throw new Error(`${floats} floats came back`);
    row("read", `${count(docs.length)} rows in ${got.pages.length} pages; ${got.requests} requests`);
    row("", `each page's vectors are one Float32Array: ${count(floats)} floats`);
    row("", `${kib(got.received)} on the wire, ${kib(got.framesReceived)} decompressed`);
    row("", `${ms(got.at)}, ${ms(got.decode)} of it in the codec`);

    // Something between two topics.
    const query = Float32Array.from(centres.oceans, (value, i) => value + centres.volcanoes[i]);
    const start = performance.now();
    const ours = rank(got.pages, query);
    const ranked = performance.now() - start;
    const theirs = await serverRank(client, query);
    row("ranked", `${ms(ranked)} for ${count(ours.length)} cosines in JavaScript, straight from those arrays`);

    console.log(`\n  ${bold("nearest to “where oceans and volcanoes meet”".padEnd(67))}${bold("here")}     ${bold("server")}`);
    const best = ours[0].cosine;
    const serverOf = new Map(theirs.map((doc, rank) => [`${doc.topic}/${doc.id}`, { ...doc, rank: rank + 1 }]));
    ours.slice(0, 10).forEach((doc, index) => {
      const server = serverOf.get(`${doc.topic}/${doc.id}`);
      const bar = "█".repeat(Math.round((doc.cosine / best) * 18)).padEnd(18);
      const name = `${doc.topic.padEnd(10)} ${doc.title}`.padEnd(42);
      console.log(`  ${String(index + 1).padStart(2)} ${name} ${cyan(bar)}  ${doc.cosine.toFixed(5)}  ${server.cosine.toFixed(5)} ${dim(`#${server.rank}`)}`);
    });

    const difference = compare(ours, theirs);
    console.log(`\n  ${green("✓")} all ${count(ours.length)} scores agree with the server's similarity_cosine within ${difference.toExponential(1)}, and so does their order`);
    await client.execute(`DROP KEYSPACE ${KEYSPACE}`);
    console.log(`  ${green("✓")} keyspace ${KEYSPACE} dropped again\n`);
  } finally {
    await client.close();
  }
}

main().catch((error) => {
  const detail = error instanceof CqlError ? `${error.code}: ${error.message}` : error.message;
  console.error(`${red("error:")} ${detail}`);
  process.exitCode = 1;
});
