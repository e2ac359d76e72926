// The bytes pane: sixteen a line, as numbers and as characters. Only the lines in view are in the page, however long the message is.
import { el } from "./dom.ts";

const PER_LINE = 16;
/** Of `.hex-line` in page.css. */
const LINE_HEIGHT = 20;
/** Browsers stop at heights of some 16 million pixels. */
const MOST_LINES = 500_000;

export type Range = { readonly start: number; readonly end: number };

export class HexPane {
  readonly #scroller: HTMLElement;
  readonly #lines = el("div", { class: "hex-lines" });
  #bytes = new Uint8Array(0);
  #hidden: readonly Range[] = [];
  #marked: Range = { start: 0, end: 0 };
  #cursor = 0;
  #scheduled = false;

  /** `onByte`: the byte under the pointer or the cursor; `isChosen` where it was clicked or moved to. */
  constructor(scroller: HTMLElement, onByte: (at: number, isChosen: boolean) => void) {
    this.#scroller = scroller;
    scroller.append(this.#lines);
    scroller.addEventListener("scroll", () => this.#schedule());
    new ResizeObserver(() => this.#schedule()).observe(scroller);
    const byteOf = (event: Event): number | undefined => {
      const at = (event.target as HTMLElement).dataset["at"];
      return at === undefined ? undefined : Number(at);
    };
    scroller.addEventListener("mouseover", (event) => {
      const at = byteOf(event);
      if (at !== undefined) onByte(at, false);
    });
    scroller.addEventListener("click", (event) => {
      const at = byteOf(event);
      if (at === undefined) return;
      this.#cursor = at;
      onByte(at, true);
    });
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -PER_LINE, ArrowDown: PER_LINE, PageUp: -16 * PER_LINE, PageDown: 16 * PER_LINE };
    scroller.addEventListener("keydown", (event) => {
      const step = steps[event.key];
      if (step === undefined || this.#bytes.length === 0) return;
      event.preventDefault();
      this.#cursor = Math.max(0, Math.min(this.#bytes.length - 1, this.#cursor + step));
      this.scrollTo(this.#cursor);
      onByte(this.#cursor, true);
    });
  }

  /** `hidden`: bytes that are not shown. */
  show(bytes: Uint8Array, hidden: readonly Range[]): void {
    this.#bytes = bytes as Uint8Array<ArrayBuffer>;
    this.#hidden = hidden;
    this.#marked = { start: 0, end: 0 };
    this.#cursor = 0;
    const lines = Math.min(MOST_LINES, Math.ceil(bytes.length / PER_LINE));
    this.#lines.style.height = `${lines * LINE_HEIGHT}px`;
    this.#scroller.scrollTop = 0;
    this.#draw();
  }

  /** Marks a field's bytes; the cursor goes to its first, unless it is in it already. */
  mark(range: Range): void {
    this.#marked = range;
    if (this.#cursor < range.start || this.#cursor >= range.end) this.#cursor = range.start;
    this.#paint();
  }

  scrollTo(at: number): void {
    const [top, height] = [Math.floor(at / PER_LINE) * LINE_HEIGHT, this.#scroller.clientHeight];
    if (top < this.#scroller.scrollTop) this.#scroller.scrollTop = top;
    else if (top + LINE_HEIGHT > this.#scroller.scrollTop + height) this.#scroller.scrollTop = top + LINE_HEIGHT - height;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.#draw();
    });
  }

  #draw(): void {
    const first = Math.max(0, Math.floor(this.#scroller.scrollTop / LINE_HEIGHT) - 4);
    const last = Math.min(MOST_LINES, Math.ceil(this.#bytes.length / PER_LINE), first + Math.ceil(this.#scroller.clientHeight / LINE_HEIGHT) + 8);
    const lines: HTMLElement[] = [];
    for (let line = first; line < last; line++) lines.push(this.#line(line));
    this.#lines.replaceChildren(...lines);
    this.#paint();
  }

  /** In place: a new element under the pointer would be one more that is pointed at. */
  #paint(): void {
    for (const byte of this.#lines.querySelectorAll<HTMLElement>("[data-at]")) {
      const at = Number(byte.dataset["at"]);
      byte.classList.toggle("on", at >= this.#marked.start && at < this.#marked.end);
      byte.classList.toggle("cursor", at === this.#cursor);
    }
  }

  #line(line: number): HTMLElement {
    const start = line * PER_LINE;
    const numbers = el("span", { class: "hex-numbers" });
    const characters = el("span", { class: "hex-characters" });
    for (let at = start; at < Math.min(start + PER_LINE, this.#bytes.length); at++) {
      const isHidden = this.#hidden.some((range) => at >= range.start && at < range.end);
      const byte = this.#bytes[at]!;
      const attributes = { "data-at": String(at) };
      numbers.append(el("span", attributes, isHidden ? "••" : byte.toString(16).padStart(2, "0")));
      characters.append(el("span", attributes, isHidden ? "•" : byte > 32 && byte < 127 ? String.fromCharCode(byte) : "·"));
    }
    const element = el("div", { class: "hex-line" }, el("span", { class: "hex-offset" }, start.toString(16).padStart(6, "0")), numbers, characters);
    element.style.top = `${line * LINE_HEIGHT}px`;
    return element;
  }
}
