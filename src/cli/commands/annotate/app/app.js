// The application of `duramen annotate`: one page at a time, its blocks marked by label and certainty.

const LABELS = [
  { key: "1", code: "H", label: "headline", name: "Headline", color: "#009e73", what: "the title of the article, of the product, of the list" },
  { key: "2", code: "C", label: "full-text", name: "Text", color: "#d55e00", what: "what the reader came for: paragraphs with their headings, the posts of a forum, the items of a list" },
  { key: "3", code: "S", label: "supplemental", name: "Supplemental", color: "#cc79a7", what: "facts about it: author, date, caption, source, tags; on a forum user names and dates" },
  { key: "4", code: "R", label: "related-content", name: "Related", color: "#e69f00", what: "links to other pages of the kind, and teasers of them" },
  { key: "5", code: "K", label: "comments", name: "Comments", color: "#56b4e9", what: "what readers say below an article, reviews below a product" },
  { key: "6", code: "B", label: "not-content", name: "Not content", color: "#757575", what: "menus, search, forms, buttons, advertising, footers" },
];
const KINDS = [
  "article", "forum", "product", "collection", "listing", "documentation", "service", "recipe", "home-page", "form", "other",
];
/** The labels of the article; beside another system the two are compared by what is of it. */
const ARTICLE = "HCS";
const token = new URLSearchParams(location.search).get("token");
const $ = (id) => document.getElementById(id);

/** What is known of the session, and of the page that is open. */
const state = { pages: [], id: null, opened: null, marks: [], steps: [], undone: [], changed: new Set(), kind: null, found: null, first: 0, last: 0, levels: [], since: 0, seconds: 0, request: 0 };

async function ask(path, body) {
  const headers = { "X-Duramen-Token": token };
  const options = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The program does not answer: start `duramen annotate` again. What was saved is saved.");
  }
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
const labelOf = (code) => LABELS.find((label) => label.code === code);

/** What was asked for and is not done yet: the end of it, and how much. */
let queue = Promise.resolve();
let pending = 0;

/**
 * Runs what a key or a button asks for, one after the other, and says what went wrong. What was asked of a page that is
 * not shown any more is not done.
 */
function run(action) {
  return (...args) => {
    const { id } = state;
    busy(1);
    queue = queue.then(async () => {
      try {
        if (state.id !== id) return;
        $("message").textContent = "";
        await action(...args);
      } catch (error) {
        $("message").textContent = error.message;
      } finally {
        busy(-1);
      }
    });
  };
}

function busy(by) {
  pending += by;
  document.body.setAttribute("aria-busy", String(pending > 0));
}

// Pages.

function showPages(overview) {
  state.pages = overview.pages;
  const select = $("pages");
  const signs = { open: "", accepted: "✓ ", skipped: "– " };
  select.replaceChildren(...state.pages.map((page) => {
    const number = page.doubt ?? page.disagreement ?? page.confidence;
    const expected = number === null ? "" : ` (${number.toFixed(2)})`;
    return new Option(`${signs[page.status]}${page.id}${expected}`, page.id);
  }));
  select.value = state.id ?? "";
  showProgress(overview);
}

function showProgress({ accepted, skipped, all, before, last }) {
  let text = `${accepted} of ${all} accepted`;
  if (skipped) text += `, ${skipped} skipped`;
  if (before) text += `; F1 before they were labelled: model ${before[0].toFixed(3)}, with what it learned of the sites ${before[1].toFixed(3)}`;
  const isReview = state.pages.some((page) => page.doubt !== null);
  if (last[0] > 2) text += `; of the last ${last[0]} accepted ${last[1]} ${isReview ? "were changed" : "needed marks"}`;
  $("progress").textContent = text;
  $("progress").title = text;
}

function step(by) {
  const at = state.pages.findIndex((page) => page.id === state.id);
  const next = state.pages[at + by];
  return next ? openPage(next.id) : Promise.resolve();
}

