// Uses every type of the package as its documentation says; scripts/wasm.sh checks it with tsc.

import { DuramenError, load, type Block, type Duramen, type Extracted, type ExtractOptions, type Kind, type Label } from "duramen";

const duramen: Duramen = await load();
const fromBytes: Duramen = await load(new Uint8Array(), { wasm: new URL("https://wood.example/duramen_wasm_bg.wasm") });
const options: ExtractOptions = {
  url: "https://wood.example/oak",
  convention: "everything",
  labels: ["headline", "full-text"],
  minConfidence: 0.5,
  prune: ["//table"],
  maxNodes: 1000,
};
const page: Extracted = duramen.extract("<p>Oak", options);
const another: Extracted = fromBytes.extract(new ArrayBuffer(1), { convention: "headline in, captions out" });
const kind: Kind | null = page.kind;
const blocks: Block[] = page.blocks ?? [];
const p: number = blocks[0]?.probabilities?.["full-text"] ?? 0;
const words: Record<Label, number> = another.words;
duramen.free();
console.log(kind, p, words.headline, new DuramenError("wrong").name);

// @ts-expect-error: there is no such option.
duramen.extract("", { maxSeconds: 1 });
// @ts-expect-error: a page is text or bytes.
duramen.extract(1);
// @ts-expect-error: there is no such label.
duramen.extract("", { labels: ["text"] });
