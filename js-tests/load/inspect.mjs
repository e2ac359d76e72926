// inspect.mjs BROWSER PAGE: opens the package's inspect.html as a file in a headless Chromium, and uses it as people do.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { ids, segment } from "./page.mjs";

const [browserPath, file] = process.argv.slice(2);
const url = pathToFileURL(resolve(file)).href;

// Written by hand from the specification: QUERY with a value and a page size (v5 §4.1.4; here v4).
const QUERY = [
  ["04 00 00 05 07 00 00 00 1b", "header"],
  ["00 00 00 08 53 45 4c 45 43 54 20 3f", "query"], // SELECT ?
  ["00 04", "consistency"], // QUORUM
  ["05", "flags"],
  ["00 01", "values"],
  ["00 00 00 02 ab cd", "value"],
  ["00 00 00 64", "page_size"],
];
const query = QUERY.map(([bytes]) => bytes).join(" ");
const READY = "84 00 00 05 02 00 00 00 00";
const AUTH_RESPONSE = `04 00 00 06 0f 00 00 00 0d 00 00 00 09 ${Buffer.from("\0me\0xyzzy").toString("hex")}`;
// RESULT Set_keyspace whose text is longer than its body.
const CUT = "84 00 00 07 08 00 00 00 08 00 00 00 03 00 09 6b 73";

