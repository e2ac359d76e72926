// Values on their way into a message: noted as steps in room that Rust reads (`src/value/steps.rs`), many handed over in one call.
import type { Conn, Metadata, Steps as Room } from "#glue";
import type { CqlType } from "../../types/index.js";
import { NUMBER_BYTES, NUMBERS, type Numbers, blockStep, copyNumbers } from "./block.ts";
import { arrayBuffer, arrayBytes, arrayKind, arrayOffset, isWellFormed } from "./given.ts";
import type { ValueSettings } from "./value-options.ts";
import { currentGeneration, instance, memory, writeText } from "./wasm.ts";

/** Bytes of the room; the steps stand first, 16 bytes each, then bytes and texts. */
const SIZE = 65_536;
const MOST_STEPS = 1024;
const DATA = MOST_STEPS * 16;
/** Longer bytes and texts go straight into the message. */
export const MOST_BYTES = 4096;

/** Kinds of steps, as `src/value/steps.rs` has them; those of typed arrays in block.ts. */
export const STEP = { null: 0, unset: 1, empty: 2, boolean: 3, number: 4, int64: 5, days: 6, nanoseconds: 7, text: 8, bytes: 9, begin: 10, end: 11, statement: 12 };
/** Bit 8: begins a parameter. Its column stands in the upper half. */
const BEGINS = 1 << 8;
/** A server's rows can have more columns. */
const MOST_COLUMN = 0xffff;

function copyBytes(from: Uint8Array, to: Uint8Array, at: number, length: number): void {
  if (length > 24) return to.set(from, at);
  for (let i = 0; i < length; i++) to[at + i] = from[i]!; // for so few, a call costs more
}

/** A parameter or cell that was being written when an error came, for its text. */
export interface Place {
  readonly group: number;
  readonly column: number;
  readonly value: unknown;
}

export class Steps {
  conn!: Conn;
  /** Describes the parameters' columns. */
  types!: Metadata;
  specs!: readonly { readonly type: CqlType }[];
  /** Says which parameter it is. */
  where!: (group: number, column: number) => string;
  /** What `undefined` stands for, if for anything. */
  undefinedAs: ValueSettings["undefinedAs"];
  /** Statement or row, for `where`. */
  group = 0;
  /** The value that is being noted. */
  current: unknown;
  /** Rust is at work on the values, or ended with an error: so what was thrown is its own. */
  isCalling = false;

  readonly generation = currentGeneration();
  readonly #room: Room;
  readonly #at: number;
  readonly #groups = new Int32Array(MOST_STEPS);
  readonly #values: unknown[] = new Array<unknown>(MOST_STEPS).fill(undefined);
  readonly #items: unknown[] = [];
  #count = 0;
  #data = DATA;
  #text = "";
  #column = 0;
  #begins = 0;

  constructor() {
    this.#room = new (instance().Steps)(SIZE);
    this.#at = this.#room.room();
  }

  /** What follows is for these columns. */
  use(types: Metadata, specs: readonly { readonly type: CqlType }[], where: (group: number, column: number) => string): void {
    if (types !== this.types) this.run();
    this.types = types;
    this.specs = specs;
    this.where = where;
  }

  /** The next value is a parameter of this column; one that has begun already, with its name. */
  parameter(column: number, isBegun: boolean): void {
    if (column > MOST_COLUMN || this.#column > MOST_COLUMN) {
      this.run();
      if (!isBegun) this.#call((conn) => conn.value(this.types, column));
      isBegun = true;
    }
    this.#begins = isBegun ? 0 : BEGINS;
    this.#column = column;
  }

  /**
   * What stands in a caller's array, the same array each time. A getter in it may encode another value, for which the memory grows: so it runs
   * before the memory is looked at.
   */
  items(array: readonly unknown[], count: number): readonly unknown[] {
    const items = this.#items;
    if (items.length !== count) items.length = count;
    for (let i = 0; i < count; i++) items[i] = array[i];
    return items;
  }

