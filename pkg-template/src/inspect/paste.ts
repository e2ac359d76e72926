// Pasted text → bytes: hexadecimal in the forms that tools print it, escapes as in Python and C, lists of numbers, base64. What the bytes
// mean is not known here. What cannot be read is an error that says what stands where.

/** `at`: where in the text. */
export class PasteError extends Error {
  readonly at: number;

  constructor(message: string, text: string, at: number) {
    const before = text.slice(0, at).split("\n");
    super(`line ${before.length}, column ${before.at(-1)!.length + 1}: ${message}`);
    this.name = "PasteError";
    this.at = at;
  }
}

export interface Pasted {
  bytes: Uint8Array;
  /** As what the text was read. */
  form: "hexadecimal" | "hex dump" | "escapes" | "numbers" | "base64";
}

/** Reads pasted text; throws `PasteError`. */
export function parsePaste(text: string): Pasted {
  const pasted = parse(text);
  if (pasted.bytes.length === 0) throw new PasteError("there is nothing to read", text, 0);
  return pasted;
}

function parse(text: string): Pasted {
  // No expression here may take more than linear time: a paste can be megabytes of anything.
  if (/\\x[0-9a-f]{2}/i.test(text) || /^\(?b["']/i.test(text.trimStart().slice(0, 3))) return { bytes: parseEscapes(text), form: "escapes" };
  const dump = dumpedHex(text);
  if (dump) return { bytes: dump, form: "hex dump" };
  const open = text.indexOf("[");
  const list = open < 0 ? "" : text.slice(open + 1, text.lastIndexOf("]"));
  if (isDecimal(list)) return { bytes: parseNumbers(text, open + 1, list), form: "numbers" };
  const hex = parseHex(text);
  if (hex instanceof Uint8Array) return { bytes: hex, form: "hexadecimal" };
  // Most of hexadecimal with a slip in it is good base64, which would be other bytes in silence.
  if (looksHexadecimal(text)) throw hex;
  const base64 = parseBase64(text);
  if (base64 instanceof Uint8Array) return { bytes: base64, form: "base64" };
  throw base64.at > hex.at ? base64 : hex; // the one that got further is meant
}

/** Bytes apart, `0x`, or nearly all hexadecimal digits; A does not count, which in base64 is zero. */
function looksHexadecimal(text: string): boolean {
  const trimmed = text.trim();
  if (/^0x|\S[ \t]+\S/i.test(trimmed.slice(0, 1000))) return true;
  const telling = trimmed.slice(0, 1000).replace(/[A\s]/g, "");
  return telling.replace(/[^0-9a-f]/gi, "").length > 0.8 * telling.length && telling.length > 4;
}

/** What stands between bytes, and around them. */
const BETWEEN = " \t\r\n,:;-|<>[](){}\"'";

/** Digits in pairs, with `0x` or without. */
function parseHex(text: string): Uint8Array | PasteError {
  const start = text.trimStart().startsWith("<Buffer ") ? text.indexOf("<Buffer ") + 8 : 0;
  const out = new Uint8Array(text.length / 2 + 1);
  let length = 0;
  for (let at = start; at < text.length; ) {
    if (BETWEEN.includes(text[at]!)) {
      at++;
      continue;
    }
    const isPrefixed = text[at] === "0" && (text[at + 1] === "x" || text[at + 1] === "X");
    const first = isPrefixed ? at + 2 : at;
    for (at = first; digit(text, at) >= 0; at++);
    if (at === first || (at < text.length && !BETWEEN.includes(text[at]!))) {
      return new PasteError(`${shown(text, at)} is no hexadecimal digit`, text, at);
    }
    if (isPrefixed && at === first + 1) out[length++] = digit(text, first); // 0x4
    else if ((at - first) % 2) return new PasteError(`${at - first} hexadecimal digits: two make a byte`, text, first);
    else for (let pair = first; pair < at; pair += 2) out[length++] = digit(text, pair) * 16 + digit(text, pair + 1);
  }
  return out.slice(0, length);
}

function digit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Lines that begin with an offset, as xxd, hexdump -C and Wireshark write them. null where the text is nothing of that kind. */
function dumpedHex(text: string): Uint8Array | null {
  const lines = [];
  let at = 0;
  for (const line of text.split("\n")) {
    const start = at;
    at += line.length + 1;
    if (line.trim() === "") continue;
    const [, offset, colon, rest] = /^\s*(?:0x)?([0-9a-f]{4,8})(:|\s\s|\s*$)(.*)$/i.exec(line) ?? [];
    if (offset === undefined) return null;
    lines.push({ start, offset: parseInt(offset, 16), gap: colon === ":" ? /\s{2}/ : /\s{3}|\|/, rest: rest!.trim() });
  }
  if (lines[0]?.offset !== 0) return null;
  const out: number[] = [];
  for (const [index, { start, offset, gap, rest }] of lines.entries()) {
    if (offset !== out.length) throw new PasteError(`the dump goes on at ${offset}, after ${out.length} bytes`, text, start);
    // Behind a gap are the characters. A line has as many bytes as the next offset says; the last one is as long as it is.
    const most = (lines[index + 1]?.offset ?? Infinity) - offset;
    const pairs = rest.split(gap)[0]!.replace(/\s/g, "");
    if (pairs.length % 2 || /[^0-9a-f]/i.test(pairs) || pairs.length / 2 > most) {
      throw new PasteError("a line of a dump that does not have the bytes of its offsets", text, start);
    }
    for (let at = 0; at < pairs.length; at += 2) out.push(parseInt(pairs.slice(at, at + 2), 16));
  }
  return Uint8Array.from(out);
}

/** Two digits each would be hexadecimal; no frame has first bytes of 10 to 99 alone. */
const isDecimal = (list: string): boolean => !/[^-\d\s,]/.test(list) && /\d/.test(list) && list.match(/-?\d+/g)!.some((number) => number.length !== 2);

/** `[4, 0, 0, 1]` of JavaScript, `[4 0 0 1]` of Go, `[-124, 0, 0, 1]` of Java. */
function parseNumbers(text: string, start: number, list: string): Uint8Array {
  const bytes: number[] = [];
  for (const { 0: number, index } of list.matchAll(/-?\d+/g)) {
    if (+number < -128 || +number > 255) throw new PasteError(`${number!.slice(0, 20)} is no byte`, text, start + index);
    bytes.push(+number & 255);
  }
  return Uint8Array.from(bytes);
}

const ESCAPES: Record<string, number> = { n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11, "\\": 92, "'": 39, '"': 34 };

/** `b'\x04\x00…'` and several of them, or the same without quotes; then white space means nothing. */
function parseEscapes(text: string): Uint8Array {
  const out = new Uint8Array(text.length);
  let length = 0;
  let quote = /["']/.test(text) ? "" : "none";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote === "") {
      if (character === "'" || character === '"') quote = character;
      else if (!/[\sbB(),+;\\]/.test(character)) throw new PasteError(`${shown(text, at)} stands outside of the quotes`, text, at);
    } else if (character === quote) {
      quote = "";
    } else if (character === "\\") {
      const [whole, hex, octal, letter] = /^\\(?:x([0-9a-f]{2})|([0-7]{1,3})|([nrtabfv\\'"]))/i.exec(text.slice(at, at + 4)) ?? [];
      const code = hex ? parseInt(hex, 16) : octal ? parseInt(octal, 8) : ESCAPES[letter ?? ""];
      if (code === undefined || code > 255) throw new PasteError(`${JSON.stringify(text.slice(at, at + 4))} is no escape of a byte`, text, at);
      out[length++] = code;
      at += whole!.length - 1;
    } else if (quote !== "none" || !/\s/.test(character)) {
      if (character > "~" || character < " ") throw new PasteError(`${shown(text, at)} is no byte: it would be an escape`, text, at);
      out[length++] = character.charCodeAt(0);
    }
  }
  if (quote.length === 1) throw new PasteError(`the text ends inside of ${quote}…${quote}`, text, text.length);
  return out.slice(0, length);
}

/** Of both alphabets, with padding or without, in one run or in several that are padded each. */
function parseBase64(text: string): Uint8Array | PasteError {
  let [start, end] = [0, text.length];
  while (start < end && /[\s"']/.test(text[start]!)) start++;
  while (start < end && /[\s"']/.test(text[end - 1]!)) end--;
  const bad = /[^A-Za-z0-9+/_=\s-]/.exec(text.slice(start, end));
  if (bad) return new PasteError(`${shown(text, start + bad.index)} is neither hexadecimal nor base64`, text, start + bad.index);
  const parts: string[] = [];
  for (const run of text.slice(start, end).replace(/\s/g, "").replace(/-/g, "+").replace(/_/g, "/").match(/[^=]+=*|=+/g) ?? [""]) {
    const digits = run.replace(/=+$/, "");
    if (digits.length % 4 === 1 || digits === "" || run.length - digits.length > 2) {
      return new PasteError(`base64 of ${digits.length} characters and ${run.length - digits.length} "=": it is cut or has one too many`, text, end);
    }
    parts.push(atob(digits));
  }
  const binary = parts.join("");
  return Uint8Array.from({ length: binary.length }, (_, index) => binary.charCodeAt(index));
}

const shown = (text: string, at: number): string =>
  at >= text.length ? "the end" : JSON.stringify(String.fromCodePoint(text.codePointAt(at)!));
