"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const blocks = new Map(data.blocks.map((block) => [`b${block.n}`, block]));
const order = [...blocks.keys()];
const reasons = document.getElementById("reasons");
const summary = document.getElementById("summary");
const hide = document.getElementById("hide");
const tabs = [...document.querySelectorAll("[role=tab]")];
let chosen = null;

/** A new element; text of the page only ever comes in as text. */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function percent(p) {
  if (p > 0.9995 && p < 1) return ">99.9\u00a0%";
  // Only inference that counts or chooses gives 0; what is rounded to it here is small.
  if (p < 0.0005 && !(p === 0 && data.inference)) return "<0.1\u00a0%";
  return `${(100 * p).toFixed(1)}\u00a0%`;
}

function signed(x) {
  const text = Math.abs(x).toFixed(2);
  return text === "0.00" ? text : (x < 0 ? "\u2212" : "+") + text;
}

/** The odds that a log-odds stands for, in words. */
function odds(x) {
  const ratio = Math.exp(Math.abs(x));
  const shown = ratio < 10 ? ratio.toFixed(1) : ratio < 1e6 ? Math.round(ratio).toLocaleString("en") : ratio.toExponential(0);
  return x < 0 ? `1 to ${shown}` : `${shown} to 1`;
}

function posteriorChart(block) {
  const chart = element("div", "posterior");
  data.labels.forEach(([name, meaning], label) => {
    const own = label === block.label ? " own" : "";
    const fill = element("b");
    fill.style.width = `${100 * block.posterior[label]}%`;
    const named = element("span", `l${label}${own}`, element("i"), name);
    named.title = meaning;
    chart.append(
      named,
      element("span", `track l${label}`, fill),
      element("span", `number${own}`, percent(block.posterior[label])),
    );
  });
  return chart;
}

/** So many features have a row of their own; the others share one. */
const SHOWN = 8;

/**
 * From nothing to the total: each bar begins where the one above ends, to the right for the block's label, to the left for the
 * other. All numbers are whole hundredths, and add up.
 */
function oddsChart(block, other) {
  const value = (row) => block.odds[row][other];
  const n = data.features.length;
  const features = data.features.map((_, row) => row).sort((a, b) => Math.abs(value(b)) - Math.abs(value(a)));
  const few = features.length <= SHOWN + 1 ? features : features.slice(0, SHOWN);
  const rest = features.slice(few.length);
  few.sort((a, b) => value(b) - value(a));
  const named = (row) => {
    const name = element("abbr", "", data.features[row][0]);
    name.title = data.features[row][1];
    return { name, note: block.values[row], x: value(row) };
  };
  const steps = few.map(named);
  if (rest.length) {
    const x = rest.reduce((sum, row) => sum + value(row), 0);
    steps.push({ name: `${rest.length} other features`, note: "", x });
  }
  steps.push({ name: "from the parent", note: "how common the label is there, and the page around it", x: value(n) });
  steps.push({ name: "from the siblings", note: "", x: value(n + 1) });
  const total = value(n + 2);
  let at = 0;
  steps.forEach((step) => { step.from = at; at += step.x; step.to = at; });
  const ends = [0, total, ...steps.map((step) => step.to)];
  const low = Math.min(...ends), scale = 100 / (Math.max(...ends) - low || 1);
  const chart = element("div", "odds");
  const add = ({ name, note, x, from, to }, className, isLast) => {
    const track = element("span", `track l${x < 0 ? other : block.label}`);
    track.style.setProperty("--zero", `${-low * scale}%`);
    const bar = element("b");
    bar.style.left = `${(Math.min(from, to) - low) * scale}%`;
    bar.style.width = `${Math.abs(x) * scale}%`;
    track.append(bar);
    if (!isLast) {
      const end = element("i");
      end.style.left = `${(to - low) * scale}%`;
      track.append(end);
    }
    const title = element("span", className, name);
    if (note) title.append(element("small", "", note));
    chart.append(title, track, element("span", `number ${className}`, signed(x / 100)));
  };
  steps.forEach((step) => add(step, "", false));
  chart.append(element("hr"));
  add({ name: "total", note: odds(total / 100), x: total, from: 0, to: total }, "own", true);
  const p = 1 / (1 + Math.exp(-total / 100));
  const [own, against] = [block.label, other].map((label) => data.labels[label][0]);
  chart.append(element("p", "sum", `Of these two labels alone: ${own} ${percent(p)}, ${against} ${percent(1 - p)}.`));
  if (rest.length) {
    const list = element("div", "odds");
    rest.map(named).forEach(({ name, note, x }) => {
      list.append(element("span", "", name, element("small", "", note)), element("span"), element("span", "number", signed(x / 100)));
    });
    chart.append(element("details", "", element("summary", "", `The ${rest.length} other features`), list));
  }
  return chart;
}

