// Columns → row objects: by a constructor generated for the statement's names where the runtime allows code from text, by
// assignment where it does not (a content security policy, edge workers). Both make the same objects.
import type { Row } from "../../types/index.js";
import type { Column } from "./column.ts";
import { record } from "./values.ts";

type Readers = readonly ((index: number) => unknown)[];
type MakeRow = (index: number) => Row;
/** By the names, joined so that no two lists of names share a key. */
const generated = new Map<string, (readers: Readers) => MakeRow>();
const MOST_GENERATED = 1000;
/** A literal of more keys than this is no longer an object with a hidden class of its own. */
const MOST_COLUMNS = 128;

let mayGenerate: boolean | undefined;

function canGenerate(): boolean {
  if (mayGenerate === undefined) {
    try {
      mayGenerate = new Function("return true")() as boolean;
    } catch {
      mayGenerate = false;
    }
  }
  return mayGenerate;
}

function generate(names: readonly string[]): (readers: Readers) => MakeRow {
  const key = JSON.stringify(names);
  let make = generated.get(key);
  if (!make) {
    const list = names.map((_, index) => `c${index}`).join(",");
    // Computed keys are own properties even when they are "__proto__"; JSON's text of a string is a JavaScript string.
    const literal = names.map((name, index) => `[${JSON.stringify(name)}]:c${index}(i)`).join(",");
    make = new Function("readers", `const [${list}]=readers;return (i)=>({${literal}})`) as (readers: Readers) => MakeRow;
    if (generated.size >= MOST_GENERATED) generated.clear();
    generated.set(key, make);
  }
  return make;
}

/** The row objects. Of two columns with one name, the first has it. */
export function makeRows(columns: readonly Column[], length: number): Row[] {
  const seen = new Set<string>();
  const kept = columns.filter(({ name }) => !seen.has(name) && seen.add(name));
  const names = kept.map((column) => column.name);
  const readers = kept.map((column) => column.reader());
  const make: MakeRow =
    names.length <= MOST_COLUMNS && canGenerate()
      ? generate(names)(readers)
      : (index) => record(readers.map((read, column): [string, unknown] => [names[column]!, read(index)]));
  const rows = new Array<Row>(length);
  for (let index = 0; index < length; index++) rows[index] = make(index);
  return rows;
}
