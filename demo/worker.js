// Extracts pages beside the page that shows them, so that it stays usable.

import { load } from "./duramen/index.js";

const loading = load();
loading.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ ready: false, error: error.message }),
);

onmessage = async ({ data: { number, html, options } }) => {
  try {
    const duramen = await loading;
    const start = performance.now();
    const extracted = duramen.extract(html, options);
    postMessage({ number, extracted, milliseconds: performance.now() - start });
  } catch (error) {
    postMessage({ number, error: error.message });
  }
};
