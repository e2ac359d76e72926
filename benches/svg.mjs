// The two pictures of docs/performance.md, drawn here: dots on a logarithmic axis, and lines on two.

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const round = (number) => Math.round(number * 10) / 10;

/** In daylight and at night, as the reader's system has it. */
const STYLE = `<style>
text{font:11px system-ui,sans-serif;fill:#24292f}.dim{fill:#6e7781}.title{font-weight:600;font-size:13px}.right{text-anchor:end}.middle{text-anchor:middle}
.paper{fill:#fff}.grid{stroke:#d8dee4;stroke-width:1}.band{fill:#f6f8fa}.line{stroke-width:2}.ours{stroke:#0969da}circle.ours{fill:#0969da}
.floor{stroke:#8c959f}polyline{fill:none}.dash{stroke-dasharray:4 3}.k0{fill:#cf222e}.k1{fill:#bc4c00}.k2{fill:#9a6700}.k3{fill:#116329}.k4{fill:#4ac26b}.k5{fill:#6639ba}.k6{fill:#c297ff}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.dim{fill:#8d96a0}.paper{fill:#0d1117}.grid{stroke:#30363d}.band{fill:#161b22}.ours{stroke:#58a6ff}circle.ours{fill:#58a6ff}
.k0{fill:#ff7b72}.k1{fill:#ffa657}.k2{fill:#d29922}.k3{fill:#2ea043}.k4{fill:#aff5b4}.k5{fill:#8957e5}.k6{fill:#e2c5ff}}
</style>`;
const document = (width, height, title, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">\n${STYLE}\n` +
  `<rect class="paper" width="${width}" height="${height}"/>\n${parts.join("\n")}\n</svg>\n`;
const text = (x, y, kind, content) => `<text x="${round(x)}" y="${round(y)}" class="${kind}">${escape(content)}</text>`;
const line = (x1, y1, x2, y2, kind) => `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${kind}"/>`;

/** Positions on a logarithmic axis of what lies between two values, and the powers of ten among them. */
function logarithmic(values, from, to) {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const at = (value) => from + ((Math.log10(value) - low) / (high - low || 1)) * (to - from);
  const powers = [];
  for (let power = Math.ceil(low); power <= high; power++) powers.push(10 ** power);
  return { at, powers };
}
const time = (ns) => (ns >= 1e9 ? `${ns / 1e9} s` : ns >= 1e6 ? `${ns / 1e6} ms` : ns >= 1e3 ? `${ns / 1e3} µs` : `${ns} ns`);
const count = (number) => (number >= 1e6 ? `${number / 1e6} M` : number >= 1e3 ? `${number / 1e3} k` : String(number));

/** A row for each scenario: `{ name, ours, peers: { peer: ns } }`; a dot for each. `sections`: `{ title, rows }`. */
export function dots(title, sections, peers) {
  const [left, width, step] = [190, 960, 19];
  const values = sections.flatMap(({ rows }) => rows.flatMap((row) => [row.ours, ...Object.values(row.peers)])).filter(Boolean);
  const { at, powers } = logarithmic(values, left + 10, width - 20);
  const height = 64 + sections.reduce((sum, { rows }) => sum + 26 + rows.length * step, 0) + 24;
  const parts = [text(12, 20, "title", title)];
  ["ours", ...peers].reduce((x, name, index) => {
    parts.push(`<circle cx="${x}" cy="38" r="${index ? 4 : 5.5}" class="${index ? `k${index - 1}` : "ours"}"/>`, text(x + 9, 42, "", index ? name : "cqlwire"));
    return x + 24 + 5.7 * (index ? name : "cqlwire").length;
  }, 18);
  for (const power of powers) {
    parts.push(line(at(power), 54, at(power), height - 24, "grid"), text(at(power), height - 9, "dim middle", time(power)));
  }
  let y = 54;
  for (const { title: heading, rows } of sections) {
    y += 26;
    parts.push(text(12, y - 8, "title", heading));
    rows.forEach((row, index) => {
      const middle = y + step / 2;
      if (index % 2 === 0) parts.push(`<rect x="12" y="${y}" width="${width - 24}" height="${step}" class="band" opacity="0.6"/>`);
      parts.push(text(left, middle + 4, "right", row.name));
      peers.forEach((peer, k) => {
        if (row.peers[peer]) parts.push(`<circle cx="${round(at(row.peers[peer]))}" cy="${round(middle)}" r="4" class="k${k}"/>`);
      });
      if (row.ours) parts.push(`<circle cx="${round(at(row.ours))}" cy="${round(middle)}" r="5.5" class="ours"/>`);
      y += step;
    });
  }
  return document(width, height, title, parts);
}

/** Panels of `{ name, axis, points: { size, ours, floor }[] }`, both axes logarithmic. */
export function panels(title, series) {
  const [across, w, h] = [4, 232, 200];
  const parts = [text(12, 20, "title", title), line(16, 36, 40, 36, "ours line"), text(46, 40, "", "cqlwire"), line(106, 36, 130, 36, "floor line dash"),
    text(136, 40, "", "copy floor: the body copied into WebAssembly's memory, and as much as the result out of it")];
  series.forEach(({ name, axis, points }, index) => {
    const [left, top] = [(index % across) * w + 46, 50 + Math.floor(index / across) * h + 22];
    const [right, bottom] = [left + w - 58, top + h - 62];
    const x = logarithmic(points.map(({ size }) => size), left, right);
    const y = logarithmic(points.flatMap(({ ours, floor }) => [ours, floor]), bottom, top);
    parts.push(text(left - 34, top - 8, "", name));
    for (const power of y.powers) parts.push(line(left, y.at(power), right, y.at(power), "grid"), text(left - 4, y.at(power) + 4, "dim right", time(power)));
    const every = Math.ceil(x.powers.length / 4);
    x.powers.filter((_, at) => at % every === 0).forEach((power) => parts.push(line(x.at(power), top, x.at(power), bottom, "grid"), text(x.at(power), bottom + 14, "dim middle", count(power))));
    parts.push(text((left + right) / 2, bottom + 28, "dim middle", axis));
    for (const [kind, key] of [["floor line dash", "floor"], ["ours line", "ours"]]) {
      parts.push(`<polyline class="${kind}" points="${points.map((point) => `${round(x.at(point.size))},${round(y.at(point[key]))}`).join(" ")}"/>`);
    }
  });
  return document(across * w + 10, 50 + Math.ceil(series.length / across) * h + 10, title, parts);
}
