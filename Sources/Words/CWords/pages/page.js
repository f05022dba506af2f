"use strict";
(() => {
/* The letters of DeltaText: printable ASCII without five characters; the first 70 end a number. */
const CODES = new Uint8Array(127);
for (let i = 32, code = 0; i !== 127; i += 1) {
  if (![34, 38, 60, 62, 92].includes(i)) { CODES[i] = code; code += 1; }
}
const decode = (text) => {
  const values = new Float64Array(text.length);
  let count = 0, value = 0, code = 0, scale = 1;
  for (let i = 0; i !== text.length; i += 1) {
    const letter = CODES[text.charCodeAt(i)];
    if (letter > 69) { code += (letter - 70) * scale; scale *= 20; continue; }
    code += letter * scale;
    value += code % 2 ? -(code + 1) / 2 : code / 2;
    values[count] = value;
    count += 1; code = 0; scale = 1;
  }
  return values.subarray(0, count);
};
const { element, clock, number: rounded } = READER;

/* The windows of a load, or slices of them, in requests per second. */
const loadOf = (data) => {
  const capacity = data.capacity;
  const series = data.series.map(decode);
  const hasBand = series.length === 3;
  const rates = (values, divisor) => values.map((value) => value * data.factor / divisor);
  const low = rates(series[0], 1);
  const mean = hasBand ? rates(series[1], data.summands) : low, high = hasBand ? rates(series[2], 1) : low;
  let peak = 0;
  for (let i = 0; i !== high.length; i += 1) if (high[i] > high[peak]) peak = i;
  const room = new Float64Array(capacity.length === 0 ? 0 : high.length);
  capacity.forEach(([from, rate], number) => {
    const next = capacity[number + 1];
    room.fill(rate === null ? Infinity : rate, from, next ? next[0] : room.length);
  });
  const step = data.window * data.slice, unknown = data.unknown || [];
  const layer = (name) => data.layers === undefined ? [] : decode(data.layers[name]).map((value) => value * data.layers.unit);
  const layers = { step: data.layers && data.layers.step, base: layer("base"), edge: layer("edge"), showsEdge: data.layers && data.layers.shows_edge };
  const isUnknown = (begin, end) => unknown.some(([from, to]) => end > from && to > begin);
  return {
    isUnknown, layers, low, mean, high, room, peak, hasBand, step, first: data.start, last: data.start + high.length * step,
    peakTime: data.start + data.peak, peakLabel: data.peak_label, estimate: data.estimate || [], name: data.name, colour: data.colour, limit: data.limit,
  };
};

/* Calls body(x, from, to) for every column of pixels that contains points of a series. */
const columns = (first, step, count, graph, area, body) => {
  const [from, to] = graph.xAxisRange();
  const index = (x) => Math.floor((from + (to - from) * x / area.w - first) / step);
  for (let x = 0; area.w > x; x += 1) {
    const begin = Math.max(index(x), 0), end = Math.min(Math.max(index(x + 1), begin + 1), count);
    if (end > begin) body(area.x + x, begin, end);
  }
};
const extreme = (values, begin, end, choose) => {
  let found = values[begin];
  for (let i = begin + 1; end > i; i += 1) found = choose(found, values[i]);
  return found;
};
const highest = (values, begin, end) => extreme(values, begin, end, Math.max);
const average = (values, begin, end) => extreme(values, begin, end, (sum, value) => sum + value) / (end - begin);
/* Draws a layer behind and below a load: an area from the baseline, by columns of pixels. */
const drawLayer = (first, step, values, of, style, alpha, canvas, graph, area) => {
  const foot = graph.toDomYCoord(0);
  canvas.globalAlpha = alpha;
  canvas.fillStyle = style;
  columns(first, step, values.length, graph, area, (x, begin, end) => {
    const top = graph.toDomYCoord(of(values, begin, end));
    canvas.fillRect(x, top, 1, foot - top);
  });
  canvas.globalAlpha = 1;
};
/* Draws one load as a band with its mean; several loads have their own colours and translucent bands. */
const drawBand = (load, colour, canvas, graph, area) => {
  const y = (rate) => graph.toDomYCoord(rate);
  const line = new Path2D(), limit = new Path2D();
  let isDrawn = false, isLifted = true;
  canvas.fillStyle = colour(load.colour || "--band");
  canvas.globalAlpha = load.colour ? 0.38 : 1;
  columns(load.first, load.step, load.high.length, graph, area, (x, begin, end) => {
    if (load.isUnknown(begin, end)) { isLifted = true; return; }
    const top = y(highest(load.high, begin, end)), mean = y(average(load.mean, begin, end)), foot = y(extreme(load.low, begin, end, Math.min));
    canvas.fillRect(x, top, 1, Math.max(foot - top, 1));
    if (isLifted) line.moveTo(x + 0.5, mean); else line.lineTo(x + 0.5, mean);
    isLifted = false;
    if (load.room.length === 0) return;
    const room = extreme(load.room, begin, end, Math.min);
    if (Number.isFinite(room)) { if (isDrawn) limit.lineTo(x, y(room)); else limit.moveTo(x, y(room)); }
    isDrawn = Number.isFinite(room);
  });
  canvas.globalAlpha = 1;
  canvas.lineWidth = 1.3; canvas.strokeStyle = colour(load.colour || "--accent"); canvas.stroke(line);
  canvas.lineWidth = 1.8; canvas.strokeStyle = colour(load.limit || "--mark"); canvas.stroke(limit);
};
const drawPeak = (load, isNamed, colour, canvas, graph, area) => {
  const [least, rate, most] = load.estimate;
  const x = graph.toDomXCoord(load.peakTime), y = graph.toDomYCoord(rate || load.high[load.peak]);
  if (area.x > x || x > area.x + area.w) return;
  canvas.strokeStyle = colour(load.colour || "--mark"); canvas.lineWidth = 3;
  canvas.beginPath();
  if (rate) { canvas.moveTo(x, graph.toDomYCoord(least)); canvas.lineTo(x, graph.toDomYCoord(most)); canvas.stroke(); }
  canvas.beginPath();
  canvas.arc(x, y, 4, 0, 7);
  canvas.fillStyle = colour(load.colour || "--mark");
  canvas.fill();
  if (!isNamed) return;
  canvas.font = "600 12px sans-serif";
  const text = load.peakLabel + (rate ? "" : " at " + READER.hours(load.peakTime)), width = canvas.measureText(text).width;
  const isRight = x + 12 + width > area.x + area.w;
  canvas.lineWidth = 4; canvas.lineJoin = "round"; canvas.strokeStyle = colour("--panel"); canvas.fillStyle = colour("--ink");
  const at = [isRight ? x - 10 - width : x + 9, y + 5];
  canvas.strokeText(text, ...at);
  canvas.fillText(text, ...at);
};
/* Draws the mean of an earlier setting's load as a faint line. */
const drawGhost = (load, colour, canvas, graph, area) => {
  const line = new Path2D();
  columns(load.first, load.step, load.mean.length, graph, area, (x, begin, end) => line.lineTo(x + 0.5, graph.toDomYCoord(highest(load.high, begin, end))));
  canvas.globalAlpha = 0.55; canvas.lineWidth = 1.3; canvas.strokeStyle = colour("--soft");
  canvas.setLineDash([4, 3]);
  canvas.stroke(line);
  canvas.setLineDash([]);
  canvas.globalAlpha = 1;
};
const drawLoads = (loads, ghosts, highest, colour) => ({ drawingContext: canvas, plotArea: area, dygraph: graph }) => {
  canvas.save();
  canvas.beginPath();
  canvas.rect(area.x, area.y - 8, area.w, area.h + 9);
  canvas.clip();
  for (const load of loads) drawBand(load, colour, canvas, graph, area);
  for (const ghost of ghosts) drawGhost(ghost, colour, canvas, graph, area);
  for (const load of loads) drawPeak(load, load === highest, colour, canvas, graph, area);
  canvas.restore();
};
/* Draws the layers below the loads: stacked, and translucent for several runs. */
const drawLayers = (loads, colour, canvas, area, graph) => {
  canvas.save();
  canvas.beginPath();
  canvas.rect(area.x, area.y - 8, area.w, area.h + 9);
  canvas.clip();
  const alpha = loads.length === 1 ? 1 : 0.4;
  for (const { first, layers } of loads) drawLayer(first, layers.step, layers.edge, highest, colour("--placement"), 0.25, canvas, graph, area);
  for (const { first, step, mean, layers } of loads) {
    if (loads.length === 1 || layers.base.length !== 0) drawLayer(first, step, mean, average, colour("--fleet"), alpha, canvas, graph, area);
    drawLayer(first, layers.step, layers.base, highest, colour("--base"), alpha, canvas, graph, area);
  }
  canvas.restore();
};
const drawMarks = (data, colour, canvas, area, graph) => {
  canvas.save();
  canvas.font = "12px sans-serif";
  data.marks.forEach((mark, number) => {
    const left = graph.toDomXCoord(data.start + mark.from), right = graph.toDomXCoord(data.start + mark.to);
    if (area.x > right || left > area.x + area.w) return;
    const from = Math.max(left, area.x), to = Math.min(right, area.x + area.w);
    canvas.globalAlpha = 0.13;
    canvas.fillStyle = colour("--mark");
    canvas.fillRect(from, area.y, mark.to > mark.from ? Math.max(to - from, 1) : 0, area.h);
    canvas.globalAlpha = 1;
    canvas.strokeStyle = colour("--soft");
    canvas.setLineDash([2, 3]);
    canvas.beginPath(); canvas.moveTo(from, area.y); canvas.lineTo(from, area.y + area.h); canvas.stroke();
    canvas.fillStyle = colour("--ink");
    const end = area.x + area.w - canvas.measureText(mark.name).width - 2;
    canvas.fillText(mark.name, Math.max(Math.min(from + 3, end), area.x), area.y + 34 + 15 * (number % 3));
  });
  canvas.restore();
};

const draw = (figure) => {
  const data = JSON.parse(document.getElementById(figure.dataset.zoom).textContent);
  const loads = (data.runs || [data]).map((run) => loadOf({ ...data, ...run }));
  const ghosts = READER.ghosts[figure.id] === undefined ? [] : [loadOf(JSON.parse(READER.ghosts[figure.id]))];
  const load = loads.reduce((best, other) => other.high[other.peak] > best.high[best.peak] ? other : best);
  const finest = Math.min(...loads.map(({ step }) => step)), last = Math.max(...loads.map((other) => other.last));
  const style = getComputedStyle(figure);
  const colour = (name) => style.getPropertyValue(name).trim();
  const box = document.createElement("div");
  box.className = "zoom";
  const buttons = element("div", "", box);
  buttons.className = "buttons";
  const holder = element("div", "", box);
  holder.className = "chart";
  holder.tabIndex = 0;
  holder.setAttribute("role", "group");
  holder.setAttribute("aria-label", data.title + ", zoomable: arrow keys move, with Shift they read values, plus and minus zoom, P goes to the peak, Escape shows all");
  const hint = "Point, touch, or press Shift with the arrow keys to read values. Drag to zoom, double-click to see all.";
  const unit = element("p", "requests/s", box);
  unit.className = "unit";
  box.insertBefore(unit, holder);
  const said = element("output", hint, box);
  figure.querySelector("figcaption").after(box);
  if (figure.dataset.zoom === document.querySelector("figure[data-zoom]").dataset.zoom) READER.switchZones(figure);
  figure.classList.add("zoomed");

  const heightOf = (from, to) => {
    const heights = loads.map((load) => {
      const begin = Math.max(Math.floor((from - load.first) / load.step), 0);
      const end = Math.min(Math.max(Math.ceil((to - load.first) / load.step), begin + 1), load.high.length);
      const high = highest(load.high, begin, end);
      const room = load.room.length === 0 ? Infinity : extreme(load.room, begin, end, Math.min);
      const edge = load.layers.showsEdge ? highest(load.layers.edge, 0, load.layers.edge.length) : 0;
      return Math.max(high, load.estimate[2] || 0, 3 * high >= room ? room : 0, edge || 0, 1e-9);
    });
    return [0, 1.06 * Math.max(...heights, ...ghosts.map(({ high, peak }) => high[peak]))];
  };
  /* Returns ticks at round times of the displayed zone. */
  const ticker = (from, to, pixels, options, chart, values) => READER.spans(from, to).flatMap(([begin, end, ahead]) =>
    Dygraph.dateTicker(begin + ahead, end + ahead, pixels * (end - begin) / (to - from), options, chart, values)
      .map((tick) => ({ ...tick, v: tick.v - ahead })).filter(({ v }) => v >= begin && end >= v));
  const axes = () => {
    const both = { axisLineColor: colour("--soft"), gridLineColor: colour("--line") };
    return {
      x: { ...both, drawGrid: false, pixelsPerLabel: 46, ticker, axisLabelFormatter: Dygraph.dateAxisLabelFormatter },
      y: { ...both, axisLabelWidth: 54, axisLabelFormatter: READER.tick },
    };
  };
  const graph = new Dygraph(holder, [[load.first, 0], [last, 0]], {
    labels: ["time", "load"], labelsUTC: true, legend: "never", axes: axes(), plotter: drawLoads(loads, ghosts, load, colour),
    underlayCallback: (canvas, area, chart) => { drawLayers(loads, colour, canvas, area, chart); drawMarks(data, colour, canvas, area, chart); },
    valueRange: heightOf(load.first, last), highlightCircleSize: 0,
    zoomCallback: (from, to) => graph.updateOptions({ valueRange: heightOf(from, to) }),
  });
  const show = (from, to, text) => {
    const width = Math.min(Math.max(to - from, 5 * finest), last - load.first);
    const start = Math.min(Math.max(from, load.first), last - width);
    graph.updateOptions({ dateWindow: [start, start + width], valueRange: heightOf(start, start + width) });
    said.textContent = text || "From " + clock(start) + " to " + clock(start + width);
  };
  const reset = () => show(load.first, last, hint);
  const toPeak = () => {
    const time = load.peakTime, half = Math.max(60 * finest, (last - load.first) / 144);
    show(time - half, time + half, "Peak: " + data.peak_text + " " + clock(load.peakTime));
    figure.dataset.peakRate = String(load.estimate[1] || load.high[load.peak]);
    figure.dataset.peakTime = clock(load.first + load.peak * load.step);
  };
  const move = (share) => { const [from, to] = graph.xAxisRange(); show(from + share * (to - from), to + share * (to - from)); };
  const zoom = (factor) => {
    const [from, to] = graph.xAxisRange();
    const middle = (from + to) / 2, half = (to - from) / 2 * factor;
    show(middle - half, middle + half);
  };
  const keys = {
    ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), "+": () => zoom(0.5), "=": () => zoom(0.5),
    "-": () => zoom(2), p: toPeak, P: toPeak, Escape: reset,
  };
  let reading = load.peakTime;
  holder.addEventListener("keydown", (event) => {
    if (event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      const [from, to] = graph.xAxisRange(), width = Math.max(finest, (to - from) / 100);
      reading = Math.min(Math.max(reading + (event.key === "ArrowLeft" ? -width : width), from), to);
      readAt(reading);
      return;
    }
    if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  const told = (load, time) => {
    const index = Math.floor((time - load.first) / load.step);
    if (0 > index || index >= load.high.length) return "";
    if (load.isUnknown(index, index + 1)) return (load.name === undefined ? "" : load.name + " ") + "unknown";
    const spread = load.hasBand ? " on average, " + rounded(load.low[index]) + " to " + rounded(load.high[index]) : "";
    const room = load.room.length === 0 || !Number.isFinite(load.room[index]) ? "" : ", capacity " + rounded(load.room[index]);
    const layer = (values) => values[Math.min(Math.floor((time - load.first) / load.layers.step), values.length - 1)];
    const base = load.layers.base.length === 0 ? "" : ", base load " + rounded(layer(load.layers.base));
    const edge = load.layers.edge.length === 0 ? "" : ", the phones send " + rounded(layer(load.layers.edge));
    return (load.name === undefined ? "" : load.name + " ") + rounded(load.mean[index]) + spread + " requests per second" + room + base + edge;
  };
  const readAt = (time) => {
    reading = time;
    const texts = loads.map((load) => told(load, time)).filter((text) => text !== "");
    if (texts.length !== 0) said.textContent = clock(load.first + Math.floor((time - load.first) / finest) * finest) + ": " + texts.join("; ");
  };
  const point = (event) => readAt(graph.toDataXCoord(event.clientX - holder.getBoundingClientRect().left));
  holder.addEventListener("pointermove", point);
  holder.addEventListener("pointerdown", point);
  READER.onChange(() => { graph.updateOptions({ axes: axes() }); if (said.textContent !== hint) readAt(reading); });
  for (const [name, action] of [["Go to peak", toPeak], ["Reset", reset], ["Zoom in", () => zoom(0.5)], ["Zoom out", () => zoom(2)]]) {
    const button = element("button", name, buttons);
    button.type = "button";
    button.addEventListener("click", action);
  }
  return graph;
};

/* Returns each point of a load as a row of a table. */
const rowsOf = (figure) => {
  const data = JSON.parse(document.getElementById(figure.dataset.zoom).textContent);
  const loads = (data.runs || [data]).map((run) => loadOf({ ...data, ...run }));
  const five = (value) => Number(value.toPrecision(5));
  return [["time", "run", "mean requests/s", "lowest", "highest"], ...loads.flatMap((load) => Array.from(load.mean, (mean, index) =>
    [{ t: load.first + index * load.step }, load.name || "", five(mean), five(load.low[index]), five(load.high[index])]))];
};

Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);
let graphs = [];
const later = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) { later.unobserve(entry.target); graphs.push(draw(entry.target)); }
}, { rootMargin: "400px" });
/* Starts the figures of the page, or of a part that has been put in place of another. */
READER.show = (root) => {
  const [own, others] = [graphs.filter((graph) => !graph.graphDiv.isConnected), graphs.filter((graph) => graph.graphDiv.isConnected)];
  for (const graph of own) graph.destroy();
  graphs = others;
  READER.reread();
  [...root.querySelectorAll("figure[data-zoom]")].forEach((figure, number) => {
    if (number === 0) graphs.push(draw(figure)); else later.observe(figure);
  });
  for (const figure of root.querySelectorAll("figure[data-zoom]")) READER.give(figure, () => rowsOf(figure));
  READER.start(root);
};
const begin = performance.now();
READER.show(document);
if (location.hash.length > 1) READER.open();
document.documentElement.dataset.drawn = String(Math.round(performance.now() - begin));
})();
