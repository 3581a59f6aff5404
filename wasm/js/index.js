// Duramen in a browser, or wherever files come by `fetch`.

import { DuramenError, loadBy } from "./duramen.js";

export { DuramenError };

export const load = loadBy(async (source, what) => {
  const response = await fetch(source);
  if (!response.ok) {
    throw new DuramenError(`${what}: ${source} answers ${response.status}; give the address where it is served`);
  }
  return new Uint8Array(await response.arrayBuffer());
});
