// compromise as a recogniser of entities for `article-images`: a JSON line {"language", "texts"} in, {"entities"} or {"error"} out.
//
//     node entities.mjs FOLDER [--version]
//
// FOLDER holds the node_modules that install.sh made. compromise reads English; texts of other languages have no entities.

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const [folder, option] = process.argv.slice(2);
const require = createRequire(resolve(folder, "package.json"));
const nlp = require("compromise");
if (option === "--version") {
  console.log(`compromise ${nlp.version}`);
  process.exit();
}

const KINDS = [
  ["person", (document) => document.people()],
  ["place", (document) => document.places()],
  ["organization", (document) => document.organizations()],
];

// Possessives and punctuation are no part of a name.
const clean = (name) => name.replace(/['’]s$/u, "").replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.]+$/gu, "");

function entities(text) {
  const document = nlp(text);
  return KINDS.flatMap(([kind, find]) =>
    find(document)
      .out("array")
      .map((name) => ({ kind, name: clean(name) }))
      .filter(({ name }) => name !== ""),
  );
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer;
  try {
    const { language, texts } = JSON.parse(line);
    const reads = language === null || language === "en";
    answer = { entities: texts.map((text) => (reads ? entities(text) : [])) };
  } catch (error) {
    answer = { error: String(error).toWellFormed() };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
