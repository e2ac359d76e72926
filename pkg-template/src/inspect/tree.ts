// The fields of a message as a tree. Groups are filled when they are opened, and long ones by pieces.
import type { TraceField } from "../../types/index.js";
import { button, el } from "./dom.ts";

/** Children of a group that are shown at once. */
const PIECE = 200;
/** Fields that are open from the start. */
const OPEN = 150;

/** The last part of a name is enough inside of its group. */
export const nameOf = ({ name, index }: TraceField): string => `${name.split(".").at(-1)!}${index === undefined ? "" : `[${index}]`}`;

export class FieldTree {
  readonly #root: HTMLElement;
  readonly #text: (field: TraceField) => string;
  #fields: readonly TraceField[] = [];
  #items = new Map<TraceField, HTMLElement>();
  #owners = new WeakMap<HTMLElement, TraceField>();
  #marked: HTMLElement | undefined;

  /** `text`: of a field's value. `onField`: pointed at, or (`isChosen`) clicked or moved to. */
  constructor(root: HTMLElement, text: (field: TraceField) => string, onField: (field: TraceField, isChosen: boolean) => void) {
    this.#root = root;
    this.#text = text;
    const itemOf = (event: Event): HTMLElement | null => (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    const tell = (event: Event, isChosen: boolean): void => {
      const item = itemOf(event);
      const field = item && this.#owners.get(item);
      if (field) onField(field, isChosen);
    };
    root.addEventListener("mouseover", (event) => tell(event, false));
    root.addEventListener("focusin", (event) => tell(event, true));
    root.addEventListener("click", (event) => {
      const item = itemOf(event);
      if (!item || (event.target as HTMLElement).closest("button")) return;
      item.focus({ preventScroll: true });
      if (item.hasAttribute("aria-expanded")) this.#toggle(item);
    });
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  show(fields: readonly TraceField[]): void {
    this.#fields = fields;
    this.#items = new Map();
    this.#marked = undefined;
    this.#root.replaceChildren();
    this.#fill(this.#root, fields, 0);
    this.#root.querySelector("[role=treeitem]")?.setAttribute("tabindex", "0");
    let left = OPEN;
    for (let open = fields; open.length && left > 0; ) {
      const next: TraceField[] = [];
      for (const field of open) {
        if (!field.fields || (left -= field.fields.length) < 0) continue;
        this.#open(field);
        next.push(...field.fields);
      }
      open = next;
    }
  }

  /** From the outermost group to the field that has the byte. */
  pathTo(at: number): TraceField[] {
    const path: TraceField[] = [];
    for (let fields: readonly TraceField[] | undefined = this.#fields; fields; ) {
      // Of a value and its content side by side the narrower one.
      const inside: TraceField | undefined = fields
        .filter(({ start, end }) => at >= start && at < end)
        .reduce<TraceField | undefined>((least, field) => (least && least.end - least.start <= field.end - field.start ? least : field), undefined);
      if (inside) path.push(inside);
      fields = inside?.fields;
    }
    return path;
  }

  pathOf(field: TraceField): TraceField[] {
    // A field of no bytes is in the group that its element is in.
    const path = [field];
    for (let item = this.#items.get(field)?.parentElement?.closest<HTMLElement>("[role=treeitem]"); item; ) {
      path.unshift(this.#owners.get(item)!);
      item = item.parentElement?.closest<HTMLElement>("[role=treeitem]");
    }
    return path;
  }

  /** Marks the last field of the path that is shown; opens its groups first, if it is to be `revealed`. */
  mark(path: readonly TraceField[], isRevealed: boolean): void {
    this.#marked?.classList.remove("on");
    path.forEach((field, depth) => {
      if (!isRevealed) return;
      const siblings = depth ? path[depth - 1]!.fields! : this.#fields;
      if (!this.#items.has(field)) {
        const group = depth ? this.#items.get(path[depth - 1]!)!.querySelector<HTMLElement>(":scope > [role=group]")! : this.#root;
        this.#fill(group, siblings, Math.max(0, siblings.indexOf(field) - PIECE / 2));
      }
      if (depth < path.length - 1) this.#open(field);
    });
    const isVisible = (item: HTMLElement | undefined): item is HTMLElement => item !== undefined && !item.parentElement!.closest("[hidden]");
    this.#marked = path.map((field) => this.#items.get(field)).filter(isVisible).at(-1);
    this.#marked?.classList.add("on");
    if (isRevealed) this.#marked?.scrollIntoView({ block: "nearest" });
  }

  #fill(group: HTMLElement, fields: readonly TraceField[], from: number): void {
    const to = Math.min(fields.length, from + PIECE);
    const more = (text: string, next: number): HTMLElement => el("li", { class: "more", role: "none" }, button(text, () => this.#fill(group, fields, next)));
    const items = fields.slice(from, to).map((field) => this.#items.get(field) ?? this.#item(field));
    group.replaceChildren(
      ...(from > 0 ? [more(`… ${from.toLocaleString("en")} before`, Math.max(0, from - PIECE))] : []),
      ...items,
      ...(to < fields.length ? [more(`… ${(fields.length - to).toLocaleString("en")} more`, to)] : []),
    );
  }

  #item(field: TraceField): HTMLElement {
    const isGroup = field.fields !== undefined && field.fields.length > 0;
    const row = el("div", { class: "field" }, el("span", { class: "name" }, nameOf(field)), !field.fields && el("span", { class: "value" }, this.#text(field)));
    const item = el("li", { role: "treeitem", tabindex: "-1", ...(isGroup ? { "aria-expanded": "false" } : {}) }, row);
    if (isGroup) item.append(el("ul", { role: "group", hidden: "" }));
    this.#items.set(field, item);
    this.#owners.set(item, field);
    return item;
  }

  #open(field: TraceField): void {
    const item = this.#items.get(field);
    if (item?.getAttribute("aria-expanded") === "false") this.#toggle(item);
  }

  #toggle(item: HTMLElement): void {
    const group = item.querySelector<HTMLElement>(":scope > [role=group]")!;
    const isOpen = item.getAttribute("aria-expanded") === "true";
    if (!isOpen && !group.firstChild) this.#fill(group, this.#owners.get(item)!.fields!, 0);
    item.setAttribute("aria-expanded", String(!isOpen));
    group.hidden = isOpen;
  }

  #key(event: KeyboardEvent): void {
    const item = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    if (!item || event.target !== item) return;
    const isOpen = item.getAttribute("aria-expanded");
    const shown = (): HTMLElement[] => [...this.#root.querySelectorAll<HTMLElement>("[role=treeitem]")].filter((one) => !one.parentElement!.closest("[hidden]"));
    const beside = (step: number): HTMLElement | undefined => {
      const all = shown();
      return all[all.indexOf(item) + step];
    };
    let next: HTMLElement | null | undefined;
    if (event.key === "ArrowDown") next = beside(1);
    else if (event.key === "ArrowUp") next = beside(-1);
    else if (event.key === "Home") next = shown()[0];
    else if (event.key === "End") next = shown().at(-1);
    else if (event.key === "ArrowRight" && isOpen === "true") next = beside(1);
    else if (event.key === "ArrowLeft" && isOpen !== "true") next = item.parentElement!.closest<HTMLElement>("[role=treeitem]");
    else if (["ArrowRight", "ArrowLeft", "Enter", " "].includes(event.key) && isOpen !== null) this.#toggle(item);
    else if (!["ArrowRight", "ArrowLeft"].includes(event.key)) return;
    event.preventDefault();
    if (!next) return;
    item.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}
