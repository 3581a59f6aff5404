// The package as npm installs it, in Node: what it finds, beside what the program finds.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

import ts from "typescript";
import { DuramenError, load } from "duramen";

const root = process.env.DURAMEN_ROOT;
const program = process.env.DURAMEN_PROGRAM;
const here = dirname(fileURLToPath(import.meta.url));
const installed = join(here, "node_modules", "duramen");
const duramen = await load();

const ARTICLE = `<title>The old oak fell</title><nav><a href="/">Home</a></nav><h1>The old oak fell</h1>
<p>The oldest oak of the village fell on <a href="/monday">Monday</a> night, after a storm that lasted for six hours.</p>
<p>Nobody was hurt, because the green around it had been closed in the evening, the mayor said.</p>`;

/** Our own pages in one folder: the examples, those of the tests of rendering, and some that the program makes. */
function gather(folder) {
  execFileSync(program, ["--quiet", "data", "synth", "--sites", "20", "--pages-per-site", "3", "-d", join(folder, "made")]);
  const below = (path) => readdirSync(path, { recursive: true }).filter((name) => name.endsWith(".html")).sort().map((name) => join(path, name));
  const originals = below(join(folder, "made")).filter((path) => path.includes("original"));
  const rendering = below(join(root, "tests/pages")).filter((path) => path.endsWith("page.html"));
  mkdirSync(join(folder, "pages"));
  const pages = [...below(join(root, "examples/pages")), ...rendering, ...originals];
  pages.forEach((path, index) => copyFileSync(path, join(folder, "pages", `${String(index).padStart(3, "0")}.html`)));
}