  /**
   * Notes `values`, one for each column, in an array that runs no code. The kinds that come most are noted right here, because a few calls for each value would be half of its
   * cost; `other` notes the rest.
   */
  parameters(values: readonly unknown[], other: (steps: Steps, column: number, value: unknown) => void): void {
    const { specs } = this;
    let views = memory(); // until the next call into the codec, which `other` may make
    for (let column = 0; column < specs.length; column++) {
      const value = values[column];
      const count = this.#count;
      const at = (this.#at >>> 2) + count * 4;
      if (count < MOST_STEPS) {
        const begins = BEGINS | (column << 16);
        if (typeof value === "number") {
          const { words, floats } = views;
          words[at] = STEP.number | begins;
          floats[(at >>> 1) + 1] = value;
          this.#noted(count, value);
          continue;
        }
        if (typeof value === "string") {
          if (specs[column]!.type.kind === "text" && value.length <= MOST_BYTES && this.#data + (this.#text.length + value.length) * 3 <= SIZE) {
            const { words } = views;
            words[at] = STEP.text | begins;
            words[at + 1] = value.length;
            this.#text += value;
            this.#noted(count, value);
            continue;
          }
        } else if (value === null) {
          views.words[at] = STEP.null | begins;
          this.#noted(count, value);
          continue;
        }
        const kind = typeof value === "object" && value !== null ? arrayKind(value) : undefined;
        if (kind !== undefined) {
          const type = specs[column]!.type;
          const step = kind === "Uint8Array" ? STEP.bytes : blockStep(kind, type);
          const length = arrayBytes(value);
          const data = this.#data;
          if (step > 0 && length > 0 && length <= MOST_BYTES && data + length + this.#text.length * 3 <= SIZE) {
            const { words } = views;
            words[at] = step | begins;
            words[at + 1] = length;
            words[at + 2] = data;
            words[at + 3] = 0;
            if (step === STEP.bytes) copyBytes(value as Uint8Array, views.bytes, this.#at + data, length);
            else copyNumbers(step, value as Float32Array, views, this.#at + data);
            this.#data = (data + length + 7) & ~7;
            this.#noted(count, value);
            continue;
          }
        }
      }
      other(this, column, value);
      views = memory();
    }
  }

  #noted(count: number, value: unknown): void {
    this.#groups[count] = this.group;
    this.#values[count] = value;
    this.#count = count + 1;
  }

  /** The place of the number that belongs to the step, in words. */
  #step(kind: number, count: number): number {
    if (this.#count === MOST_STEPS) this.run();
    const { words } = memory();
    const at = (this.#at >>> 2) + this.#count * 4;
    words[at] = kind | this.#begins | (this.#column << 16);
    words[at + 1] = count;
    this.#begins = 0;
    this.#groups[this.#count] = this.group;
    this.#values[this.#count++] = this.current;
    return at + 2;
  }

  put(kind: number, count = 0): void {
    this.#step(kind, count);
  }

  number(value: number): void {
    const at = this.#step(STEP.number, 0);
    memory().floats[at >>> 1] = value;
  }

  int64(value: bigint, kind = STEP.int64): void {
    const at = this.#step(kind, 0);
    memory().longs[at >>> 1] = value;
  }

  text(value: string): void {
    if (value.length > MOST_BYTES) return this.#longText(value);
    if ((this.#text.length + value.length) * 3 > SIZE - this.#data) this.run();
    this.#step(STEP.text, value.length);
    this.#text += value;
  }

  #longText(value: string): void {
    if (!isWellFormed(value)) throw new Surrogate();
    const most = value.length * 3;
    this.direct((conn) => {
      const at = conn.open_text(most);
      conn.close_text(writeText(value, at, most));
    });
  }

  /** Bytes that are no array's but these, so that their length is true. */
  bytes(bytes: Uint8Array, length: number): void {
    if (length > MOST_BYTES) {
      return this.direct((conn) => {
        const at = conn.open_bytes(length); // before the memory is looked at: it may grow
        memory().bytes.set(bytes, at);
      });
    }
    const at = this.#place(STEP.bytes, length, length);
    memory().bytes.set(bytes, at);
  }

  /** The elements of a typed array, `length` bytes, for a vector of just that type. */
  numbers(step: number, array: Numbers, length: number): void {
    if (length > MOST_BYTES) {
      const from = new Uint8Array(arrayBuffer(array), arrayOffset(array), length);
      return this.direct((conn) => {
        const kind = step - NUMBERS;
        const at = conn.open_numbers(kind, length / NUMBER_BYTES[kind]!); // not the array's own length, which may lie
        memory().bytes.set(from, at);
        conn.close_numbers();
      });
    }
    const at = this.#place(step, length, length);
    copyNumbers(step, array, memory(), at);
  }

  /** A step whose bytes stand in the room: their address. */
  #place(kind: number, count: number, length: number): number {
    if (this.#data + length + this.#text.length * 3 > SIZE) this.run();
    const at = this.#step(kind, count);
    const { words } = memory();
    words[at] = this.#data;
    words[at + 1] = 0;
    const address = this.#at + this.#data;
    this.#data = (this.#data + length + 7) & ~7;
    return address;
  }

  /** A value that has a call of its own. */
  direct(call: (conn: Conn) => void): void {
    const { current } = this;
    const begins = this.#begins;
    this.run();
    this.#begins = 0;
    this.current = current;
    this.#call((conn) => {
      if (begins) conn.value(this.types, this.#column);
      call(conn);
    });
  }

  #call(call: (conn: Conn) => void): void {
    this.isCalling = true;
    call(this.conn);
    this.isCalling = false;
  }

  /** Hands over what is noted. */
  run(): void {
    const count = this.#count;
    if (count === 0) return;
    const units = this.#text.length;
    this.isCalling = true;
    const written = units === 0 ? 0 : writeText(this.#text, this.#at + this.#data, units * 3);
    if (written !== units && !isWellFormed(this.#text)) this.#refuseSurrogate();
    this.conn.run(this.#room, this.types, count, this.#data, written, units);
    this.isCalling = false;
    this.#clear();
  }

  /** Up to the text that has one. */
  #refuseSurrogate(): never {
    this.isCalling = false;
    const [count, texts] = [this.#count, this.#values.slice(0, this.#count)];
    const isText = (step: number): boolean => this.#kindOf(step) === STEP.text;
    const bad = texts.findIndex((text, step) => isText(step) && !isWellFormed(text as string));
    const place = { group: this.#groups[bad]!, column: this.#columnOf(bad), value: texts[bad] };
    this.#text = texts.slice(0, bad).filter((_, step) => isText(step)).join("");
    this.#count = bad;
    this.run();
    this.#values.fill(undefined, 0, count);
    throw new Surrogate(place);
  }

  #kindOf(step: number): number {
    return memory().words[(this.#at >>> 2) + step * 4]! & 0xff;
  }

  #columnOf(step: number): number {
    // Of so high a column, its parameter is all that is noted.
    return this.#column > MOST_COLUMN ? this.#column : memory().words[(this.#at >>> 2) + step * 4]! >>> 16;
  }

  #clear(): void {
    for (let step = 0; step < this.#count; step++) this.#values[step] = undefined;
    this.#count = 0;
    this.#data = DATA;
    this.#text = "";
  }

  /** Nothing is noted, nothing is held. */
  reset(): void {
    this.#clear();
    this.#items.fill(undefined);
    this.current = this.conn = this.types = this.specs = this.where = undefined!;
    this.#begins = this.#column = this.group = 0;
    this.isCalling = false;
  }

  /** The value that failed: of the step that Rust refused, or the one that is being noted. None where a statement was refused. */
  failed(): Place | undefined {
    if (this.#count === 0) return { group: this.group, column: this.#column, value: this.current };
    const step = this.conn.failed_step();
    if (this.#kindOf(step) === STEP.statement) return undefined;
    return { group: this.#groups[step]!, column: this.#columnOf(step), value: this.#values[step] };
  }
}

/** A text that has no UTF-8 form; of which value, where that is not the one being noted. */
export class Surrogate extends Error {
  readonly place: Place | undefined;
  constructor(place?: Place) {
    super("a lone surrogate has no UTF-8 form");
    this.place = place;
  }
}

/** Room that nobody uses now. One is enough, but for a getter in a value that encodes another value. */
let idle: Steps[] = [];

/** Lends room for the values of one message. */
export function withSteps<T>(conn: Conn, undefinedAs: ValueSettings["undefinedAs"], work: (steps: Steps) => T): T {
  let steps = idle.pop();
  if (steps?.generation !== currentGeneration()) {
    idle = [];
    steps = new Steps();
  }
  steps.conn = conn;
  steps.undefinedAs = undefinedAs;
  try {
    return work(steps);
  } finally {
    steps.reset();
    if (steps.generation === currentGeneration()) idle.push(steps);
  }
}
