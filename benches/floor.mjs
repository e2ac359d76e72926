// floor.mjs DATA SCENARIO: one decode scenario of benches/peers, ours beside the copy floor (benches/js/time.cjs) in one process; a JSON line.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const { times, copyFloor, sizeOf } = require("./js/time.cjs");
const { variants } = require("./js/peers.cjs");

const [data, name] = process.argv.slice(2);
const scenario = JSON.parse(readFileSync(`${data}/manifest.json`, "utf8")).find((one) => one.name === name);
const body = readFileSync(`${data}/${name}.bin`);
const fns = Object.fromEntries(variants(scenario, body).filter((one) => one.fn).map(({ name, fn }) => [name, fn]));
const bytesOut = sizeOf(fns.columns());
const { floor, columns, rows } = times({ floor: copyFloor([body], bytesOut), columns: fns.columns, rows: fns.rows }, 3e8);
console.log(JSON.stringify({ name, bytesIn: body.length, bytesOut, floor, columns, rows }));