async function openPage(id) {
  // Until it is there, nothing is done with the page before it.
  Object.assign(state, { id, found: null, first: 0, last: 0, levels: [], changed: new Set(), request: state.request + 1 });
  $("selected").textContent = "Loading";
  // It is shown while the model looks at it.
  const loaded = new Promise((resolve) => $("frame").addEventListener("load", resolve, { once: true }));
  $("frame").src = `/page/${encodeURIComponent(id)}?token=${encodeURIComponent(token)}`;
  const opened = await ask("/api/open", { page: id });
  if (state.id !== id) return;
  Object.assign(state, { opened, marks: opened.work?.marks ?? [], undone: [], kind: opened.work?.kind ?? null });
  // The labels that a page came with are no step to undo.
  state.steps = opened.given.length ? [] : [...state.marks.keys()];
  Object.assign(state, { seconds: opened.work?.seconds ?? 0, since: performance.now() });
  $("pages").value = id;
  $("note").value = opened.work?.note ?? "";
  const listed = state.pages.find((page) => page.id === id);
  $("address").textContent = listed?.url ?? id;
  $("beside").hidden = !opened.beside;
  $("beside-name").textContent = opened.beside?.name ?? "";
  $("beside-text").textContent = opened.beside?.text ?? "";
  const [found] = await Promise.all([lookUp(), loaded]);
  if (state.id !== id) return;
  prepareFrame();
  show(found);
  select(state.found.least_certain ?? nextDoubtful(0) ?? 1);
}

// The page under annotation.

const frameDocument = () => $("frame").contentDocument;
const pieces = (block) => frameDocument().querySelectorAll(`duramen-t[b="${block}"]`);

function prepareFrame() {
  const page = frameDocument();
  state.pieces = [...page.querySelectorAll("duramen-t")].map((piece) => ({ piece, block: Number(piece.getAttribute("b")), look: "" }));
  const style = page.createElement("style");
  const rules = LABELS.map(({ code, color }) => [
    [1, "1f"], [2, "3d"], [3, "66"],
  ].map(([level, alpha]) => `duramen-t[l="${code}"][q="${level}"] { background: ${color}${alpha} !important }`)
    .concat(`duramen-t[l="${code}"][m] { box-shadow: inset 0 -3px 0 ${color} !important }`)
    .concat(`duramen-t[l="${code}"][o] { box-shadow: none !important; border-bottom: 3px double ${color} !important }`).join("\n"));
  style.textContent = `${rules.join("\n")}
    duramen-t { cursor: pointer !important }
    duramen-t[c] { outline: 2px dotted #6f42c1 !important; outline-offset: 1px }
    duramen-t[d] { outline: 3px dashed #b3261e !important; outline-offset: 1px }
    duramen-t[s] { outline: 3px solid #0b57d0 !important; outline-offset: 1px }`;
  (page.head ?? page.documentElement).append(style);
  const blockAt = (event) => {
    const piece = event.target.closest?.("duramen-t") ?? event.target.querySelector?.("duramen-t");
    return piece ? Number(piece.getAttribute("b")) : 0;
  };
  page.addEventListener("click", (event) => event.preventDefault(), true);
  page.addEventListener("auxclick", (event) => event.preventDefault(), true);
  page.addEventListener("submit", (event) => event.preventDefault(), true);
  page.addEventListener("mousedown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    page.defaultView.focus();
    const block = blockAt(event);
    if (!block) return;
    if (event.shiftKey) extend(block); else select(block, false);
  }, true);
  page.addEventListener("mouseover", (event) => {
    const block = event.buttons === 1 ? blockAt(event) : 0;
    if (block) extend(block);
  }, true);
  page.addEventListener("keydown", keyDown);
}

/** The blocks that are marked, each with whether its mark came from another page of the site. */
function markedBlocks() {
  const marked = new Map();
  for (const { from, to, label, is_copied: isCopied } of state.marks) {
    for (let block = from; block <= to; block++) {
      if (label === null) marked.delete(block); else marked.set(block, Boolean(isCopied));
    }
  }
  return marked;
}

function paint() {
  const { labels, p } = state.found;
  const marked = markedBlocks();
  for (const shown of state.pieces) {
    const { piece, block } = shown;
    const certain = p[block - 1];
    const level = certain >= 95 ? 3 : certain >= 70 ? 2 : 1;
    const [isMarked, isCopied] = [marked.has(block), marked.get(block) ?? false];
    const [isDoubted, isChanged] = [isDoubtful(block), state.changed.has(block)];
    const look = [labels[block - 1], level, isMarked, isCopied, isDoubted, isChanged].join();
    if (look === shown.look) continue;
    shown.look = look;
    piece.setAttribute("l", labels[block - 1]);
    piece.setAttribute("q", level);
    piece.toggleAttribute("m", isMarked);
    piece.toggleAttribute("o", isCopied);
    piece.toggleAttribute("d", isDoubted);
    piece.toggleAttribute("c", isChanged);
  }
}

