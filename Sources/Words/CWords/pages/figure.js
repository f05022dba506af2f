"use strict";
const READER = (() => {
const element = (name, text, parent) => {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
};

/* The number format of the page. */
const whole = (value) => (0 > Math.round(value) ? "−" : "") + String(Math.abs(Math.round(value))).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const number = (value) => {
  const size = Math.abs(value);
  if (size >= 99.95 || Number.isInteger(value)) return whole(value);
  return value.toFixed(size >= 9.995 ? 1 : size >= 0.9995 ? 2 : size >= 0.0995 ? 3 : 4);
};
const tick = (value) => {
  const [size, letter] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([size]) => value >= size && (size > 1e3 || value >= 1e4)) || [1, ""];
  return size === 1 && value >= 100 ? whole(value) : String(Number((value / size).toFixed(size === 1 ? 3 : 2))) + letter;
};

/* The clocks of the fleet's zones: UTC is first in the list, the zone of most phones is the default. */
const readZones = () => {
  const source = document.getElementById("zones");
  return [{ name: "UTC", offsets: [[null, 0]] }, ...(source === null ? [] : JSON.parse(source.textContent))];
};
let zones = readZones();
let zone = zones[1] || zones[0], isChosen = false;
let changed = [];
const ahead = (time) => zone.offsets.reduce((found, [from, offset]) => from === null || time >= from ? offset : found, 0);
const iso = (time) => new Date(time).toISOString().slice(0, 19).replace("T", " ");
const clock = (time) => zone === zones[0] ? iso(time) + " UTC" : iso(time + ahead(time)) + " in " + zone.name + " (" + iso(time).slice(11) + " UTC)";
const hours = (time) => iso(time + ahead(time)).slice(11);
/* Returns the spans with one UTC offset between two times. */
const spans = (from, to) => {
  const starts = [from, ...zone.offsets.map(([start]) => start).filter((start) => start !== null && start > from && to > start)];
  return starts.map((start, index) => [start, starts[index + 1] || to, ahead(start)]);
};
const relabel = () => {
  for (const label of document.querySelectorAll("text[data-time]")) {
    const time = Number(label.dataset.time), [day, hours] = iso(time + ahead(time)).split(" "), short = hours.slice(0, 5);
    label.textContent = { hour: short, from: zone.name + (zone === zones[0] ? "" : " time") + ", from " + day,
      day: day.slice(5) + (hours.startsWith("00") ? "" : " " + short) }[label.dataset.form];
  }
};
const switchZones = (figure) => {
  if (zones.length === 1) return;
  const group = document.createElement("div");
  group.className = "zones";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Time zone of the displayed times");
  const buttons = zones.map((other) => {
    const button = element("button", other.name, group);
    button.type = "button";
    button.addEventListener("click", () => {
      zone = other; isChosen = true;
      buttons.forEach((one, index) => one.setAttribute("aria-pressed", String(zones[index] === zone)));
      relabel();
      for (const change of changed) change();
    });
    return button;
  });
  buttons.forEach((one, index) => one.setAttribute("aria-pressed", String(zones[index] === zone)));
  figure.querySelector("figcaption").after(group);
  relabel();
};

/* The download of figures. */
const NAMES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin", "opacity",
  "paint-order", "text-anchor", "font-size", "font-weight", "font-family"];
