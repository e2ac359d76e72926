// The list of messages: a line each.
import { button, el } from "./dom.ts";
import type { Link } from "./link.ts";
import type { Found } from "./messages.ts";
import { summary } from "./show.ts";

/** Messages shown at once. */
const PIECE = 200;

export class MessageList {
  readonly #root: HTMLElement;
  readonly #onChosen: (index: number) => void;
  readonly #more: HTMLButtonElement;
  #found: readonly Found[] = [];
  #links: ReadonlyMap<Found, Link> = new Map();
  #chosen = -1;

  constructor(root: HTMLElement, more: HTMLElement, onChosen: (index: number) => void) {
    this.#root = root;
    this.#onChosen = onChosen;
    this.#more = button("", () => this.#add());
    more.append(this.#more);
    root.addEventListener("click", (event) => {
      const item = (event.target as HTMLElement).closest<HTMLElement>("[role=option]");
      if (item) this.choose(Number(item.dataset["index"]));
    });
    root.addEventListener("keydown", (event) => {
      const last = root.childElementCount - 1;
      const next = { ArrowDown: this.#chosen + 1, ArrowUp: this.#chosen - 1, Home: 0, End: last }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      this.choose(Math.max(0, Math.min(last, next)));
    });
  }

  show(found: readonly Found[], links: ReadonlyMap<Found, Link>): void {
    [this.#found, this.#links, this.#chosen] = [found, links, -1];
    this.#root.replaceChildren();
    this.#add();
    if (found.length) this.choose(0);
  }

  choose(index: number): void {
    while (index >= this.#root.childElementCount && !this.#more.hidden) this.#add();
    this.#root.children[this.#chosen]?.setAttribute("aria-selected", "false");
    const item = this.#root.children[index] as HTMLElement | undefined;
    if (!item) return;
    this.#chosen = index;
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    this.#root.setAttribute("aria-activedescendant", item.id);
    this.#onChosen(index);
  }

  #add(): void {
    const from = this.#root.childElementCount;
    const to = Math.min(this.#found.length, from + PIECE);
    for (let index = from; index < to; index++) this.#root.append(this.#item(index));
    this.#more.textContent = `Show more of the other ${(this.#found.length - to).toLocaleString("en")} messages`;
    this.#more.hidden = to === this.#found.length;
  }

  #item(index: number): HTMLElement {
    const { message, way } = this.#found[index]!;
    const isRequest = way.role === "server";
    const kind = "kind" in message ? ` ${message.kind}` : "";
    return el(
      "li",
      { role: "option", id: `message-${index}`, "aria-selected": "false", "data-index": String(index), class: message.error || message.opcode === "ERROR" ? "bad" : "" },
      el("span", { class: "number" }, String(index + 1)),
      el("span", { class: `direction ${isRequest ? "request" : "response"}`, title: isRequest ? "client to server" : "server to client" }, isRequest ? "→" : "←"),
      el("span", { class: "stream", title: "stream" }, String(message.stream)),
      el("span", { class: "opcode" }, message.opcode + kind),
      el("span", { class: "summary" }, summary(message, this.#links.get(this.#found[index]!)!)),
    );
  }
}
