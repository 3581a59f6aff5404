"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const blocks = new Map(data.blocks.map((block) => [`b${block.n}`, block]));
const order = [...blocks.keys()];
const reasons = document.getElementById("reasons");
const summary = document.getElementById("summary");
const hide = document.getElementById("hide");
let chosen = null;

/** A new element; text of the page only ever comes in as text. */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function percent(p) {
  if (p > 0.9995 && p < 1) return ">99.9 %";
  // Only inference that counts or chooses gives 0; what is rounded to it here is small.
  if (p < 0.0005 && !(p === 0 && data.inference)) return "<0.1 %";
  return `${(100 * p).toFixed(1)} %`;
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
  data.labels.forEach((name, label) => {
    const own = label === block.label ? " own" : "";
    const fill = element("b");
    fill.style.width = `${100 * block.posterior[label]}%`;
    chart.append(
      element("span", `l${label}${own}`, element("i"), name),
      element("span", `track l${label}`, fill),
      element("span", `number${own}`, percent(block.posterior[label])),
    );
  });
  return chart;
}

/** One bar for each part: to the right for the block's label, to the left for the other. */
function oddsChart(block, other) {
  const chart = element("div", "odds");
  const value = (row) => block.odds[row][other];
  const n = data.features.length;
  const features = data.features.map((_, row) => row).sort((a, b) => value(b) - value(a));
  const shown = [...features, n, n + 1].map(value);
  const low = Math.min(0, ...shown), high = Math.max(0, ...shown);
  const scale = 100 / (high - low || 1);
  const add = (row, name, note, className) => {
    const x = value(row);
    const track = element("span", `track l${x < 0 ? other : block.label}`);
    if (row < n + 2) {
      const bar = element("b");
      bar.style.left = `${(Math.min(x, 0) - low) * scale}%`;
      bar.style.width = `${Math.abs(x) * scale}%`;
      track.style.setProperty("--zero", `${-low * scale}%`);
      track.append(bar);
    } else {
      track.className = "";
      track.append(element("small", "", odds(x)));
    }
    const title = element("span", className, name);
    if (note) title.append(element("small", "", note));
    if (row < n) title.title = data.features[row][1];
    chart.append(title, track, element("span", `number ${className}`, signed(x)));
  };
  features.forEach((row) => add(row, data.features[row][0], block.values[row], ""));
  chart.append(element("hr"));
  add(n, "from the parent", "and the page around it", "");
  add(n + 1, "from the siblings", "", "");
  chart.append(element("hr"));
  add(n + 2, "total", "", "own");
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
  others.forEach((label) => select.append(new Option(data.labels[label], label)));
  const head = element("div", "against", element("b", "", data.labels[block.label]), "against", select);
  let chart = oddsChart(block, others[0]);
  select.addEventListener("change", () => {
    const next = oddsChart(block, Number(select.value));
    chart.replaceWith(next);
    chart = next;
  });
  const note = element("p", "soft", "Log-odds in nats: +2.3 makes the first label ten times as likely against the second. Bars take the color of the label they speak for.");
  const names = element("dl");
  data.features.forEach(([id, name]) => names.append(element("dt", "", id), element("dd", "", name)));
  part.append(head, chart, note, element("details", "", element("summary", "", "What the features are"), names));
  if (data.inference) part.append(element("p", "soft", `Posterior by ${data.inference}; log-odds by exact inference.`));
  return part;
}

/** What the decision made of the block: P(kept), beside the least of what it kept on this page. */
function decision(block) {
  if (data.cutoff === null) return "";
  const own = `P(kept) ${percent(block.p_kept)}; this page's text is kept from ${percent(data.cutoff)}`;
  const isAbove = block.p_kept >= data.cutoff;
  const whole = "the code, table, list, quotation or figure that it is part of";
  let why = "";
  if (block.kept && !isAbove) {
    const isTitle = data.labels[block.label] === "headline";
    why = isTitle ? ", and this block as the page's title" : `, and this block with ${whole}`;
  } else if (!block.kept && isAbove) {
    why = `, but not ${whole}`;
  }
  return element("p", "soft", own + why);
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
  if (chosen) document.getElementById(chosen).classList.remove("chosen");
  chosen = id;
  target.classList.add("chosen");
  if (hide.checked && target.closest(".removed")) hide.checked = false;
  const at = order.indexOf(id);
  const go = (next) => order[next] && (() => show(order[next], true));
  const verdict = element("p", `verdict l${block.label}`, data.labels[block.label],
    element("small", "", percent(block.posterior[block.label])));
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
}
addEventListener("hashchange", followHash);
followHash();
