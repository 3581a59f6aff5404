"use strict";
const folded = [...document.querySelectorAll("main > details")];
const all = document.getElementById("all");

/** Opens the section that a link or the address leads to. */
function open(id) {
  const section = document.getElementById(id)?.closest("details");
  if (section) section.open = true;
}

function label() {
  all.textContent = folded.every((section) => section.open) ? "Fold all" : "Open all";
}

if (all) {
  document.querySelector("nav").addEventListener("click", (event) => {
    if (event.target.hash) open(event.target.hash.slice(1));
  });
  all.hidden = false;
  all.addEventListener("click", () => {
    const isOpen = folded.every((section) => section.open);
    folded.forEach((section) => { section.open = !isOpen; });
  });
  folded.forEach((section) => section.addEventListener("toggle", label));
  label();
}
addEventListener("hashchange", () => open(location.hash.slice(1)));
if (location.hash) {
  open(location.hash.slice(1));
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

// Paper shows everything.
let closed = [];
addEventListener("beforeprint", () => {
  closed = folded.filter((section) => !section.open);
  closed.forEach((section) => { section.open = true; });
});
addEventListener("afterprint", () => closed.forEach((section) => { section.open = false; }));
