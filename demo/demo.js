// A page is pasted, dropped or opened; its blocks are shown in the colors of their labels, with the content beside.
// Text of the page only ever comes in as text: nothing of it is parsed here, loaded or run.

const LABELS = ["headline", "full-text", "supplemental", "related-content", "comments", "not-content"];
// What stands in a line of text; everything else begins a new one.
const INLINE = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var".split(" "),
);
// As `duramen explain` has it: what is less sure is dotted.
const SURE = 0.9;

const at = (id) => document.getElementById(id);
const worker = new Worker("worker.js", { type: "module" });
let number = 0;
let shown;
let format = "markdown";

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

function percent(p) {
  if (p > 0.9995 && p < 1) return ">99.9 %";
  if (p < 0.0005) return "<0.1 %";
  return `${(100 * p).toFixed(1)} %`;
}

function say(text, isWrong = false) {
  at("status").textContent = text;
  at("status").classList.toggle("wrong", isWrong);
}

// What is asked for.

let source = "";

function extract(html = source) {
  source = html;
  if (html.length === 0 || html.byteLength === 0) return;
  number += 1;
  const options = { links: true, comments: at("comments").checked };
  const url = at("url").value.trim();
  if (url !== "") options.url = url;
  say("Extracting…");
  worker.postMessage({ number, html, options });
}

worker.onmessage = ({ data }) => {
  if (data.ready !== undefined) {
    if (!data.ready) say(`The model cannot be loaded: ${data.error}`, true);
    else if (number === 0) say("Ready.");
  } else if (data.number === number) {
    document.body.dataset.done = number;
    if (data.error !== undefined) say(data.error, true);
    else show(data.extracted, data.milliseconds);
  }
};
worker.onerror = (event) => say(`The module cannot be loaded: ${event.message || "see the console"}`, true);

let waiting;
at("html").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => extract(at("html").value), 300);
});
// What was copied from a page that a browser shows comes as HTML beside its text.
at("html").addEventListener("paste", (event) => {
  const html = event.clipboardData.getData("text/html");
  if (html !== "" && !/<[a-z!]/i.test(event.clipboardData.getData("text/plain"))) {
    event.preventDefault();
    at("html").value = html;
    extract(html);
  }
});
at("url").addEventListener("change", () => extract());
at("comments").addEventListener("change", () => extract());

async function read(file) {
  at("html").value = "";
  at("html").placeholder = `${file.name}, ${Math.ceil(file.size / 1000)} kB. Paste another page here.`;
  extract(new Uint8Array(await file.arrayBuffer()));
}
at("open").addEventListener("click", () => at("file").click());
at("file").addEventListener("change", () => {
  if (at("file").files.length > 0) read(at("file").files[0]);
  at("file").value = "";
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  const html = event.dataTransfer.getData("text/html");
  if (file !== undefined) {
    read(file);
  } else if (html !== "") {
    at("html").value = html;
    extract(html);
  }
});
for (const button of document.querySelectorAll("[data-example]")) {
  button.addEventListener("click", async () => {
    const response = await fetch(button.dataset.example);
    if (!response.ok) {
      say(`The example cannot be loaded: ${response.status}`, true);
      return;
    }
    at("html").value = await response.text();
    extract(at("html").value);
  });
}

// What was found.

function show(extracted, milliseconds) {
  shown = extracted;
  const { title, status, problem, confidence, kind, pageType, words, blocks, author, date } = extracted;
  const all = Object.values(words).reduce((sum, n) => sum + n, 0);
  const kept = blocks.filter((block) => block.kept);
  say(status === "ok" ? (problem ?? "") : `${status}: ${problem}`, status !== "ok");
  at("result").hidden = false;
  at("title").textContent = title ?? "A page without a title";
  at("facts").replaceChildren(
    ...[
      ["confidence", confidence === null ? "none" : `${confidence.toFixed(2)} (expected F1)`],
      ["kind", kind === null ? "not told" : `${kind.replace("-", " ")}, ${percent(pageType[kind])}`],
      ["author", author],
      ["date", date],
      ["blocks", `${kept.length} of ${blocks.length} kept`],
      ["time", `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`],
    ]
      .filter(([, value]) => value !== null)
      .map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", value))),
  );
  const present = LABELS.filter((label) => words[label] > 0);
  at("words").replaceChildren(
    ...present.map((label) => {
      const part = element("i", label);
      part.style.flexGrow = words[label];
      return part;
    }),
  );
  at("legend").replaceChildren(
    ...LABELS.map((label) => {
      const n = words[label];
      const share = n === 0 ? "" : `, ${((100 * n) / all).toFixed(0)} %`;
      const count = element("b", "", `${n} ${n === 1 ? "word" : "words"}${share}`);
      return element("li", `${label}${n === 0 ? " none" : ""}`, element("i", ""), `${label} `, count);
    }),
  );
  at("page").replaceChildren(...paragraphs(blocks));
  at("page").scrollTop = 0;
  choose(null);
  write();
}

