"use strict";
(() => {
const { element } = READER;
const data = JSON.parse(document.getElementById("live").textContent);
const base = location.pathname;
const [form, answers, answer, status, problem, pinned] =
  ["levers", null, "answer", "status", "problem", "pins"].map((id) => id === null ? document.querySelector(".answers") : document.getElementById(id));
const tab = [...crypto.getRandomValues(new Uint32Array(2))].join("-");

/* The settings that differ from the file, by path, and the pinned settings with one setting a line. Both are in the address. */
let changes = new Map(), pins = [];
const lines = () => [...changes].map(([path, value]) => path + "=" + value).sort();
const query = () => lines().join("\n");
const sets = () => lines().map((line) => ["set", line]);
const wordsOf = (settings) => settings.replaceAll("\n", ", ") || "the file";
const address = () => base + "?" + new URLSearchParams([...sets(), ...pins.map((pin) => ["pin", pin])]).toString();
const readAddress = () => {
  const parameters = new URLSearchParams(location.search);
  changes = new Map(parameters.getAll("set").map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]));
  pins = parameters.getAll("pin").slice(0, 4);
};

/* The levers, each with a slider over its values and a field for any value. */
const levers = new Map();
const tools = document.createElement("div");
const addLever = ({ path, help, values, own }) => {
  if (levers.has(path)) return levers.get(path);
  const box = document.createElement("div"), name = "lever-" + levers.size;
  box.className = "lever";
  element("label", path, box).htmlFor = name;
  element("span", help, box).className = "help";
  const row = element("div", "", box);
  row.className = "turn";
  const slider = element("input", "", row), field = element("input", "", row);
  Object.assign(slider, { type: "range", min: 0, max: Math.max(values.length - 1, 0), step: 1, id: name });
  slider.hidden = values.length === 1;
  Object.assign(field, { type: "text", autocomplete: "off", spellcheck: false });
  field.setAttribute("aria-label", path + ", any value");
  const file = element("span", "", box);
  file.className = "file";
  const lever = {
    show: () => {
      const value = changes.get(path) ?? values[own];
      field.value = value;
      if (values.includes(value)) slider.value = values.indexOf(value);
      slider.setAttribute("aria-valuetext", value);
      box.classList.toggle("changed", changes.has(path));
      file.textContent = changes.has(path) ? "in the file: " + (values[own] === "" ? "not set" : values[own]) : "";
    },
  };
  const turn = (value) => {
    if (value === values[own]) changes.delete(path); else changes.set(path, value);
    lever.show();
    change(path);
  };
  slider.addEventListener("input", () => turn(values[slider.valueAsNumber]));
  field.addEventListener("change", () => turn(field.value.trim()));
  tools.before(box);
  levers.set(path, lever);
  lever.show();
  return lever;
};
const addNamed = async (path) => {
  const reply = await fetch(base + "lever?" + new URLSearchParams({ path }));
  if (reply.ok) return addLever(await reply.json());
  tell(await reply.text());
  return null;
};

