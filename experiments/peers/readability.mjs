// Readability.js on jsdom as a worker: a JSON line {"id", "url", "html"} in, {"id", "text"} or {"id", "error"} out.
//
//     node readability.mjs FOLDER [--version]
//     node readability.mjs FOLDER --markdown: the text as Markdown, by turndown with its plug-in for GitHub's
//     node readability.mjs FOLDER --images: "images" in the answer besides, the addresses of the article's images
//
// FOLDER holds the node_modules that install.sh made.

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { textOf } from "./html-text.mjs";

const [folder, option] = process.argv.slice(2);
const require = createRequire(resolve(folder, "package.json"));
if (option === "--version") {
  const version = (name) => `${name} ${require(`${name}/package.json`).version}`;
  console.log(`${version("@mozilla/readability")} on ${version("jsdom")}`);
  process.exit();
}
const { Readability } = require("@mozilla/readability");
const { JSDOM, VirtualConsole } = require("jsdom");

const TurndownService = require("turndown");
const { gfm } = require("turndown-plugin-gfm");
const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
turndown.use(gfm);

const bodyOf = (html) => new JSDOM(html).window.document.body;

function images(html, url) {
  const document = new JSDOM(html, { url: url ?? undefined }).window.document;
  const names = ["data-src", "data-original", "data-lazy-src", "src", "srcset"];
  const address = (image) => {
    const stated = names.map((name) => (image.getAttribute(name) ?? "").trim().split(",")[0].split(" ")[0]);
    return stated.find((address) => address !== "" && !address.startsWith("data:"));
  };
  const found = [...document.querySelectorAll("img, amp-img")].map(address).filter((address) => address !== undefined);
  return [...new Set(found)];
}

function extract(html, url) {
  const window = new JSDOM(html, { url: url ?? undefined, virtualConsole: new VirtualConsole() }).window;
  try {
    const article = new Readability(window.document).parse();
    if (option === "--markdown") {
      return { text: article === null ? "" : turndown.turndown(bodyOf(article.content)) };
    }
    if (option === "--images") {
      return { text: article === null ? "" : textOf(bodyOf(article.content)), images: article === null ? [] : images(article.content, url) };
    }
    return { text: article === null ? "" : textOf(bodyOf(article.content)) };
  } finally {
    window.close();
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { id, url, html } = JSON.parse(line);
  let answer;
  try {
    const found = extract(html, url);
    answer = { id, ...found, text: found.text.toWellFormed() };
  } catch (error) {
    answer = { id, error: String(error).toWellFormed() };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
