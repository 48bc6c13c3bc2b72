// A worker runs the library. It is sent the compiled module once, then
// questions, and answers each. What happens in it never blocks the page.
"use strict";
importScripts("wasm_exec.js");

let ready;

async function start(module) {
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  go.run(instance).finally(() => postMessage({ dead: true }));
}

onmessage = async ({ data }) => {
  try {
    if (data.module) {
      ready = start(data.module);
      await ready;
      postMessage({ ready: true });
      return;
    }
    await ready;
    postMessage({ id: data.id, reply: JSON.parse(answer(data.question)) });
  } catch (err) {
    postMessage({ dead: true, why: String(err) });
  }
};