function comparison(block) {
  const part = element("div");
  const select = element("select");
  select.setAttribute("aria-label", "compare with");
  const others = data.labels.map((_, label) => label).filter((label) => label !== block.label);
  // The most probable other first; log-odds tell apart what posteriors round to one number.
  const total = block.odds[block.odds.length - 1];
  others.sort((a, b) => block.posterior[b] - block.posterior[a] || total[a] - total[b]);
  others.forEach((label) => select.append(new Option(data.labels[label][0], label)));
  const head = element("div", "against", element("b", "", data.labels[block.label][0]), "against", select);
  let chart = oddsChart(block, others[0]);
  select.addEventListener("change", () => {
    const next = oddsChart(block, Number(select.value));
    chart.replaceWith(next);
    chart = next;
  });
  const note = element("p", "soft", "Log-odds in nats: +2.3 makes the first label ten times as likely against the second. Each bar begins where the one above ends, in the color of the label it speaks for.");
  const names = element("dl");
  data.features.forEach(([id, name]) => names.append(element("dt", "", id), element("dd", "", name)));
  part.append(head, chart, note, element("details", "", element("summary", "", "What the features are"), names));
  if (data.inference) part.append(element("p", "soft", `Posterior by ${data.inference}; log-odds by exact inference.`));
  return part;
}

/** What the decision made of the block: P(kept), beside the least of what it kept on this page. */
function decision(block) {
  const verdict = block.kept ? "Kept" : "Left out";
  if (data.cutoff === null) return element("p", "kept", `${verdict}: P(kept) ${percent(block.p_kept)}; the label decides.`);
  const isAbove = block.p_kept >= data.cutoff;
  const whole = "the code, table, list, quotation or figure that it is part of";
  let why = "";
  if (block.kept && !isAbove) {
    const isTitle = data.labels[block.label][0] === "headline";
    why = isTitle ? ", as the page's title" : `, with ${whole}`;
  } else if (!block.kept && isAbove) {
    why = `, with ${whole}`;
  }
  const fill = element("b"), mark = element("i");
  fill.style.width = `${100 * block.p_kept}%`;
  mark.style.left = `${100 * data.cutoff}%`;
  mark.title = "threshold";
  return element("p", "kept", element("b", "", `${verdict}${why}: `),
    `P(kept) ${percent(block.p_kept)}, threshold of this page ${percent(data.cutoff)}`, element("span", "scale", fill, mark));
}

function button(text, label, action) {
  const made = element("button", "", text);
  made.type = "button";
  made.setAttribute("aria-label", label);
  if (action) made.addEventListener("click", action);
  else made.disabled = true;
  return made;
}

function show(id, scroll) {
  const block = blocks.get(id);
  const target = document.getElementById(id);
  if (!block || !target) return;
  choose(tabs[0]);
  if (chosen) document.getElementById(chosen).classList.remove("chosen");
  chosen = id;
  target.classList.add("chosen");
  if (hide.checked && target.closest(".removed")) hide.checked = false;
  const at = order.indexOf(id);
  const go = (next) => order[next] && (() => show(order[next], true));
  const verdict = element("p", `verdict l${block.label}`, data.labels[block.label][0],
    element("small", "", percent(block.posterior[block.label])));
  verdict.title = data.labels[block.label][1];
  reasons.replaceChildren(
    element("div", "bar",
      element("span", "", button("\u2190", "previous block", go(at - 1)), " ", button("\u2192", "next block", go(at + 1))),
      element("small", "", `block ${block.n}`),
      button("\u00d7", "close", close)),
    verdict,
    decision(block),
    element("p", "soft", `${block.tag === "#text" ? "text node" : `<${block.tag}>`}, ${block.words} ${block.words === 1 ? "word" : "words"}`),
    element("p", "path", block.xpath),
    element("h2", "", "Posterior"), posteriorChart(block),
    element("h2", "", "Why"), comparison(block),
  );
  reasons.hidden = false;
  summary.hidden = true;
  reasons.parentElement.scrollTop = 0;
  history.replaceState(null, "", `#${id}`);
  if (scroll) target.scrollIntoView({ block: "center" });
}

function close() {
  if (!chosen) return;
  const target = document.getElementById(chosen);
  target.classList.remove("chosen");
  target.focus({ preventScroll: true });
  chosen = null;
  reasons.hidden = true;
  summary.hidden = false;
  history.replaceState(null, "", location.pathname + location.search);
}

/** Shows the view of a tab, and hides the other. */
function choose(tab) {
  tabs.forEach((other) => {
    const isChosen = other === tab;
    other.setAttribute("aria-selected", isChosen);
    other.tabIndex = isChosen ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !isChosen;
  });
}

tabs[0].parentElement.hidden = false;
tabs.forEach((tab, at) => {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = tabs[1 - at];
    choose(other);
    other.focus();
  });
});
choose(tabs[0]);

document.querySelector("main").addEventListener("click", (event) => {
  const unit = event.target.closest(".u[tabindex]");
  // Whoever marks text to copy it does not ask for reasons.
  if (unit && getSelection().isCollapsed) show(unit.id, false);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, input, button")) return;
  if (event.key === "Escape") close();
  if ((event.key === "Enter" || event.key === " ") && event.target.matches(".u[tabindex]")) {
    event.preventDefault();
    show(event.target.id, false);
  }
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const next = chosen && step && order[order.indexOf(chosen) + step];
  if (next) show(next, true);
});

function followHash() {
  if (/^#b\d+$/.test(location.hash)) show(location.hash.slice(1), true);
  else if (location.hash === "#view-result") choose(tabs[1]);
}
addEventListener("hashchange", followHash);
followHash();