const save = (figure, kind, blob) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = (document.title.split(" – ")[0] + "-" + figure.id.slice(7)).replace(/[^\p{L}\p{N}.-]+/gu, "-") + "." + kind;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
/* The frame of a downloaded drawing: the page's heading and its answer above, the legend below. */
const MARGIN = 24, pen = document.createElement("canvas").getContext("2d");
const frame = (figure, svg) => {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number), style = getComputedStyle(figure), texts = [], keys = [];
  const answer = document.querySelector("section.verdict h2");
  let y = 16, x = MARGIN;
  const put = (text, weight, size) => {
    const font = { "font-family": style.fontFamily, "font-size": size + "px", "font-weight": String(weight) };
    pen.font = [weight, size + "px", style.fontFamily].join(" ");
    const lines = text.split(" ").reduce((lines, word) => {
      const longer = [lines.pop(), word].filter((part) => part !== "").join(" ");
      return [...lines, ...(pen.measureText(longer).width > width && longer !== word ? [longer.slice(0, -word.length - 1), word] : [longer])];
    }, [""]);
    for (const line of lines) { y += 1.4 * size; texts.push({ x: MARGIN, y, text: line, fill: style.color, ...font }); }
  };
  put(document.querySelector("h1").textContent + ": " + figure.querySelector("figcaption").textContent, 600, 19);
  if (answer !== null) put(answer.textContent, 400, 15);
  const top = y + 14;
  y = top + height + 8;
  pen.font = "400 13px " + style.fontFamily;
  for (const entry of figure.querySelectorAll("ul.legend > li")) {
    const room = 22 + pen.measureText(entry.textContent).width + 18, swatch = getComputedStyle(entry.querySelector(".swatch"));
    if (x + room > width + MARGIN && x > MARGIN) { x = MARGIN; y += 20; }
    keys.push({ x, y: y + 4, width: 16, height: 11, fill: swatch.backgroundColor, opacity: swatch.opacity });
    texts.push({ x: x + 22, y: y + 14, text: entry.textContent, fill: style.color, "font-family": style.fontFamily, "font-size": "13px", "font-weight": "400" });
    x += room;
  }
  return { width: width + 2 * MARGIN, height: y + (keys.length === 0 ? 0 : 22) + 16, top, texts, keys };
};
const asSVG = (figure) => {
  const svg = figure.querySelector("svg.wide"), copy = svg.cloneNode(true), around = frame(figure, svg);
  const from = [...svg.querySelectorAll("path,rect,line,circle,text")], into = copy.querySelectorAll("path,rect,line,circle,text");
  into.forEach((shape, index) => {
    const style = getComputedStyle(from[index]);
    for (const name of NAMES) shape.setAttribute(name, style.getPropertyValue(name));
    shape.removeAttribute("class");
  });
  const { width, height } = around, drawing = document.createElementNS(svg.namespaceURI, "g");
  const add = (name, { text, ...values }) => {
    const shape = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(values)) shape.setAttribute(key, value);
    if (text !== undefined) shape.textContent = text;
    copy.append(shape);
  };
  drawing.append(...copy.childNodes);
  drawing.setAttribute("transform", "translate(" + MARGIN + " " + around.top + ")");
  add("rect", { width, height, fill: getComputedStyle(figure).backgroundColor });
  for (const key of around.keys) add("rect", key);
  for (const text of around.texts) add("text", text);
  copy.append(drawing);
  for (const name of ["class", "role", "aria-labelledby", "data-plot"]) copy.removeAttribute(name);
  for (const [name, value] of Object.entries({ width, height, viewBox: "0 0 " + width + " " + height })) copy.setAttribute(name, value);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
};
const at = (shape, name) => Number(shape.getAttribute(name) || 0);
const outline = (shape) => {
  const path = new Path2D(shape.getAttribute("d") || undefined);
  if (shape.tagName === "rect") path.rect(at(shape, "x"), at(shape, "y"), at(shape, "width"), at(shape, "height"));
  if (shape.tagName === "circle") path.arc(at(shape, "cx"), at(shape, "cy"), at(shape, "r"), 0, 7);
  if (shape.tagName === "line") { path.moveTo(at(shape, "x1"), at(shape, "y1")); path.lineTo(at(shape, "x2"), at(shape, "y2")); }
  return path;
};
const paint = (canvas, shape) => {
  const style = getComputedStyle(shape), filled = style.fill !== "none", stroked = style.stroke !== "none", opacity = Number(style.opacity);
  canvas.fillStyle = style.fill; canvas.strokeStyle = style.stroke; canvas.lineWidth = parseFloat(style.strokeWidth);
  canvas.lineJoin = style.strokeLinejoin;
  canvas.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat));
  const layer = (part, draw) => { canvas.globalAlpha = opacity * Number(part); draw(); };
  if (shape.tagName === "text") {
    canvas.font = style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
    canvas.textAlign = { middle: "center", end: "end" }[style.textAnchor] || "start";
    if (stroked) layer(style.strokeOpacity, () => canvas.strokeText(shape.textContent, at(shape, "x"), at(shape, "y")));
    layer(style.fillOpacity, () => canvas.fillText(shape.textContent, at(shape, "x"), at(shape, "y")));
    return;
  }
  if (filled && shape.tagName !== "line") layer(style.fillOpacity, () => canvas.fill(outline(shape)));
  if (stroked) layer(style.strokeOpacity, () => canvas.stroke(outline(shape)));
};
const savePNG = (figure) => {
  const svg = figure.querySelector("svg.wide"), { width, height, top, texts, keys } = frame(figure, svg);
  const sheet = document.createElement("canvas"), canvas = sheet.getContext("2d");
  sheet.width = 2 * width; sheet.height = 2 * height;
  canvas.scale(2, 2);
  canvas.fillStyle = getComputedStyle(figure).backgroundColor;
  canvas.fillRect(0, 0, width, height);
  for (const key of keys) { canvas.globalAlpha = Number(key.opacity); canvas.fillStyle = key.fill; canvas.fillRect(key.x, key.y, key.width, key.height); }
  canvas.globalAlpha = 1;
  for (const { x, y, text, fill, ...font } of texts) {
    canvas.font = [font["font-weight"], font["font-size"], font["font-family"]].join(" ");
    canvas.fillStyle = fill;
    canvas.fillText(text, x, y);
  }
  canvas.translate(MARGIN, top);
  for (const shape of svg.querySelectorAll("path,rect,line,circle,text")) paint(canvas, shape);
  sheet.toBlob((blob) => save(figure, "png", blob));
};
const cell = (value) => {
  const text = typeof value === "object" && value !== null ? new Date(value.t).toISOString() : String(value).replaceAll(/[\u202f\u00a0]/g, " ");
  return /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
};
const csv = (rows) => new Blob([rows.map((row) => row.map(cell).join(",") + "\r\n").join("")], { type: "text/csv" });
const give = (figure, rows) => {
  const title = figure.querySelector("figcaption").textContent, tools = document.createElement("div");
  tools.className = "take";
  for (const [kind, action] of [["PNG", () => savePNG(figure)], ["SVG", () => save(figure, "svg", asSVG(figure))],
    ["CSV", rows && (() => save(figure, "csv", csv(rows())))]]) {
    if (action === null) continue;
    const button = element("button", kind, tools);
    button.type = "button";
    button.setAttribute("aria-label", kind + " of " + title);
    button.addEventListener("click", action);
  }
  const link = element("a", "Link", tools);
  link.href = "#" + figure.id;
  link.setAttribute("aria-label", "Link to " + title);
  figure.append(tools);
};

