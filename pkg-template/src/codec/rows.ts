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

/** How to make the row object of a row number. Of two columns with one name, the first has it. */
export function rowMaker(columns: readonly Column[], allowGenerated = true): MakeRow {
  const kept = columns.filter((column, index) => columns.findIndex((other) => other.name === column.name) === index);
  const names = kept.map((column) => column.name);
  const readers = kept.map((column): ((index: number) => unknown) => {
    if (column.length === 0) return () => null;
    const read = column.reader();
    return column.validity === null ? read : (index) => (column.isNull(index) ? null : read(index));
  });
  if (allowGenerated && names.length <= MOST_COLUMNS && canGenerate()) return generate(names)(readers);
  return (index) => record(readers.map((read, column) => [names[column]!, read(index)]));
}
