// Duramen in Node: what is no http(s) address is a file.

import { readFile } from "node:fs/promises";

import { DuramenError, loadBy } from "./duramen.js";

export { DuramenError };

export const load = loadBy(async (source, what) => {
  if (/^https?:/.test(source)) {
    const response = await fetch(source);
    if (!response.ok) {
      throw new DuramenError(`${what}: ${source} answers ${response.status}; give the address where it is served`);
    }
    return new Uint8Array(await response.arrayBuffer());
  }
  try {
    return await readFile(/^file:/.test(source) ? new URL(source) : source);
  } catch (cause) {
    throw new DuramenError(`${what}: ${source} cannot be read (${cause.code}); name the file`, { cause });
  }
});