const server = createServer((_, response) => response.end("reached"));
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await chromium.launch({
  executablePath: browserPath,
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});
const wrong = [];
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  page.on("console", (message) => wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => request.url() === url || wrong.push(`request: ${request.url()}`));
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => globalThis.violations.push(event.effectiveDirective));
  });
  await page.goto(url);

  const paste = async (text) => {
    await page.click("#clear");
    await page.fill("#paste", text);
    await page.waitForFunction(() => !["", "reading …"].includes(document.getElementById("status").textContent));
  };
  const text = (selector) => page.textContent(selector);
  const marked = () => page.locator(".hex-numbers .on").allTextContents().then((bytes) => bytes.join(" "));
  const fieldNamed = (name) => page.locator("#fields .field", { has: page.locator(`.name:text-is("${name}")`) }).last();
  const summaries = () => page.locator("#list li").evaluateAll((items) => items.map((item) => [...item.children].slice(1).map((part) => part.textContent).join(" ").trim()));

  // The tree, and each field's own bytes.
  await paste(query);
  assert.deepEqual(await summaries(), ["→ 5 QUERY SELECT ?"]);
  for (const [bytes, name] of QUERY) {
    await (name === "values" ? page.locator("#fields .field", { hasText: /^values1$/ }) : fieldNamed(name)).hover();
    assert.equal(await marked(), bytes, name);
  }
  assert.match(await text("#where"), /bytes 32 to 35 · QUERY › page_size = 100/);
  assert.equal(await fieldNamed("consistency").locator(".value").textContent(), "QUORUM");
  assert.equal(await fieldNamed("query").locator(".value").textContent(), "SELECT ?");
  // And from a byte to its field.
  await page.hover('.hex-numbers [data-at="21"]');
  assert.equal(await page.locator("#fields li.on > .field > .name").textContent(), "consistency");
  assert.equal(await marked(), "00 04");
  await page.hover('.hex-characters [data-at="13"]');
  assert.match(await text("#where"), /bytes 9 to 20 · QUERY › query = SELECT \?/);

  // Base64, both directions, and the keyboard.
  const both = Buffer.from((query + READY.replace("05 02", "05 08").replace("00 00 00 00", "00 00 00 04 00 00 00 01")).replaceAll(" ", ""), "hex");
  await paste(both.toString("base64"));
  assert.deepEqual(await summaries(), ["→ 5 QUERY SELECT ?", "← 5 RESULT Void"]);
  assert.match(await text("#status"), /read as base64: 2 messages\.$/);
  await page.focus("#list");
  await page.keyboard.press("ArrowDown");
  assert.match(await text("#about"), /^2: RESULT Void.*answers 1/);
  await page.focus('#fields [tabindex="0"]');
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await marked(), "00 05"); // version, flags, stream
  await page.focus("#bytes");
  await page.keyboard.press("ArrowRight");
  assert.equal(await marked(), "00 05");
  await page.keyboard.press("ArrowRight");
  assert.equal(await marked(), "08");

  // A recorded page of v5 under LZ4.
  await paste(segment);
  assert.deepEqual(await page.locator("#values tbody tr td:first-child").allTextContents().then((cells) => cells.map(Number)), ids);
  assert.match(await text("#about"), /version 5, in segments for LZ4/);

  // Errors: what, where, and what was read before.
  await paste(`${READY} ${CUT} ${query}`);
  assert.equal((await summaries()).length, 3);
  await page.click("#list li:nth-child(2)");
  assert.match(await text("#error"), /^CQL_DECODE: RESULT: RESULT\.keyspace ends before the field does/);
  await paste(`${READY} ff ff ff ff ff ff ff ff ff ff`);
  assert.match(await text("#status"), /1 message\. From byte 9 on \(10 bytes\) neither a frame nor a segment can be read: /);
  assert.equal(await page.getAttribute("#status", "class"), "error");
  await paste(query.slice(0, 60));
  assert.match(await text("#status"), /0 messages\. The last 20 bytes, from byte 0 on, are the beginning of a message/);
  await paste("84 00 zz");
  assert.match(await text("#status"), /^line 1, column 7: "z" is no hexadecimal digit/);

  // A token is shown when asked for.
  const visible = () => page.evaluate(() => document.body.innerText);
  await paste(AUTH_RESPONSE);
  assert.deepEqual(await summaries(), ["→ 6 AUTH_RESPONSE token of 9 bytes"]);
  assert.doesNotMatch(await visible(), /xyzzy|78 79 7a|0x006d65/);
  await page.hover('.hex-numbers [data-at="18"]');
  assert.doesNotMatch(await visible(), /78797a7a79|0x006d65/);
  await page.getByText("Show the token").click();
  assert.match(await visible(), /xyzzy/);

  // A paste is text, whatever it says.
  const markup = Buffer.from("<img src=x onerror=alert(1)>");
  const hostile = Buffer.concat([Buffer.from([4, 0, 0, 1, 9, 0, 0, 0, markup.length + 4, 0, 0, 0, markup.length]), markup]);
  await paste(hostile.toString("hex"));
  assert.equal(await page.locator("img").count(), 0);
  assert.match((await summaries())[0], /<img src=x/);

  // Megabytes: the page stays alive, and says what it leaves out.
  for (const [big, said] of [
    [Buffer.concat(Array(200_000).fill(Buffer.from(READY.replaceAll(" ", ""), "hex"))), /10,000 messages\. This page reads no more at once/],
    [Buffer.alloc(3_000_000, 0xa7), /0 messages\. From byte 0 on/],
  ]) {
    const started = Date.now();
    await page.click("#clear");
    await page.focus("#paste");
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.getElementById("paste").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, big.toString("hex"));
    await page.waitForFunction(() => !["", "reading …"].includes(document.getElementById("status").textContent), undefined, { timeout: 60_000 });
    assert.match(await text("#status"), said);
    assert.ok((await page.locator("#list li").count()) <= 200);
    console.log(`${big.length} bytes: ${Date.now() - started} ms`);
  }
  await page.click("#clear");

  assert.deepEqual(wrong, []);
  assert.deepEqual(await page.evaluate(() => globalThis.violations), []);
  // That nothing was requested is no chance: the page may not.
  const reached = await page.evaluate((target) => fetch(target, { mode: "no-cors" }).then(() => "reached", () => "refused"), `http://127.0.0.1:${server.address().port}/`);
  assert.equal(reached, "refused");
  assert.deepEqual(await page.evaluate(() => globalThis.violations), ["connect-src"]);
} finally {
  await browser.close();
  server.close();
}
