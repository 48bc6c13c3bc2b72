// The state of the page as the fragment of its URL, which browsers do not send
// to servers: compressed JSON in base64url behind "z=", plain behind "j=".

const longest = 64 << 10; // of a fragment; some programs cut links far earlier
const largest = 2 << 20; // of what is unpacked, as a link may be a stranger's

async function pump(bytes, transform) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > largest) {
      await reader.cancel();
      throw new Error("too large");
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function toBase64(bytes) {
  let s = "";
  for (let i = 0; i < bytes.length; i += 0x8000) s += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(s).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(s) {
  return Uint8Array.from(atob(s.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

// pack returns the fragment for a state, or null if it would be too long.
export async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  if (bytes.length > largest) return null;
  let fragment;
  if (globalThis.CompressionStream) {
    fragment = "z=" + toBase64(await pump(bytes, new CompressionStream("deflate-raw")));
  } else {
    fragment = "j=" + toBase64(bytes);
  }
  return fragment.length > longest ? null : fragment;
}

// unpack returns the state in a fragment, or null if there is none. It throws
// if the fragment is broken.
export async function unpack(fragment) {
  const kind = fragment.slice(0, 2);
  if (kind !== "z=" && kind !== "j=") return null;
  if (fragment.length > 2 * longest) throw new Error("too large");
  let bytes = fromBase64(fragment.slice(2));
  if (kind === "z=") bytes = await pump(bytes, new DecompressionStream("deflate-raw"));
  const state = JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const clean = {};
  for (const key of ["text", "before", "agent", "urls", "dialect", "pane"]) {
    clean[key] = typeof state?.[key] === "string" ? state[key] : "";
  }
  return clean;
}
