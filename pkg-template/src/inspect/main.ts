// inspect.html: a paste → its messages.
import { Detail } from "./detail.ts";
import { byId } from "./dom.ts";
import { type Link, link } from "./link.ts";
import { MessageList } from "./list.ts";
import { type Found, type Inspection, inspect } from "./messages.ts";
import { parsePaste } from "./paste.ts";
import { sample } from "./sample.ts";

/** Longer texts are not put into the text box as a whole: browsers take minutes for it. */
const BOX = 100_000;
const BOX_SHOWN = 2000;
/** More is refused at once. */
const MOST_TEXT = 32 << 20;
/** Milliseconds of work between two moments for the page. */
const SLICE = 20;

const box = byId<HTMLTextAreaElement>("paste");
let current: { inspection: Inspection; links: Map<Found, Link>; numbers: Map<Found, number> } | undefined;
/** Counts pastes: an older one's work ends when a newer one comes. */
let latest = 0;

const detail = new Detail((found) => list.choose(current!.numbers.get(found)! - 1));
const list = new MessageList(byId("list"), byId("more"), (index) => {
  const { inspection, links, numbers } = current!;
  const found = inspection.found[index]!;
  detail.show(inspection.bytes, found, links.get(found)!, (other) => numbers.get(other)!);
});

function say(text: string, isError = false): void {
  byId("status").textContent = text;
  byId("status").classList.toggle("error", isError);
}

async function read(text: string): Promise<void> {
  const own = ++latest;
  byId("found").hidden = true;
  if (text.trim() === "") return say("");
  try {
    if (text.length > MOST_TEXT) throw new Error(`${count(text.length)} characters are more than this page takes: ${count(MOST_TEXT)} at most`);
    const { bytes, form } = parsePaste(text);
    const steps = inspect(bytes);
    for (let until = performance.now() + SLICE; ; ) {
      const step = steps.next();
      if (step.done) return shown(step.value, form);
      if (performance.now() < until) continue;
      say("reading …");
      await new Promise((done) => setTimeout(done));
      if (own !== latest) return;
      until = performance.now() + SLICE;
    }
  } catch (error) {
    say((error as Error).message, true);
  }
}

function shown(inspection: Inspection, form: string): void {
  const { bytes, found, problem } = inspection;
  current = { inspection, links: link(found), numbers: new Map(found.map((one, index) => [one, index + 1])) };
  byId("found").hidden = found.length === 0;
  const said = [`${count(bytes.length)} bytes, read as ${form}: ${count(found.length)} message${found.length === 1 ? "" : "s"}.`];
  if (problem) said.push(problemText(inspection));
  say(said.join(" "), problem?.kind === "framing");
  if (found.length) list.show(found, current.links);
}

function problemText({ bytes, problem }: Inspection): string {
  const { kind, at, error } = problem!;
  const left = `${count(bytes.length - at)} byte${bytes.length - at === 1 ? "" : "s"}`;
  if (kind === "half") return `The last ${left}, from byte ${count(at)} on, are the beginning of a message whose rest is not there.`;
  if (kind === "limit") return `This page reads no more at once: the last ${left}, from byte ${count(at)} on, were not read. Paste them alone.`;
  return `From byte ${count(at)} on (${left}) neither a frame nor a segment can be read: ${error!.message}.`;
}

const count = (number: number): string => number.toLocaleString("en");

function put(text: string): void {
  const isLong = text.length > BOX;
  box.value = isLong ? `${text.slice(0, BOX_SHOWN)}\n… ${count(text.length - BOX_SHOWN)} more characters are read, but not shown in this box` : text;
  box.readOnly = isLong;
  void read(text);
}

box.addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text") ?? "";
  if (text.length <= BOX && !box.readOnly) return; // as usual: `input` follows
  event.preventDefault();
  put(text);
});
let waiting: ReturnType<typeof setTimeout> | undefined;
box.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => put(box.value), 150);
});
byId("example").addEventListener("click", () => put(sample()));
byId("clear").addEventListener("click", () => {
  put("");
  box.focus();
});
// A browser that comes back to the page may fill the box again.
if (box.value) put(box.value);