/** The name of the last element of a path. */
const lastOf = (steps) => steps.at(-1).replace(/\[\d+\]$/, "");

/** The line of text that a block stands in, by the path of its element: without what stands inside of lines; of a cell its row. */
function lineOf(xpath) {
  const steps = xpath.split("/").slice(0, -1);
  while (steps.length > 1 && INLINE.has(lastOf(steps))) steps.pop();
  if (/^t[dh]$/.test(lastOf(steps))) steps.pop();
  return steps.join("/");
}

/** Blocks as lines of text, short removed ones in rows. */
function paragraphs(blocks) {
  const lines = [];
  blocks.forEach((block, index) => {
    const path = lineOf(block.xpath);
    if (lines.at(-1)?.path !== path) lines.push({ path, blocks: [] });
    lines.at(-1).blocks.push([block, index]);
  });
  const made = [];
  let row = null;
  for (const { path, blocks } of lines) {
    const line = element("div", "b");
    line.dir = "auto";
    const last = lastOf(path.split("/"));
    if (/^(h[1-6]|li)$/.test(last)) line.classList.add(last);
    const gap = last === "tr" ? "\u2003" : " ";
    const isRemoved = blocks.every(([block]) => !block.kept);
    line.classList.toggle("removed-all", isRemoved);
    blocks.forEach(([block, index], within) => {
      if (within > 0 && !/^[\s.,;:!?)\]’”]/.test(block.text)) line.append(gap);
      line.append(span(block, index, within > 0));
    });
    line.classList.toggle("whole", blocks.length === 1);
    const isShort = blocks.reduce((sum, [block]) => sum + block.text.length, 0) < 40;
    if (isRemoved && isShort) {
      if (row === null) made.push((row = element("div", "row")));
      row.append(line);
    } else {
      row = null;
      made.push(line);
    }
  }
  return made;
}

function span(block, index, isWithin) {
  const made = element("span", `u ${block.label}`, block.text);
  const p = block.probabilities?.[block.label] ?? 1;
  made.classList.toggle("within", isWithin);
  made.classList.toggle("removed", !block.kept);
  made.classList.toggle("unsure", p < SURE);
  made.style.setProperty("--p", (100 * p).toFixed(1));
  made.title = `${block.label}, ${percent(p)}`;
  made.dataset.index = index;
  return made;
}

// One block.

let chosen = null;
const hint = at("detail").textContent;

function choose(span) {
  chosen?.classList.remove("chosen");
  chosen = span;
  if (span === null) {
    at("detail").textContent = hint;
    return;
  }
  span.classList.add("chosen");
  span.scrollIntoView({ block: "nearest" });
  const block = shown.blocks[span.dataset.index];
  const chart = element("div", "posterior");
  for (const label of LABELS) {
    const p = block.probabilities?.[label] ?? 0;
    const own = label === block.label ? " own" : "";
    const fill = element("b", "");
    fill.style.width = `${100 * p}%`;
    chart.append(
      element("span", `${label}${own}`, element("i", ""), label),
      element("span", `track ${label}`, fill),
      element("span", `number${own}`, percent(p)),
    );
  }
  at("detail").replaceChildren(chart, element("p", "path", `${block.kept ? "kept" : "removed"} · ${block.xpath}`));
}

at("page").addEventListener("click", (event) => {
  const span = event.target.closest(".u");
  if (span !== null) choose(span);
});
at("page").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (event.key === "Escape") choose(null);
  if (step === undefined) return;
  event.preventDefault();
  const spans = [...at("page").querySelectorAll(at("hide").checked ? ".u:not(.removed)" : ".u")];
  const now = spans.indexOf(chosen);
  const next = now < 0 ? (step > 0 ? 0 : spans.length - 1) : now + step;
  if (spans[next] !== undefined) choose(spans[next]);
});

// The formats.

const tabs = [...document.querySelectorAll("[role=tab]")];

function write() {
  if (shown === undefined) return;
  const { markdown, html, ...record } = shown;
  at("output").textContent = { markdown, text: shown.text, json: JSON.stringify(record, null, 2) }[format];
  at("output").scrollTop = 0;
}

function select(tab) {
  format = tab.id.replace("tab-", "");
  for (const other of tabs) {
    other.setAttribute("aria-selected", other === tab);
    other.tabIndex = other === tab ? 0 : -1;
  }
  at("output").setAttribute("aria-labelledby", tab.id);
  write();
}

tabs.forEach((tab, index) => {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs[(index + step + tabs.length) % tabs.length];
    select(next);
    next.focus();
  });
});
at("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(at("output").textContent);
    at("copy").textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(at("output"));
    at("copy").textContent = "Selected";
  }
  setTimeout(() => (at("copy").textContent = "Copy"), 1500);
});
