// One message: its fields and its bytes side by side, each pointing at the other, and its values.
import type { MessageTrace, TraceField } from "../../types/index.js";
import { button, byId, el } from "./dom.ts";
import { HexPane, type Range } from "./hex.ts";
import type { Link } from "./link.ts";
import { type Found, traceOf } from "./messages.ts";
import { paramsTables, rowsTable } from "./tables.ts";
import { FieldTree, nameOf } from "./tree.ts";

/** What is shown only when asked for. */
const SECRET = /^AUTH_(RESPONSE|CHALLENGE|SUCCESS)\.token$/;
const HAS_SECRET = ["AUTH_RESPONSE", "AUTH_CHALLENGE", "AUTH_SUCCESS"];

export class Detail {
  readonly #onMessage: (found: Found) => void;
  readonly #tree: FieldTree;
  readonly #hex: HexPane;
  #isSecretShown = false;

  constructor(onMessage: (found: Found) => void) {
    this.#onMessage = onMessage;
    this.#tree = new FieldTree(byId("fields"), (field) => this.#valueOf(field), (field, isChosen) => {
      this.#mark(this.#tree.pathOf(field), false);
      if (isChosen) this.#hex.scrollTo(field.start);
    });
    this.#hex = new HexPane(byId("bytes"), (at, isChosen) => this.#mark(this.#tree.pathTo(at), isChosen));
  }

  show(bytes: Uint8Array, found: Found, own: Link, number: (found: Found) => number, isSecretShown = false): void {
    this.#isSecretShown = isSecretShown;
    const { message, way, from, to } = found;
    const trace: MessageTrace = traceOf(bytes, found, own.rows && own.statement && { ...own.statement.prepared, result: own.rows.metadata });
    // What does not decompress has no fields: its bytes as they came.
    const shown = trace.bytes.length ? trace.bytes : bytes.subarray(from, to);
    const secrets = isSecretShown || !HAS_SECRET.includes(message.opcode) ? [] : secretsIn(trace.fields);
    // Of a message that cannot be read, all that was not.
    if (!isSecretShown && message.error && HAS_SECRET.includes(message.opcode)) secrets.push({ start: trace.fields.at(-1)?.end ?? 0, end: shown.length });
    const partner = own.request ?? own.answer;
    byId("about").replaceChildren(
      el("strong", {}, `${number(found)}: ${message.opcode}${"kind" in message ? ` ${message.kind}` : ""}`),
      el("span", {}, way.role === "server" ? "request" : message.stream < 0 ? "event" : "response"),
      el("span", {}, `stream ${message.stream}`),
      el("span", {}, `version ${way.version}${way.segments ? `, in ${way.compression === "none" ? "segments" : "segments for LZ4"}` : ""}`),
      el("span", {}, `bytes ${from.toLocaleString("en")} to ${(to - 1).toLocaleString("en")} of the paste`),
      partner ? button(`${own.request ? "answers" : "answered by"} ${number(partner)}`, () => this.#onMessage(partner)) : "",
      secrets.length ? button("Show the token", () => this.show(bytes, found, own, number, true)) : "",
    );
    const { error } = message;
    byId("error").hidden = !error;
    byId("error").textContent = error ? `${error.code}: ${error.message}` : "";
    const notes = ("warnings" in message ? (message.warnings ?? []) : []).map((warning) => `Warning: ${warning}`);
    const left = trace.bytes.length - (trace.fields.at(-1)?.end ?? 0);
    if (!error && left > 0) notes.push(`The last ${left === 1 ? "byte is" : `${left.toLocaleString("en")} bytes are`} of no field.`);
    byId("notes").replaceChildren(...notes.map((note) => el("p", { class: "note" }, note)));
    this.#hex.show(shown, secrets);
    this.#tree.show(trace.fields);
    this.#mark([], false);
    const values: Node[] = [];
    if (own.params) values.push(el("h2", {}, "Values"), paramsTables(own.params));
    if (own.rows || own.rowsNote) values.push(el("h2", {}, "Rows"));
    if (own.rowsNote) values.push(el("p", { class: "note" }, own.rowsNote));
    if (own.rows) values.push(rowsTable(own.rows));
    byId("values").replaceChildren(...values);
  }

  #valueOf(field: TraceField): string {
    if (this.#isSecretShown || !SECRET.test(field.name)) return field.value ?? "";
    return field.value === "null" ? "null" : "•••";
  }

  #mark(path: readonly TraceField[], isRevealed: boolean): void {
    const field = path.at(-1);
    this.#tree.mark(path, isRevealed);
    this.#hex.mark(field ?? { start: 0, end: 0 });
    byId("where").textContent = field ? `bytes ${range(field)} · ${path.map(nameOf).join(" › ")}${field.fields ? "" : ` = ${this.#valueOf(field)}`}` : " ";
  }
}

const range = ({ start, end }: Range): string => (end - start === 1 ? String(start) : end === start ? `none at ${start}` : `${start} to ${end - 1}`);

function secretsIn(fields: readonly TraceField[]): Range[] {
  return fields.flatMap((field) => (SECRET.test(field.name) && field.fields === undefined ? [field] : secretsIn(field.fields ?? [])));
}
