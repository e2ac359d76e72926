// A keyspace of a test file's own, and connections that use it.
import { Raw } from "./raw.mjs";

/** For `before`: makes it and runs the statements in it. */
export async function makeKeyspace(name, ...statements) {
  const made = { keyspace: `${name}_${process.pid}`, raw: await Raw.open(5) };
  try {
    await made.raw.query(`CREATE KEYSPACE ${made.keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`);
    for (const query of statements) await made.raw.query(query, { keyspace: made.keyspace });
    return made;
  } catch (error) {
    await dropKeyspace(made);
    throw error;
  }
}

/** For `after`. The connection ends in any case: an open one keeps the process alive. */
export async function dropKeyspace(made) {
  if (!made) return; // `before` failed, and said why
  try {
    await made.raw.query(`DROP KEYSPACE IF EXISTS ${made.keyspace}`);
  } finally {
    made.raw.close();
  }
}

/** A connection that uses it, for one test. */
export async function open(t, version, compression, { keyspace }) {
  const raw = await Raw.open(version, compression);
  t.after(() => raw.close());
  await raw.query(`USE ${keyspace}`);
  return raw;
}
