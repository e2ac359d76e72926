// Columns → row objects: by a function generated for the statement's names and types where the runtime allows code from text, by
// assignment where it does not (a content security policy, edge workers). Both make the same objects.
import type { ColumnSpec, CqlType, Row } from "../../types/index.js";
import { toDate } from "./cell.ts";
import { type Column, VECTORS } from "./column.ts";
import type { ValueSettings } from "./value-options.ts";
import { record } from "./values.ts";

/** `from`, `at`: of each column, what its cells are read from (`Column.source`), and where in the page they are; `validity`: its bitmap, or null. */
type MakeRows = (from: unknown[], at: number[], validity: (Uint8Array | null)[], length: number, date: typeof toDate) => Row[];

/** How the rows of these columns are made, kept with the columns' description and for the options: one for all pages of a statement. */
interface Plan {
  /** Of the columns, those whose names are not taken by an earlier one. */
  readonly kept: readonly number[];
  readonly names: readonly string[];
  readonly sources: readonly string[];
  /** By `Mode`. */
  readonly make: (MakeRows | undefined)[];
}

/** Of a page: nothing is null; something is; some cells come out as something else, which the columns' readers know. */
const [WHOLE, NULLS, ODD] = [0, 1, 2];

const plans = new WeakMap<readonly ColumnSpec[], WeakMap<ValueSettings, Plan>>();
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

/** What the cells of a type are read from, where that is not a function for each of them. */
function sourceOf(type: CqlType, { timestamps, int64, strings }: ValueSettings): string {
  switch (type.kind) {
    case "tinyint":
    case "smallint":
    case "int":
    case "float":
    case "double":
      return "values";
    case "boolean":
      return "boolean";
    case "bigint":
    case "counter":
      return int64 === "bigint" ? "values" : "reader";
    case "timestamp":
      return timestamps === "date" ? "date" : timestamps === "bigint" ? "values" : "reader";
    case "ascii":
    case "text":
    case "uuid":
    case "timeuuid":
      return strings === "sliced" ? "strings" : "reader";
    case "vector": {
      const of = type.of[0]!.kind;
      return of in VECTORS && (of !== "bigint" || int64 === "bigint") ? "vector" : "reader";
    }
    default:
      return "reader";
  }
}

function planOf(specs: readonly ColumnSpec[], settings: ValueSettings): Plan {
  let ofSpecs = plans.get(specs);
  if (!ofSpecs) plans.set(specs, (ofSpecs = new WeakMap()));
  const known = ofSpecs.get(settings);
  if (known) return known;
  const seen = new Set<string>();
  const kept = [...specs.keys()].filter((index) => !seen.has(specs[index]!.name) && seen.add(specs[index]!.name));
  const names = kept.map((index) => specs[index]!.name);
  const plan: Plan = { kept, names, sources: kept.map((index) => sourceOf(specs[index]!.type, settings)), make: [] };
  ofSpecs.set(settings, plan);
  return plan;
}

/** Reads cell i of column c: names of a column's variables end in its number. */
function expression(source: string, type: CqlType, c: number, mode: number): string {
  const array = VECTORS[type.of[0]?.kind ?? ""];
  const value = {
    values: `f${c}[i]`,
    strings: `f${c}[i]`,
    boolean: `f${c}[i]===1`,
    date: `date(f${c},(a${c}>>2)+2*i)`,
    vector: `new ${array?.name}(f${c},a${c}+${type.dimension! * (array?.BYTES_PER_ELEMENT ?? 0)}*i,${type.dimension})`,
  }[mode === ODD ? "reader" : source];
  if (value === undefined) return `f${c}(i)`; // which knows its nulls
  return mode === NULLS ? `v${c}!==null&&(v${c}[i>>3]>>(i&7)&1)===0?null:${value}` : value;
}

function generate(plan: Plan, specs: readonly ColumnSpec[], mode: number): MakeRows {
  const columns = plan.sources.map((source, c) => {
    // A computed key is an own property even when it is "__proto__"; JSON's text of a string is a JavaScript string.
    const name = plan.names[c] === "__proto__" ? '["__proto__"]' : JSON.stringify(plan.names[c]);
    return `${name}:${expression(source, specs[plan.kept[c]!]!.type, c, mode)}`;
  });
  const list = (letter: string) => columns.map((_, c) => letter + c).join(",");
  const body = `const [${list("f")}]=from,[${list("a")}]=at,[${list("v")}]=validity,rows=new Array(length);for(let i=0;i<length;i++)rows[i]={${columns.join(",")}};return rows`;
  return new Function("from", "at", "validity", "length", "date", body) as MakeRows;
}

/** The row objects. Of two columns with one name, the first has it. */
export function makeRows(specs: readonly ColumnSpec[], columns: readonly Column[], length: number, settings: ValueSettings): Row[] {
  const plan = planOf(specs, settings);
  if (plan.names.length > MOST_COLUMNS || !canGenerate()) {
    const readers = plan.kept.map((index) => columns[index]!.reader());
    return Array.from({ length }, (_, index) => record(readers.map((read, column): [string, unknown] => [plan.names[column]!, read(index)])));
  }
  let mode = WHOLE;
  const [from, at, validity]: [unknown[], number[], (Uint8Array | null)[]] = [[], [], []];
  for (const index of plan.kept) {
    const column = columns[index]!;
    validity.push(column.validity);
    at.push(column.placeInPage);
    mode = Math.max(mode, column.hasOdd ? ODD : column.validity ? NULLS : WHOLE);
  }
  for (let c = 0; c < plan.kept.length; c++) from.push(columns[plan.kept[c]!]!.source(mode === ODD ? "reader" : plan.sources[c]!));
  return (plan.make[mode] ??= generate(plan, specs, mode))(from, at, validity, length, toDate);
}