test("what is found is what the program finds, to the byte", () => {
  const folder = mkdtempSync(join(tmpdir(), "duramen-"));
  try {
    gather(folder);
    const [pages, native] = [join(folder, "pages"), join(folder, "native")];
    for (const format of ["text", "markdown", "html"]) {
      execFileSync(program, ["--quiet", "extract", ...(format === "text" ? [] : [`--${format}`]), "--input-dir", pages, "-d", join(native, format)]);
    }
    execFileSync(program, ["--quiet", "extract", "--jsonl", "--nodes", "--input-dir", pages, "-o", join(native, "records")]);
    const records = readFileSync(join(native, "records"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
    assert.ok(records.length > 70, `${records.length} pages`);
    let furthest = 0;
    for (const record of records) {
      const name = record.id.replace(/^.*\//, "").replace(/\.html$/, "");
      const extracted = duramen.extract(readFileSync(join(pages, `${name}.html`)));
      for (const [format, ending] of [["text", "txt"], ["markdown", "md"], ["html", "html"]]) {
        assert.equal(extracted[format], readFileSync(join(native, format, `${name}.${ending}`), "utf8"), `${name}: ${format}`);
      }
      for (const key of ["url", "status", "problem", "title", "author", "date", "language", "site", "description", "image", "license",
        "categories", "tags", "fingerprint", "words", "text"]) {
        assert.deepEqual(extracted[key], record[key], `${name}: ${key}`);
      }
      assert.deepEqual([extracted.dateModified, extracted.hiddenWords], [record.date_modified, record.hidden_words], name);
      assert.deepEqual(extracted.records, record.records ?? [], name);
      const near = (a, b) => {
        assert.equal(typeof a, typeof b, name);
        furthest = Math.max(furthest, Math.abs(a - b));
      };
      near(extracted.confidence, record.confidence);
      for (const [kind, p] of Object.entries(record.page_type)) near(extracted.pageType[kind], p);
      for (const [fault, p] of Object.entries(record.page_fault)) near(extracted.pageFault[fault], p);
      assert.equal(extracted.blocks.length, record.nodes.length, name);
      extracted.blocks.forEach((block, index) => {
        const { xpath, tag, label, kept, text, posterior } = record.nodes[index];
        const { probabilities, ...rest } = block;
        assert.deepEqual(rest, { xpath, tag, label, kept, text }, name);
        for (const [label, p] of Object.entries(posterior)) near(probabilities[label], p);
      });
    }
    console.log(`${records.length} pages; probabilities differ by ${furthest} at most`);
    assert.ok(furthest < 1e-9, `probabilities differ by ${furthest}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("options have their effect", () => {
  const page = (options) => duramen.extract(ARTICLE, options);
  assert.match(page({ links: true, url: "https://wood.example/oak" }).markdown, /fell on \[Monday\]\(https:\/\/wood\.example\/monday\) night/);
  assert.equal(page({ url: "https://wood.example/oak" }).id, "https://wood.example/oak");
  assert.equal(page({ id: "oak" }).id, "oak");
  assert.ok(!page({ prune: ["//p[2]"] }).text.includes("mayor"));
  assert.equal(page({ minConfidence: 0.9999 }).status, "unsure");
  assert.equal(page({ maxNodes: 5 }).status, "too-large");
  assert.equal(page({ maxBytes: 5 }).status, "too-large");
  assert.equal(page({ labels: ["headline"] }).text, "The old oak fell\n");
  assert.equal(page({ threshold: 1 }).status, "empty");
  assert.ok(page({ convention: "everything" }).text.includes("mayor"));
  const less = page({ markdown: false, html: false, blocks: false });
  assert.deepEqual([less.markdown, less.html, less.blocks], [null, null, null]);
  assert.ok(less.text.includes("mayor"));
  const hidden = '<h1>Oak</h1><p>The oldest oak of the village fell on Monday night.<p style="display:none">Ignore what was said.';
  assert.ok(!duramen.extract(hidden).text.includes("Ignore"));
  assert.equal(duramen.extract(hidden).hiddenWords, 4);
  const commented = readFileSync(join(root, "examples/pages/lighthouse.html"));
  assert.match(duramen.extract(commented).comments, /foghorn/);
  assert.ok(!duramen.extract(commented).text.includes("foghorn"));
  assert.match(duramen.extract(commented, { comments: true }).text, /foghorn/);
});

test("a page is a string, or bytes in any encoding", () => {
  const latin = Buffer.from('<meta charset="iso-8859-1"><h1>Grüße</h1><p>Die älteste Eiche des Dorfes fiel in der Nacht auf Montag.', "latin1");
  const asText = duramen.extract(latin.toString("latin1"));
  assert.equal(duramen.extract(latin).text, asText.text);
  assert.match(asText.text, /^Grüße\n/);
  assert.equal(duramen.extract(new Uint8Array(latin).buffer).text, asText.text);
  assert.match(duramen.extract(Buffer.from("<p>Gr\xfc\xdfe aus dem Dorf", "latin1"), { charset: "iso-8859-1" }).text, /Grüße/);
});

test("what is wrong with a call is said, and what is wrong with a page is its status", () => {
  const wrong = (call, message) => assert.throws(call, (error) => error instanceof DuramenError && message.test(error.message));
  wrong(() => duramen.extract(1), /a string, or bytes/);
  wrong(() => duramen.extract(ARTICLE, { maxSeconds: 1 }), /options: unknown field `maxSeconds`, expected one of/);
  wrong(() => duramen.extract(ARTICLE, { threshold: 1.5 }), /threshold is 1.5; it is from 0 to 1/);
  wrong(() => duramen.extract(ARTICLE, { convention: "articel" }), /no convention is called 'articel'.*'article'/);
  wrong(() => duramen.extract(ARTICLE, { labels: ["text"] }), /unknown variant `text`/);
  wrong(() => duramen.extract(ARTICLE, { labels: ["headline"], comments: true }), /no effect beside labels/);
  wrong(() => duramen.extract(ARTICLE, { prune: ["//p["] }), /p\[/);
  const empty = duramen.extract("");
  assert.deepEqual([empty.status, empty.text, empty.blocks], ["empty", "", []]);
  assert.equal(duramen.extract(new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0, 1])).status, "error");
});

test("a model is read from its file, packed or not, and refused if it is damaged", async () => {
  const packed = readFileSync(join(installed, "web.json.gz"));
  const plain = gunzipSync(packed);
  const expected = duramen.extract(ARTICLE);
  for (const source of [packed, plain, join(installed, "web.json.gz"), new URL(`file://${installed}/web.json.gz`)]) {
    const another = await load(source);
    assert.deepEqual(another.extract(ARTICLE), expected);
    another.free();
    assert.throws(() => another.extract(ARTICLE), DuramenError);
  }
  const rejected = (source, message) => assert.rejects(load(source), (error) => error instanceof DuramenError && message.test(error.message));
  await rejected(packed.subarray(0, 1000), /damaged/);
  const changed = Buffer.from(plain);
  const at = changed.indexOf('"nodes":') + 8;
  changed[at] = changed[at] === 0x31 ? 0x32 : 0x31;
  await rejected(changed, /checksum/);
  await rejected(Buffer.from([0xff]), /not a model file/);
  await rejected(join(installed, "none.json"), /none.json cannot be read \(ENOENT\)/);
  const blocks = await load(join(root, "models/web-blocks.json"));
  assert.equal(blocks.extract(ARTICLE).pageType, null);
  assert.match(blocks.extract(ARTICLE).text, /mayor/);
});

test("a panic is an error with its message, and the next page is extracted", async () => {
  const { fail } = await import(`file://${installed}/duramen_wasm.js`);
  const another = await load();
  const expected = duramen.extract(ARTICLE);
  // As the wrapper sees it: the method of the module's class panics.
  const { Extractor } = await import(`file://${installed}/duramen_wasm.js`);
  const { extract } = Extractor.prototype;
  Extractor.prototype.extract = () => fail("no such node");
  assert.throws(() => duramen.extract(ARTICLE), (error) =>
    error instanceof DuramenError && /^a fault of duramen itself, please report it: .*\bno such node/s.test(error.message));
  Extractor.prototype.extract = extract;
  // Both models are in the instance that is gone.
  assert.deepEqual(another.extract(ARTICLE), expected);
  assert.deepEqual(duramen.extract(ARTICLE), expected);
});

test("the types name the fields that there are", () => {
  const file = join(installed, "index.d.ts");
  const parsed = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const fields = (name) => {
    const found = parsed.statements.find((statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name);
    return found.members.map((member) => member.name.text);
  };
  const extracted = duramen.extract(ARTICLE);
  assert.deepEqual(fields("Extracted"), Object.keys(extracted));
  assert.deepEqual(fields("Block"), Object.keys(extracted.blocks[0]));
  const unknown = (() => {
    try {
      duramen.extract("", { "?": 1 });
    } catch (error) {
      return error.message;
    }
  })();
  const known = unknown.split("expected one of")[1].split(" at line")[0].match(/\w+/g);
  assert.deepEqual(fields("ExtractOptions").sort(), known.sort());
});

test("the package has the version of the library", () => {
  const [, version] = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^version = "(.*)"$/m);
  assert.equal(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).version, version);
});

test("the example of the README runs", () => {
  const readme = readFileSync(join(root, "wasm/README.md"), "utf8");
  const [, example] = readme.match(/```js\n(.*?)```/s);
  const script = join(here, "example.mjs");
  writeFileSync(script, example);
  const said = execFileSync(process.execPath, [script], { encoding: "utf8" });
  assert.match(said, /^# The old oak fell\n\nThe oldest oak of the village fell on \[Monday\]\(https:\/\/wood\.example\/monday\) night/);
  assert.match(said, /\nThe old oak fell [a-z-]+ 0\.\d+\n/);
  assert.match(said, /\nnot-content 0\.\d+ false \//);
});
