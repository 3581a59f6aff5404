// The demonstration in Chromium, as a person uses it, served as any server does.
//
// With DURAMEN_SCREENSHOTS=FOLDER pictures are written there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import test, { after, before } from "node:test";

import { chromium } from "playwright-core";
import { load } from "duramen";

const root = process.env.DURAMEN_ROOT;
const screenshots = process.env.DURAMEN_SCREENSHOTS;
const example = readFileSync(join(root, "examples/pages/lighthouse.html"), "utf8");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".gz": "application/gzip" };

let server, browser, address;
const asked = [];

before(async () => {
  server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://127.0.0.1").pathname;
    try {
      const file = join(process.env.DURAMEN_DEMO, path === "/" ? "index.html" : decodeURIComponent(path));
      const bytes = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: process.env.DURAMEN_CHROMIUM, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** The demonstration, ready; whatever is wrong in it, or asked of another server, fails the test. */
async function opened(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const tab = await context.newPage();
  tab.wrong = [];
  tab.on("pageerror", (error) => tab.wrong.push(error.message));
  tab.on("console", (message) => message.type() === "error" && tab.wrong.push(message.text()));
  tab.on("request", (request) => asked.push(request.url()));
  await tab.goto(address);
  await tab.getByText("Ready.").waitFor({ timeout: 60_000 });
  return tab;
}

async function pasted(tab, html) {
  const before = Number(await tab.evaluate(() => document.body.dataset.done ?? 0));
  await tab.locator("#html").fill(html);
  await tab.waitForFunction((before) => Number(document.body.dataset.done ?? 0) > before, before, { timeout: 60_000 });
}

async function screenshot(tab, name) {
  if (screenshots) await tab.screenshot({ path: join(screenshots, name) });
}

test("a page that is pasted is shown in the colors of its labels, with its Markdown beside", async () => {
  const tab = await opened();
  await pasted(tab, example);
  const duramen = await load();
  const expected = duramen.extract(example, { links: true });
  assert.equal(await tab.locator("#output").textContent(), expected.markdown);
  assert.equal(await tab.locator("#title").textContent(), "Harbour lighthouse to shine again after nine years");
  assert.match(await tab.locator("#facts").textContent(), /confidence0\.\d\d.*kindarticle, .*time[\d.]+ ms/);
  const blocks = await tab.locator("#page .u").evaluateAll((spans) =>
    spans.map((span) => [span.textContent, span.classList[1], !span.classList.contains("removed"), getComputedStyle(span).borderLeftColor]),
  );
  assert.deepEqual(blocks.map(([text, label, kept]) => [text, label, kept]), expected.blocks.map(({ text, label, kept }) => [text, label, kept]));
  const color = (label) => blocks.find(([, other, kept]) => other === label && kept)[3];
  assert.notEqual(color("headline"), color("full-text"));
  await screenshot(tab, "demo.png");

  await tab.getByRole("tab", { name: "Text" }).click();
  assert.equal(await tab.locator("#output").textContent(), expected.text);
  await tab.getByRole("tab", { name: "JSON" }).click();
  assert.equal(JSON.parse(await tab.locator("#output").textContent()).title, expected.title);
  await tab.locator("#hide").check();
  assert.equal(await tab.locator("#page .u:visible").count(), expected.blocks.filter((block) => block.kept).length);
  assert.deepEqual(tab.wrong, []);
});

test("a page runs no script, loads nothing, and its markup is text", async () => {
  const tab = await opened();
  asked.length = 0;
  await pasted(tab, `<h1>Oak</h1><script>document.title = "ran"; fetch("http://127.0.0.1:1/")</script><img src="http://127.0.0.1:1/x.png" onerror="document.title='ran'">
    <p>The oldest oak of the village fell on Monday night: &lt;img src="http://127.0.0.1:1/y.png" onerror="document.title='ran'"&gt;
    <style>body { background: url(http://127.0.0.1:1/z.png) }</style><iframe src="http://127.0.0.1:1/"></iframe>`);
  assert.match(await tab.locator("#page").textContent(), /<img src=/);
  assert.equal(await tab.locator("#page img, #page script, #output img, iframe").count(), 0);
  assert.equal(await tab.title(), "Duramen: the content of a page");
  assert.deepEqual(asked, []);
  assert.deepEqual(tab.wrong, []);
});

test("examples, files, what was copied and an address work, and what has no text says so", async () => {
  const tab = await opened();
  await tab.getByRole("button", { name: "a lesson" }).click();
  await tab.getByText("How long is a second?").first().waitFor();
  assert.match(await tab.locator("#output").textContent(), /```python/);
  const latin = Buffer.from('<meta charset="iso-8859-1"><title>Grüße</title><p>Die älteste Eiche des Dorfes fiel in der <a href="nacht">Nacht</a> auf Montag.', "latin1");
  await tab.locator("#file").setInputFiles({ name: "oak.html", mimeType: "text/html", buffer: latin });
  await tab.locator("#title", { hasText: "Grüße" }).waitFor();
  await tab.locator("#url").fill("https://wood.example/oak");
  await tab.locator("#url").press("Enter");
  await tab.locator("#output", { hasText: "https://wood.example/nacht" }).waitFor();
  await tab.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "Copied\nThe oldest oak of the village fell on Monday night.");
    clipboardData.setData("text/html", "<h1>Copied</h1><p>The oldest oak of the village fell on Monday night.");
    document.getElementById("html").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await tab.locator("#output", { hasText: "# Copied" }).waitFor();
  await pasted(tab, "<title>Nothing</title>");
  assert.match(await tab.locator("#status").textContent(), /^empty: /);
  assert.deepEqual(tab.wrong, []);
});

test("it is used by keys alone", async () => {
  const tab = await opened();
  await tab.locator("#open").focus();
  await tab.keyboard.press("Tab");
  await tab.keyboard.press("Enter");
  await tab.locator("#page .u").first().waitFor();
  await tab.locator("#page").focus();
  for (let step = 0; step < 3; step += 1) await tab.keyboard.press("ArrowDown");
  assert.equal(await tab.locator(".u.chosen").getAttribute("data-index"), "2");
  assert.match(await tab.locator("#detail").textContent(), /full-text.*%.*removed · \//s);
  await tab.getByRole("tab", { name: "Markdown" }).focus();
  await tab.keyboard.press("ArrowRight");
  assert.equal(await tab.getByRole("tab", { name: "Text" }).getAttribute("aria-selected"), "true");
  assert.match(await tab.locator("#output").textContent(), /^Harbour lighthouse/);
  assert.deepEqual(tab.wrong, []);
});

test("it fits a phone", async () => {
  const tab = await opened({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  await pasted(tab, example);
  const { width, shown } = await tab.evaluate(() => ({ width: document.documentElement.scrollWidth, shown: innerWidth }));
  assert.equal(width, shown);
  await screenshot(tab, "demo-phone.png");
  if (screenshots) await tab.screenshot({ path: join(screenshots, "demo-phone-full.png"), fullPage: true });
  assert.deepEqual(tab.wrong, []);
});
