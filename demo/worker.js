// Extracts pages beside the page that shows them, so that it stays usable.

import { load } from "./duramen/index.js";

const loading = load().then((duramen) => {
  // Its code is compiled as it first runs, which is no part of the time that a page takes.
  duramen.extract("<title>Oak</title><ul><li><a href=/>Home</a></ul><h1>Oak</h1><p>The oldest oak of the village fell on Monday.</p>");
  return duramen;
});
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