/* One request is under way. Its answer is a stream of waves, each more precise than the last. */
let asking = new AbortController(), shown = null, earlier = null, turned = performance.now();
const showAnswer = ({ html, devices, isLast, phones }) => {
  const open = new Set([...answer.querySelectorAll("section[id] > details[open]")].map((fold) => fold.parentElement.id));
  READER.ghosts = earlier === null ? {} : earlier.figures;
  READER.forget();
  answer.innerHTML = html;
  for (const id of open) { const fold = document.querySelector("#" + CSS.escape(id) + " > details"); if (fold !== null) fold.open = true; }
  READER.show(answer);
  const figures = [...answer.querySelectorAll("figure[data-zoom]")].map((figure) => [figure.id, document.getElementById(figure.dataset.zoom).textContent]);
  shown = { query: query(), figures: Object.fromEntries(figures) };
  if (earlier !== null && Object.keys(earlier.figures).length !== 0) {
    const note = answer.querySelector("figure[data-zoom] figcaption");
    if (note !== null) note.append(" (dashed: before, " + wordsOf(earlier.query) + ")");
  }
  answers.classList.remove("stale");
  answers.classList.toggle("provisional", !isLast);
  const size = READER.number(devices) + (devices === phones ? " phones" : " of " + READER.number(phones) + " phones");
  status.textContent = size + (isLast ? " simulated. The run command gives the same answer." : " simulated; refining.");
  document.documentElement.dataset.wave = String(devices);
  if (turned !== null) { document.documentElement.dataset.first = String(Math.round(performance.now() - turned)); turned = null; }
  document.documentElement.dataset.settled = isLast ? query() : "";
};
const receive = (kind, value) => {
  if (kind === "wave") showAnswer(value);
  if (kind === "problem") { problem.textContent = value.text; status.textContent = "The answer below is for the last valid setting."; }
  if (kind === "progress") status.textContent = status.textContent.replace(/ \d+ %$/, "") + " " + value.percent + " %";
};
const ask = async () => {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  problem.textContent = "";
  answers.classList.add("stale");
  status.classList.add("busy");
  status.textContent = "Simulating.";
  const parameters = new URLSearchParams([["tab", tab], ...sets()]);
  if (earlier !== null) parameters.append("before", earlier.query);
  try {
    const reply = await fetch(base + "answer?" + parameters, { signal });
    if (!reply.ok) throw new Error(await reply.text());
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (rest + part.value).split("\n\n");
      rest = events.pop();
      for (const event of events) {
        const [kind, text] = event.split("\n");
        if (!signal.aborted) receive(kind.slice(7), JSON.parse(text.slice(6)));
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    status.textContent = "The program is not responding: " + error.message;
  }
  if (!signal.aborted) { status.classList.remove("busy"); answers.classList.remove("stale"); }
};

/* Changes of one lever in quick succession are one turn, which is compared and undone as a whole. */
const PAUSE = 1500;
let last = { path: null, at: 0 };
const change = (path) => {
  const now = performance.now(), isNew = path !== last.path || now - last.at > PAUSE;
  if (isNew && shown !== null) earlier = shown;
  history[isNew ? "pushState" : "replaceState"](null, "", address());
  [last, turned] = [{ path, at: now }, now];
  showTools();
  ask();
};
const restore = async () => {
  readAddress();
  for (const path of changes.keys()) if (!levers.has(path)) await addNamed(path);
  for (const lever of levers.values()) lever.show();
  showTools();
  ask();
  showPins();
};
addEventListener("popstate", () => { earlier = shown; last.path = null; turned = performance.now(); restore(); });

/* What can be done with a setting. */
const said = document.createElement("output");
said.className = "said";
const tell = (text) => { said.textContent = text; };
const button = (text, parent, action) => {
  const made = element("button", text, parent);
  made.type = "button";
  made.addEventListener("click", action);
  return made;
};
const row = (parent) => { const made = element("div", "", parent); made.className = "row"; return made; };
const keyRow = row(tools), actions = row(tools), saveRow = row(tools), list = document.createElement("div");
const key = element("input", "", keyRow), keys = element("datalist", "", keyRow);
Object.assign(key, { type: "text", placeholder: "any key, such as os.idle.after", autocomplete: "off" });
key.setAttribute("list", "keys");
key.setAttribute("aria-label", "Path of another key");
keys.id = "keys";
for (const path of data.paths) element("option", "", keys).value = path;
const addKey = async () => { if (key.value.trim() !== "" && await addNamed(key.value.trim()) !== null) { key.value = ""; tell(""); } };
key.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); addKey(); } });
button("Add lever", keyRow, addKey);
const undo = button("Undo", actions, () => history.back());
const reset = button("Reset to the file", actions, () => { changes.clear(); for (const lever of levers.values()) lever.show(); change(null); });
const copy = button("Copy as --set", actions, async () => {
  const text = [...changes].map(([path, value]) => "--set " + path + "=" + (/^[\w.%\/:-]+$/.test(value) ? value : "'" + value.replaceAll("'", "'\\''") + "'")).join(" ");
  tell(text);
  try { await navigator.clipboard.writeText(text); tell("Copied: " + text); } catch { /* The text stands on the page. */ }
});
const compare = element("a", "Compare with the file", actions);
Object.assign(compare, { className: "button", target: "_blank", rel: "noopener" });
const pin = button("Pin", actions, () => { pins = [...pins.filter((one) => one !== query()), query()].slice(-4); history.pushState(null, "", address()); showPins(); });
const fileName = element("input", "", saveRow);
Object.assign(fileName, { type: "text", value: data.file, autocomplete: "off", spellcheck: false });
fileName.setAttribute("aria-label", "Name of the new scenario file");
const save = button("Save as scenario", saveRow, async () => {
  const reply = await fetch(base + "save?" + new URLSearchParams([["name", fileName.value], ...sets()]), { method: "POST" });
  tell((await reply.text()).trim());
});
tools.append(said, list);
const showTools = () => {
  const isFile = changes.size === 0;
  for (const one of [reset, copy, save]) one.disabled = isFile;
  compare.hidden = isFile;
  compare.href = base + "compare?" + new URLSearchParams({ pin: query() });
  pin.disabled = pins.includes(query());
};
const showPins = async () => {
  list.replaceChildren();
  for (const one of pins) {
    const line = row(list);
    element("span", "Pinned: " + wordsOf(one), line).className = "file";
    button("Remove", line, () => { pins = pins.filter((other) => other !== one); history.pushState(null, "", address()); showPins(); });
  }
  showTools();
  if (pins.length === 0) { pinned.replaceChildren(); return; }
  const reply = await fetch(base + "pins?" + new URLSearchParams(pins.map((one) => ["pin", one])));
  pinned.innerHTML = reply.ok ? await reply.text() : "";
  if (!reply.ok) tell(await reply.text());
  READER.show(pinned);
};

form.replaceChildren(tools);
form.addEventListener("submit", (event) => event.preventDefault());
for (const lever of data.levers) addLever(lever);
restore();
})();