/* The values of a drawing at the nearest place. */
const say = (value) => typeof value === "number" ? number(value) : typeof value === "object" ? clock(value.t) : value;
const read = (figure, data) => {
  const pictures = [...figure.querySelectorAll(":scope > svg")], holder = document.createElement("div");
  const perRow = data.rows[0].length - 1, isGrid = data.direction === "grid", isDown = data.direction === "down";
  const places = isGrid ? data.rows.flatMap(([row, ...cells]) => cells.map((_, index) => [(index + 0.5) / perRow, row])) : data.rows.map(([place]) => [place, 0]);
  holder.className = "reader";
  holder.tabIndex = 0;
  holder.setAttribute("role", "group");
  holder.setAttribute("aria-label", figure.querySelector("figcaption").textContent + ": arrow keys read values");
  pictures[0].before(holder);
  holder.append(...pictures);
  const said = document.createElement("output");
  holder.after(said);
  const cursors = pictures.map((svg) => {
    const line = document.createElementNS(svg.namespaceURI, "line");
    line.setAttribute("class", "cursor");
    svg.append(line);
    return line;
  });
  let now = -1;
  const told = () => {
    if (isGrid) {
      const [hour, ...cells] = data.rows[Math.floor(now / perRow)], minute = (now % perRow) * 60 / perRow;
      const value = cells[now % perRow];
      return String(hour).padStart(2, "0") + ":" + String(Math.floor(minute)).padStart(2, "0") + ": " + (value === "" ? "not measured" : say(value) + " " + data.columns[1]);
    }
    const [, first, ...rest] = data.rows[now];
    return say(first) + ": " + rest.map((value, index) => (say(value) + " " + data.columns[index + 1]).trim()).join(", ");
  };
  const show = (index) => {
    now = Math.min(Math.max(index, 0), places.length - 1);
    said.textContent = told();
    pictures.forEach((svg, number) => {
      const [left, right, top, foot] = svg.dataset.plot.split(" ").map(Number), [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
      const x = left + places[now][0] * (right - left), row = (foot - top) / data.rows.length;
      const y = places[now][0] * height;
      const ends = isDown ? [0, y - 8, 0, y + 8] : isGrid ? [x, top + places[now][1] * row, x, top + (places[now][1] + 1) * row] : [x, top, x, foot];
      ["x1", "y1", "x2", "y2"].forEach((name, end) => cursors[number].setAttribute(name, String(ends[end])));
    });
  };
  const point = (event) => {
    const svg = pictures.find((one) => one.getClientRects().length !== 0);
    if (svg === undefined) return;
    const box = svg.getBoundingClientRect(), [left, right, top, foot] = svg.dataset.plot.split(" ").map(Number);
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const x = ((event.clientX - box.left) / box.width * width - left) / (right - left), y = (event.clientY - box.top) / box.height * height;
    const row = Math.floor((y - top) / (foot - top) * data.rows.length);
    if (isGrid) { show(Math.min(Math.max(row, 0), data.rows.length - 1) * perRow + Math.min(Math.max(Math.floor(x * perRow), 0), perRow - 1)); return; }
    const wanted = isDown ? y / height : x;
    let best = 0;
    places.forEach(([place], index) => { if (Math.abs(places[best][0] - wanted) > Math.abs(place - wanted)) best = index; });
    show(best);
  };
  holder.addEventListener("pointermove", point);
  holder.addEventListener("pointerdown", point);
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: isGrid ? -perRow : -1, ArrowDown: isGrid ? perRow : 1 };
  holder.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = { Home: 0, End: places.length - 1 }[event.key] ?? (Object.hasOwn(steps, event.key) ? now + steps[event.key] : null);
    if (next === null) return;
    event.preventDefault();
    show(next);
  });
  changed.push(() => { if (now !== -1) said.textContent = told(); });
};
const begin = (figure) => {
  const source = figure.querySelector(":scope > script.readings");
  const data = source === null ? null : JSON.parse(source.textContent);
  if (data !== null) read(figure, data);
  give(figure, data === null ? null : () => data.direction === "grid"
    ? [data.columns, ...data.rows.flatMap(([hour, ...cells]) => cells.map((value, index) => [String(hour).padStart(2, "0") + ":" + String(Math.floor(index * 60 / cells.length)).padStart(2, "0"), value]))]
    : [data.columns, ...data.rows.map(([, ...cells]) => cells)]);
};
/* Opens the target of a link. */
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  const inner = target.querySelector(":scope > details.fold");
  if (inner !== null) inner.open = true;
  for (let fold = target.closest("details"); fold !== null; fold = fold.parentElement.closest("details")) fold.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", open);
const start = (root) => {
  for (const figure of root.querySelectorAll("figure[id]:not([data-zoom])")) begin(figure);
  for (const button of root.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => save({ id: "figure-" + button.dataset.name }, "yaml", new Blob([document.getElementById(button.dataset.copy).textContent], { type: "text/yaml" })));
  }
};
/* Forgets the figures of the page, which are about to be replaced; the zone stays if the page still has it. */
const forget = () => { changed = []; };
const reread = () => {
  zones = readZones();
  zone = (isChosen && zones.find(({ name }) => name === zone.name)) || zones[1] || zones[0];
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (const change of changed) change(); });
return { element, number, tick, clock, hours, spans, switchZones, give, onChange: (change) => changed.push(change), start, open, forget, reread, ghosts: {} };
})();
