// What `load` gives, whoever reads the files: `index.js` in a browser, `node.js` in Node.

import init, { Extractor, __wbg_reset_state } from "./duramen_wasm.js";

/** What is wrong with a call, with a model, or with Duramen itself; what is wrong with a page is its `status`. */
export class DuramenError extends Error {
  name = "DuramenError";
}

/** The number of the instance, of which there is one for all models: an instance that failed is made anew. */
let instance = 0;
let started;

/** Does what calls the module. */
function guarded(work) {
  try {
    return work();
  } catch (error) {
    if (typeof error === "string") {
      throw new DuramenError(error);
    }
    // A panic, or memory or stack that is used up, leaves the instance half way.
    instance += 1;
    __wbg_reset_state();
    throw new DuramenError(`a fault of duramen itself, please report it: ${error.message}`, { cause: error });
  }
}

/** The bytes of a model file, packed with gzip or not (a server may have unpacked it). */
async function unpacked(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    return bytes;
  }
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (cause) {
    throw new DuramenError("the model is damaged: gzip cannot unpack it; fetch it again", { cause });
  }
}

/** Bytes as they are, of whatever holds them; undefined of what does not. */
function held(source) {
  if (source instanceof ArrayBuffer) {
    return new Uint8Array(source);
  }
  return ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : undefined;
}

class Duramen {
  #model;
  #extractor;
  #instance;

  constructor(model) {
    this.#model = model;
    this.#current();
  }

  /** The model in the instance that there is now. */
  #current() {
    if (this.#model === undefined) {
      throw new DuramenError("this was freed; load another");
    }
    if (this.#instance !== instance) {
      this.#extractor = guarded(() => new Extractor(this.#model));
      this.#instance = instance;
    }
    return this.#extractor;
  }

  extract(html, options = {}) {
    const isText = typeof html === "string";
    const bytes = isText ? new TextEncoder().encode(html) : held(html);
    if (bytes === undefined) {
      throw new DuramenError("a page is a string, or bytes as they came; give one of these");
    }
    const extractor = this.#current();
    return JSON.parse(guarded(() => extractor.extract(bytes, isText, JSON.stringify(options))));
  }

  free() {
    if (this.#model !== undefined && this.#instance === instance) {
      this.#extractor.free();
    }
    this.#model = this.#extractor = undefined;
  }
}

/** `load` with what reads a file: `read(source, what)` gives its bytes. */
export function loadBy(read) {
  const bytes = async (source, what) => held(source) ?? (await read(source, what));
  return async (model, { wasm } = {}) => {
    started ??= (async () => {
      const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(
        await bytes(wasm ?? new URL("./duramen_wasm_bg.wasm", import.meta.url), "the module"),
      );
      await init({ module_or_path: module });
    })().catch((error) => {
      started = undefined;
      throw error;
    });
    const source = model ?? new URL("./web.json.gz", import.meta.url);
    const [file] = await Promise.all([bytes(source, "the model").then(unpacked), started]);
    return new Duramen(file);
  };
}
