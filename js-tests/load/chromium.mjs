// chromium.mjs BROWSER SITE: opens SITE/page.html, served from a port of its own, in a headless Chromium.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, resolve } from "node:path";
import { chromium } from "playwright-core";

const [browserPath, site] = process.argv.slice(2);
const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  try {
    const body = await readFile(join(resolve(site), path));
    response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

// Nothing but the page: no background traffic. No sandbox: it does not work as root, where tests in containers run.
const browser = await chromium.launch({
  executablePath: browserPath,
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});
try {
  const page = await browser.newPage();
  page.on("console", (message) => console.error(`page: ${message.text()}`));
  await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
  await page.waitForFunction(() => document.title === "ok" || document.title.startsWith("failed"), undefined, { timeout: 30_000 });
  const result = await page.title();
  if (result !== "ok") throw new Error(result);
} finally {
  await browser.close();
  server.close();
}
