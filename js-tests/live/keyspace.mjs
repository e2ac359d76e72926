// A keyspace of a test file's own, and connections that use it.
import { Raw } from "./raw.mjs";

/** For `before`: makes it and runs the statements in it. */
export async function makeKeyspace(name, ...statements) {
  const keyspace = `${name}_${process.pid}`;
  const raw = await Raw.open(5);
  await raw.query(`CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`);
  try {
    for (const query of statements) await raw.query(query, { keyspace });
  } catch (error) {
    await raw.query(`DROP KEYSPACE ${keyspace}`);
    throw error;
  }
  return { keyspace, raw };
}

/** For `after`. */
export async function dropKeyspace(made) {
  if (!made) return; // `before` failed, and said why
  await made.raw.query(`DROP KEYSPACE ${made.keyspace}`);
  made.raw.close();
}

/** A connection that uses it, for one test. */
export async function open(t, version, compression, { keyspace }) {
  const raw = await Raw.open(version, compression);
  t.after(() => raw.close());
  await raw.query(`USE ${keyspace}`);
  return raw;
}