/** Whether the label that a block came with is improbable, and still stands; beside another system whether the two disagree. */
function isDoubtful(block) {
  const { beside } = state.opened;
  if (beside) return ARTICLE.includes(beside.labels[block - 1]) !== ARTICLE.includes(state.found.labels[block - 1]);
  const given = state.opened.given[block - 1];
  return Boolean(given) && given.p < 50 && state.found.labels[block - 1] === given.label;
}

function nextDoubtful(after) {
  const n = state.opened.blocks.length;
  for (let by = 1; by <= n; by++) {
    const block = ((after + by - 1) % n) + 1;
    if (isDoubtful(block)) return block;
  }
}

// The selection.

function select(block, scroll = true) {
  Object.assign(state, { first: block, last: block, anchor: block, levels: [] });
  showSelection(scroll);
}

function extend(block) {
  state.first = Math.min(state.anchor, block);
  state.last = Math.max(state.anchor, block);
  state.levels = [];
  showSelection(false, block);
}

function showSelection(scroll, at = state.first) {
  for (const piece of frameDocument().querySelectorAll("duramen-t[s]")) piece.removeAttribute("s");
  for (let block = state.first; block <= state.last; block++) {
    for (const piece of pieces(block)) piece.setAttribute("s", "");
  }
  if (scroll) pieces(at)[0]?.scrollIntoView({ block: "center" });
  showLabels();
  showPath();
}

function showLabels() {
  const { first, last, found, opened } = state;
  $("selected").textContent = first === last ? `Block ${first} of ${opened.blocks.length}` : `Blocks ${first} to ${last} of ${opened.blocks.length}`;
  const code = found.labels[first - 1];
  const given = opened.given[first - 1];
  let certain = "";
  if (first === last && given) certain = `: it came as ${labelOf(given.label).name}, P = ${(given.p / 100).toFixed(2)}; the model says ${labelOf(given.found).name}`;
  else if (first === last) certain = `: ${labelOf(code).name}, P = ${(found.p[first - 1] / 100).toFixed(2)}`;
  if (first === last && opened.beside) {
    const { name, labels, p } = opened.beside;
    certain += `; ${name}: ${labelOf(labels[first - 1]).name}${p.length ? `, P = ${(p[first - 1] / 100).toFixed(2)}` : ""}`;
  }
  if (first === last && markedBlocks().get(first)) certain += "; marked on another page of this site";
  $("where").textContent = `${opened.blocks[first - 1] ?? ""}${certain}`;
  const same = [...found.labels.slice(first - 1, last)].every((other) => other === code);
  for (const button of $("labels").children) button.setAttribute("aria-pressed", String(same && button.dataset.code === code));
}

/** The elements around the first block that hold more blocks than those inside, with the blocks of each. */
function around() {
  const elements = [];
  let [first, last] = [state.first, state.first];
  for (let element = pieces(state.first)[0]?.parentElement; element; element = element.parentElement) {
    const inside = [...element.querySelectorAll("duramen-t")].map((piece) => Number(piece.getAttribute("b")));
    const [from, to] = [inside.reduce((a, b) => Math.min(a, b)), inside.reduce((a, b) => Math.max(a, b))];
    if (from < first || to > last) {
      [first, last] = [from, to];
      const names = element.className && typeof element.className === "string" ? `.${element.className.trim().split(/\s+/).slice(0, 2).join(".")}` : "";
      elements.push({ name: `${element.localName}${names}`, from, to });
    }
    if (element.localName === "body") break;
  }
  return elements;
}

