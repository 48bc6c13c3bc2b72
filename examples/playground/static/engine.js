// The engine asks workers questions, and watches over them.

let compiled;

// compile fetches and compiles the library, once for all workers.
async function compile() {
  const response = await fetch("playground.wasm");
  if (!response.ok) throw new Error(`playground.wasm: status ${response.status}`);
  if ((response.headers.get("Content-Type") || "").startsWith("application/wasm")) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer()); // a server that does not know the type
}

// An Engine is one worker. It works on one question at a time; of those that
// wait only the last of each kind counts. A worker that takes longer than the
// limit, in milliseconds, is ended and another one takes its place.
export class Engine {
  constructor(limit) {
    this.limit = limit;
    this.waiting = new Map(); // by kind
    this.current = null;
    this.id = 0;
    this.start();
  }

  async start() {
    this.idle = false;
    try {
      const module = await (compiled ??= compile());
      this.worker = new Worker("worker.js");
      this.worker.onmessage = ({ data }) => this.receive(data);
      this.worker.onerror = () => this.fail("The worker could not be started.");
      this.worker.postMessage({ module });
    } catch (err) {
      this.broken = new Error(`The library could not be loaded (${err.message}). Reload the page.`);
      this.next();
    }
  }

  // ask resolves to the reply, or to null if a later question of the same kind
  // overtook this one. It rejects if there is none.
  ask(op, question) {
    return new Promise((resolve, reject) => {
      this.waiting.get(op)?.resolve(null);
      this.waiting.set(op, { id: ++this.id, question: JSON.stringify({ op, ...question }), resolve, reject });
      this.next();
    });
  }

  next() {
    if (this.broken) {
      for (const q of this.waiting.values()) q.reject(this.broken);
      this.waiting.clear();
      return;
    }
    if (!this.idle || this.current) return;
    for (const [op, q] of this.waiting) {
      this.waiting.delete(op);
      this.current = q;
      this.timer = setTimeout(() => this.fail("That took too long, so it was stopped. Try a smaller file."), this.limit);
      this.worker.postMessage({ id: q.id, question: q.question });
      return;
    }
  }

  receive(data) {
    if (data.dead) {
      this.fail("The library stopped unexpectedly.");
      return;
    }
    if (data.ready) {
      this.idle = true;
    } else if (data.id === this.current?.id) {
      clearTimeout(this.timer);
      const { resolve, reject } = this.current;
      this.current = null;
      if (data.reply.error) reject(new Error(data.reply.error));
      else resolve(data.reply);
    }
    this.next();
  }

  fail(why) {
    clearTimeout(this.timer);
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
    if (!this.current) { // it does not even start, so another one would not
      this.broken = new Error(why);
      this.next();
      return;
    }
    this.current.reject(new Error(why));
    this.current = null;
    this.start();
  }
}
