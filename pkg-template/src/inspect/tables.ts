// Values in tables: the rows of a result, the parameters of a request.
import type { Column, RowsMessage } from "../../types/index.js";
import { button, el } from "./dom.ts";
import type { Param } from "./link.ts";
import { show } from "./show.ts";

/** Rows shown at once, and most columns and statements shown. */
const ROWS = 100;
const COLUMNS = 100;
const STATEMENTS = 100;

export function rowsTable(rows: RowsMessage): HTMLElement {
  const columns = rows.columns.slice(0, COLUMNS);
  const head = el("tr", {}, ...columns.map(({ name, type }) => el("th", { scope: "col" }, name, el("small", {}, type.text))));
  const body = el("tbody", {});
  const box = el("div", { class: "table" }, el("table", {}, el("thead", {}, head), body));
  const more = button("", () => addRows());
  const addRows = (): void => {
    const from = body.childElementCount;
    const to = Math.min(rows.length, from + ROWS);
    for (let row = from; row < to; row++) body.append(el("tr", {}, ...columns.map((column) => cell(column, row))));
    more.textContent = `Show more of the other ${(rows.length - to).toLocaleString("en")} rows`;
    more.hidden = to === rows.length;
  };
  addRows();
  const hidden = rows.columns.length - columns.length;
  return el("div", {}, box, more, hidden > 0 && el("p", { class: "note" }, `${hidden.toLocaleString("en")} more columns are not shown.`));
}

function cell(column: Column, row: number): HTMLElement {
  try {
    if (column.isEmpty(row)) return el("td", { class: "nothing" }, "empty");
    if (column.isNull(row)) return el("td", { class: "nothing" }, "null");
    return el("td", {}, show(column.at(row)));
  } catch (error) {
    return el("td", { class: "error" }, (error as Error).message); // a value that JavaScript cannot hold
  }
}

export function paramsTables(lists: readonly { readonly text: string; readonly params: readonly Param[] }[]): HTMLElement {
  const shown = lists.slice(0, STATEMENTS).map(({ text, params }) => {
    const rows = params.slice(0, ROWS).map(({ name, type, bytes, value, error }, index) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, name ?? String(index)),
        el("td", { class: "nothing" }, type ?? "type not known"),
        error === undefined ? el("td", {}, show(value === undefined ? bytes : value)) : el("td", { class: "error" }, `${error}: ${show(bytes)}`),
      ),
    );
    if (params.length > rows.length) rows.push(el("tr", {}, el("td", { colspan: "3" }, `… ${(params.length - rows.length).toLocaleString("en")} more`)));
    return el("div", { class: "params" }, el("code", {}, text.slice(0, 2000)), el("div", { class: "table" }, el("table", {}, el("tbody", {}, ...rows))));
  });
  const left = lists.length - shown.length;
  return el("div", {}, ...shown, left > 0 && el("p", { class: "note" }, `${left.toLocaleString("en")} more statements are not shown.`));
}
