// defuddle as a worker: a JSON line {"id", "url", "html"} in, {"id", "text"} or {"id", "error"} out.
//
//     node defuddle.mjs FOLDER [--version]
//     node defuddle.mjs FOLDER --markdown: Markdown in place of text
//
// FOLDER holds the node_modules that install.sh made. The page is parsed by linkedom, as defuddle's own program does.

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { textOf } from "./html-text.mjs";

const [folder, option] = process.argv.slice(2);
const require = createRequire(resolve(folder, "package.json"));
// By its file: the package gives this part to ES modules alone, and those are not found in another folder.
const { Defuddle } = require(resolve(folder, "node_modules/defuddle/dist/node.js"));
const { parseHTML } = require("linkedom");
if (option === "--version") {
  const manifest = require(resolve(folder, "node_modules/defuddle/package.json"));
  console.log(`defuddle ${manifest.version} on linkedom`);
  process.exit();
}
const markdown = option === "--markdown";

// What it says of a page it says on the console, where the answers go.
console.log = console.warn = console.error = () => {};

async function extract(html, url) {
  // Without `useAsync: false` it would ask services of others for pages that hold no text.
  const { content } = await Defuddle(html, url ?? undefined, { markdown, useAsync: false });
  return markdown ? content : textOf(parseHTML(`<!DOCTYPE html><html><body>${content}</body></html>`).document.body);
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { id, url, html } = JSON.parse(line);
  let answer;
  try {
    answer = { id, text: (await extract(html, url)).toWellFormed() };
  } catch (error) {
    answer = { id, error: String(error).toWellFormed() };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