function showPath() {
  $("path").replaceChildren(...around().map(({ name, from, to }) => {
    const button = document.createElement("button");
    button.textContent = `${name} (${to - from + 1})`;
    button.addEventListener("click", () => widen(from, to));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
}

function widen(from, to) {
  state.levels.push([state.first, state.last]);
  Object.assign(state, { first: from, last: to });
  const levels = state.levels;
  showSelection(false);
  state.levels = levels;
}

function selectAround() {
  const next = around().find(({ from, to }) => from < state.first || to > state.last);
  if (next) widen(next.from, next.to);
}

function selectInside() {
  const level = state.levels.pop();
  if (level) {
    [state.first, state.last] = level;
    showSelection(false);
  }
}

// Labels.

const lookUp = () => ask("/api/labels", { page: state.id, marks: state.marks, kind: state.kind });

async function refresh() {
  const request = ++state.request;
  const before = state.found.labels;
  const found = await lookUp();
  // An answer to an older question comes too late.
  if (request !== state.request) return;
  const marked = markedBlocks();
  const others = [...found.labels].map((_, at) => at).filter((at) => found.labels[at] !== before[at] && !marked.has(at + 1));
  state.changed = new Set(others.map((at) => at + 1));
  show(found);
  if (others.length) $("message").textContent = `${counted(others.length, "other block")} changed too, dotted on the page.`;
}

function show(found) {
  state.found = found;
  paint();
  $("text").textContent = found.text;
  $("kind").value = state.kind ?? found.kinds[0]?.[0] ?? "other";
  const expected = found.confidence === null ? "" : `, expected F1 ${found.confidence.toFixed(2)}`;
  $("state").textContent = `${counted(state.marks.length, "mark")}, ${counted(found.uncertain, "block")} below P = .95${expected}`;
  $("undo").disabled = state.steps.length === 0;
  $("redo").disabled = state.undone.length === 0;
  if (state.first) showLabels();
}

function seconds() {
  return Math.round(state.seconds + (performance.now() - state.since) / 1000);
}

function save(status) {
  const { id: page, marks, kind } = state;
  return ask("/api/save", { page, annotator: "", status, marks, kind, note: $("note").value, seconds: seconds() });
}

async function changed() {
  await refresh();
  showProgress(await save("open"));
}

/** Adds marks, which are undone together. */
async function put(marks) {
  if (!marks.length) return;
  state.steps.push(state.marks.length);
  state.marks = [...state.marks, ...marks];
  state.undone = [];
  await changed();
}

async function mark(label) {
  if (state.first) await put([{ from: state.first, to: state.last, label }]);
}

/** Marks of blocks, given by their places from 0, with the labels that they have. */
function marksOf(places) {
  const marks = [];
  for (const at of places) {
    const { label } = labelOf(state.found.labels[at]);
    const before = marks.at(-1);
    if (before && before.to === at && before.label === label) before.to = at + 1; else marks.push({ from: at + 1, to: at + 1, label });
  }
  return marks;
}

/** Marks what the model is certain of as it is, so that what is left can be gone through one by one. */
async function markCertain() {
  const marked = markedBlocks();
  await put(marksOf([...state.found.p.keys()].filter((at) => state.found.p[at] >= 95 && !marked.has(at + 1))));
  leastCertain();
}

/** Gives all blocks of the page that stand in the same kind of place the label of the selected one. */
async function alike() {
  const { blocks } = state.opened;
  const { label } = labelOf(state.found.labels[state.first - 1]);
  const places = [...blocks.keys()].filter((at) => blocks[at] === blocks[state.first - 1]);
  await put(marksOf(places).map(({ from, to }) => ({ from, to, label })));
}

async function undo() {
  if (!state.steps.length) return;
  const length = state.steps.pop();
  state.undone.push(state.marks.slice(length));
  state.marks = state.marks.slice(0, length);
  await changed();
}

async function redo() {
  if (!state.undone.length) return;
  state.steps.push(state.marks.length);
  state.marks = [...state.marks, ...state.undone.pop()];
  await changed();
}

async function finish(status) {
  await save(status);
  const id = state.id;
  showPages(await ask("/api/pages"));
  const at = state.pages.findIndex((page) => page.id === id);
  const rest = [...state.pages.slice(at + 1), ...state.pages.slice(0, at)];
  const next = rest.find((page) => page.status === "open");
  if (next) await openPage(next.id); else $("message").textContent = "All pages are done. The labels are in their folder; end the program with Ctrl-C.";
}

async function skip() {
  if (!$("note").value.trim()) {
    $("note").focus();
    throw new Error("Write into the note why the page is skipped, then skip it.");
  }
  await finish("skipped");
}

async function same() {
  const found = await ask("/api/same", { page: state.id, apply: false });
  if (!found.pages) {
    throw new Error("No other open page of this site has blocks like those that are marked here.");
  }
  const preview = found.preview.map(({ id, text }) => `${id}\n${text}`).join("\n\n");
  if (confirm(`${counted(found.blocks, "block")} of ${counted(found.pages, "other page")} of this site get these marks. What is then extracted of the first of them:\n\n${preview}`)) {
    await ask("/api/same", { page: state.id, apply: true });
    $("message").textContent = `Marked on ${counted(found.pages, "page")}; each waits to be accepted.`;
  }
}

function leastCertain() {
  const block = nextDoubtful(state.first) ?? state.found.least_certain;
  if (block) select(block);
}

// Keys.

const KEYS = {
  j: (event) => move(1, event), k: (event) => move(-1, event), ArrowDown: (event) => move(1, event), ArrowUp: (event) => move(-1, event),
  h: selectAround, l: selectInside, u: leastCertain, a: markCertain, e: alike, n: () => step(1), p: () => step(-1), Enter: () => finish("accepted"), x: skip, s: same,
  t: () => $("kind").focus(), "?": () => $("keys").showModal(), 0: () => mark(null),
  ...Object.fromEntries(LABELS.map(({ key, label }) => [key, () => mark(label)])),
};

function move(by, event) {
  const block = Math.min(Math.max((by > 0 ? state.last : state.first) + by, 1), state.opened.blocks.length);
  if (event.shiftKey) {
    state.anchor ??= state.first;
    const edge = state.anchor === state.first ? state.last : state.first;
    extend(Math.min(Math.max(edge + by, 1), state.opened.blocks.length));
  } else {
    select(block);
  }
}

/** Whether the page is there that an action is about; others can be opened at any time. */
const isReady = (action) => state.found !== null || [KEYS.n, KEYS.p].includes(action);

function keyDown(event) {
  const target = event.target;
  const isTyping = ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) && target.ownerDocument === document;
  if (isTyping && event.key === "Escape") target.blur();
  if (isTyping || $("keys").open || event.altKey) return;
  if (event.ctrlKey || event.metaKey) {
    const action = { z: event.shiftKey ? redo : undo, y: redo }[event.key.toLowerCase()];
    if (action && isReady(action)) {
      event.preventDefault();
      run(() => isReady(action) && action())();
    }
    return;
  }
  // A button that has the focus is pressed.
  if (event.key === "Enter" && target.tagName === "BUTTON" && target.ownerDocument === document) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = KEYS[name];
  if (action && isReady(action)) {
    event.preventDefault();
    run(() => isReady(action) && action(event))();
  }
}

// Start.

for (const { key, code, label, name, color, what } of LABELS) {
  const button = document.createElement("button");
  button.textContent = `${key} ${name}`;
  button.dataset.code = code;
  button.title = what;
  button.style.setProperty("--c", color);
  button.addEventListener("click", run(() => state.found && mark(label)));
  $("labels").append(button);
  const row = $("meanings").insertRow();
  const shownKey = document.createElement("kbd");
  shownKey.textContent = key;
  row.insertCell().append(shownKey, ` ${name}`);
  row.insertCell().textContent = what;
}
$("kind").replaceChildren(...KINDS.map((kind) => new Option(kind.replace("-", " "), kind)));
$("kind").addEventListener("change", run(async () => {
  if (!state.found) return;
  state.kind = $("kind").value;
  $("kind").blur();
  await changed();
}));
$("note").addEventListener("change", run(() => state.found && save("open")));
$("pages").addEventListener("change", run(() => {
  $("pages").blur();
  return openPage($("pages").value);
}));
// What was clicked has not the focus: Enter accepts the page. Keys reach buttons by Tab.
document.addEventListener("click", (event) => {
  if (event.detail > 0 && !$("keys").open) event.target.closest("button")?.blur();
});
for (const [id, action] of Object.entries({
  previous: () => step(-1), next: () => step(1), accept: () => finish("accepted"), least: leastCertain, certain: markCertain, alike, undo, redo, skip, same, help: () => $("keys").showModal(),
})) {
  $(id).addEventListener("click", run(() => (state.found || ["previous", "next", "help"].includes(id)) && action()));
}
document.addEventListener("keydown", keyDown);
run(async () => {
  showPages(await ask("/api/pages"));
  const first = state.pages.find((page) => page.status === "open") ?? state.pages[0];
  if (first) await openPage(first.id);
})();
