// The page. Everything that comes from the file or the URL is shown by way of
// textContent, and nothing is ever read as HTML.

import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { pack, unpack } from "./share.js";

const $ = (id) => document.getElementById(id);

// el makes an element. Children are elements or text.
function el(tag, className, ...children) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...children);
  return e;
}

const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

// say changes a live region only if there is something new to read out.
function say(e, text) {
  if (e.textContent !== text) e.textContent = text;
}

function debounce(wait, f) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(f, wait);
  };
}

const editor = new Editor($("editor"));
const before = new Editor($("editor-before"));
const after = new Editor($("editor-after"));

// Verdicts must not wait for lint, so each has a worker.
const verdicts = new Engine(10_000);
const audits = new Engine(45_000);

// jump is a button that leads to a line of an editor.
function jump(where, line) {
  const b = el("button", "jump", `line ${line}`);
  b.type = "button";
  b.addEventListener("click", () => where.go(line));
  return b;
}

// --- verdicts

function ruleItem(r, always) {
  let note = "";
  if (r.decides) note = "decides";
  else if (always) note = "does not count here";
  else if (r.tie) note = "as long, but loses";
  const li = el("li", r.decides ? "decides" : "",
    jump(editor, r.line), " ", el("code", r.allow ? "allow" : "disallow", r.rule), " ",
    el("span", "length", plural(r.length, "octet")));
  if (note) li.append(" ", el("span", "remark", note));
  return li;
}

function resultItem(r) {
  if (r.error) {
    return el("li", "result bad", el("div", "verdict-line", el("span", "verdict", "?"), " ", el("code", "url", r.url)), el("p", "why", r.error));
  }
  const li = el("li", `result ${r.allowed ? "allowed" : "blocked"}`,
    el("div", "verdict-line", el("span", "verdict", r.allowed ? "Allowed" : "Blocked"), " ", el("code", "url", r.url)),
    el("p", "why", r.why));
  if (r.rules) {
    const always = !r.rules[0].decides;
    const list = el("ol", "rules", ...r.rules.map((m) => ruleItem(m, always)));
    list.setAttribute("aria-label", "Rules that match, in the order in which they would decide");
    li.append(list);
    if (r.more) li.append(el("p", "hint", `and ${plural(r.more, "more rule")}`));
  }
  return li;
}

function showVerdicts(reply) {
  busy("results", false);
  $("group").textContent = [reply.group, reply.delay].filter(Boolean).join(" ");
  const note = $("crawler");
  note.textContent = reply.crawler?.about ?? "";
  if (reply.crawler && /^https?:\/\//.test(reply.crawler.source ?? "")) {
    const a = el("a", "source", "Source");
    a.href = reply.crawler.source;
    a.rel = "noreferrer noopener";
    a.target = "_blank";
    note.append(" ", a);
  }

  const lines = new Map();
  for (const [from, to] of reply.lines) {
    for (let n = from; n <= to; n++) lines.set(n, "group");
  }
  editor.mark("group", lines);
  const deciding = new Map();
  for (const r of reply.results) {
    for (const m of r.rules ?? []) {
      if (m.decides) deciding.set(m.line, m.allow ? "allow" : "disallow");
    }
  }
  editor.mark("deciding", deciding);

  $("results").replaceChildren(...reply.results.map(resultItem));
  let text = "Type a URL to see whether it may be fetched.";
  if (reply.results.length) {
    text = `${reply.allowed} allowed, ${reply.blocked} blocked`;
    const bad = reply.results.length - reply.allowed - reply.blocked;
    if (bad) text += `, ${plural(bad, "line")} not understood`;
    text += `, for ${reply.token || "a browser"}.`;
  }
  if (reply.skipped) text += ` ${plural(reply.skipped, "more URL")} not looked at: ${reply.results.length} is the most.`;
  if (reply.truncated) text += " The file is longer than 500 KiB; crawlers do not read the rest.";
  say($("summary"), text);
}

// busy marks a list as one that waits for an answer. It is shown if that takes a while.
function busy(id, is) {
  $(id).setAttribute("aria-busy", is);
}

async function checkNow() {
  busy("results", true);
  try {
    const reply = await verdicts.ask("check", {
      text: editor.text, agent: $("agent").value, urls: $("urls").value.split("\n"), google: $("dialect").value === "google",
    });
    if (reply) showVerdicts(reply);
  } catch (err) {
    busy("results", false);
    say($("summary"), err.message);
    $("results").replaceChildren();
  }
}

// --- findings

function findingItem(f) {
  const li = el("li", `finding ${f.severity}`,
    el("div", "finding-line", el("span", "severity", f.severity), " ", jump(editor, f.line), " ", el("code", "code", f.code)),
    el("p", "", f.message));
  if (f.fix) li.append(el("p", "fix", f.fix));
  if (f.witness) li.append(el("p", "hint", "It shows at ", el("code", "url", f.witness)));
  return li;
}

function showFindings(reply) {
  busy("findings", false);
  const marks = new Map();
  ["note", "warning", "error"].forEach((severity, i) => {
    for (const line of reply.marks[i]) marks.set(line, severity);
  });
  editor.mark("lint", marks);
  $("findings").replaceChildren(...reply.findings.map(findingItem));
  const counts = [[reply.errors, "error"], [reply.warnings, "warning"], [reply.notes, "note"]];
  let text = counts.filter(([n]) => n).map(([n, word]) => plural(n, word)).join(", ") || "Nothing to complain of";
  text += ".";
  if (reply.more) text += ` The ${reply.findings.length} worst are shown.`;
  say($("lint-summary"), text);
}

async function lintNow() {
  busy("findings", true);
  try {
    const reply = await audits.ask("lint", { text: editor.text });
    if (reply) showFindings(reply);
  } catch (err) {
    busy("findings", false);
    say($("lint-summary"), err.message);
    $("findings").replaceChildren();
    editor.mark("lint", new Map());
  }
}

// --- comparison

const names = (list) => list.map((n) => (n === "*" ? "* (all other crawlers)" : n)).join(", ");

function decided(where, label, rule, line) {
  const p = el("p", "side", el("span", "remark", label), " ");
  if (line) p.append(jump(where, line), " ");
  p.append(line ? el("code", "", rule) : rule);
  return p;
}

function changeItem(c, verdict) {
  return el("li", `result ${verdict}`,
    el("div", "verdict-line", el("span", "verdict", verdict === "allowed" ? "Opened" : "Closed"), " ", el("code", "url", c.path)),
    decided(before, "before", c.old, c.oldLine), decided(after, "after", c.new, c.newLine));
}

function recordItems(added, removed) {
  return [
    ...removed.map((r) => el("li", "record", el("span", "remark", "gone"), " ", el("code", "", r))),
    ...added.map((r) => el("li", "record", el("span", "remark", "new"), " ", el("code", "", r))),
  ];
}

function showChanges(reply) {
  busy("changes", false);
  const parts = [];
  for (const a of reply.agents) {
    const items = [
      ...a.closed.map((c) => changeItem(c, "blocked")),
      ...a.opened.map((c) => changeItem(c, "allowed")),
      ...recordItems(a.added, a.removed),
    ];
    const part = el("section", "agent", el("h3", "", names(a.names)));
    if (a.undecided) part.append(el("p", "", "Whether URLs change could not be decided."));
    part.append(el("ol", "", ...items));
    if (a.more) part.append(el("p", "hint", `and ${plural(a.more, "more example")}`));
    parts.push(part);
  }
  const others = recordItems(reply.added, reply.removed);
  if (others.length) parts.push(el("section", "agent", el("h3", "", "Outside of groups"), el("ol", "", ...others)));
  if (reply.more) parts.push(el("p", "hint", `and ${plural(reply.more, "more group")} of crawlers`));
  $("changes").replaceChildren(...parts);

  let text = "The two files mean the same, for every crawler and every URL.";
  if (!reply.equal) {
    const changed = reply.agents.length + (reply.more ?? 0);
    text = changed ? `Something changes for ${plural(changed, "group")} of crawlers` : "No verdict changes";
    text += reply.same ? `, and nothing for ${reply.same} more.` : ".";
    if (changed) text += " Each URL is an example, the shortest that a rule changes.";
  }
  say($("diff-summary"), text);
}

async function diffNow() {
  busy("changes", true);
  try {
    const reply = await audits.ask("diff", { old: before.text, new: after.text });
    if (reply) showChanges(reply);
  } catch (err) {
    busy("changes", false);
    say($("diff-summary"), err.message);
    $("changes").replaceChildren();
  }
}

// --- panes

const tabs = { check: $("tab-check"), compare: $("tab-compare") };
let pane = "check";

// show brings a pane to the front. Both have the file that is worked on, which
// moves along.
function show(name) {
  if (name !== pane) {
    if (name === "compare") after.text = editor.text;
    else editor.text = after.text;
  }
  pane = name;
  for (const [key, tab] of Object.entries(tabs)) {
    const on = key === name;
    tab.setAttribute("aria-selected", on);
    tab.tabIndex = on ? 0 : -1;
    $(`pane-${key}`).hidden = !on;
  }
  if (name === "compare") diffNow();
  else {
    checkNow();
    lintNow();
  }
}

for (const [key, tab] of Object.entries(tabs)) {
  tab.addEventListener("click", () => {
    show(key);
    save();
  });
  tab.addEventListener("keydown", (e) => {
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(e.key)) return;
    e.preventDefault();
    const other = e.key === "Home" ? "check" : e.key === "End" ? "compare" : key === "check" ? "compare" : "check";
    tabs[other].focus();
    tabs[other].click();
  });
}

// --- state

const example = {
  text: `# Try it: change a rule, a URL or the crawler.
User-agent: *
Disallow: /cart
Disallow: /search
Allow: /search/help
Disallow: /*.pdf$
Crawl-delay: 10

User-agent: Googlebot
Disallow: /beta
Allow: /beta
Dissallow: /tmp

Sitemap: https://shop.example/sitemap.xml
`,
  before: `User-agent: *
Disallow: /cart
Disallow: /search
`,
  agent: "Googlebot",
  urls: "https://shop.example/cart\nhttps://shop.example/beta/new\n/search/help?q=1\n/tmp/report.pdf",
  dialect: "",
  pane: "check",
};

function state() {
  return {
    text: pane === "check" ? editor.text : after.text,
    before: before.text,
    agent: $("agent").value,
    urls: $("urls").value,
    dialect: $("dialect").value,
    pane,
  };
}

let fragment = null; // the one that was written last; null if the state is too large for one
let saving = Promise.resolve();

// saveNow puts the state into the URL, after what is being put there already.
function saveNow() {
  saving = saving.then(async () => {
    fragment = await pack(state()).catch(() => null);
    history.replaceState(null, "", fragment === null ? location.pathname + location.search : "#" + fragment);
  });
  return saving;
}

const save = debounce(400, saveNow);

function restore(s) {
  editor.text = after.text = s.text;
  before.text = s.before;
  $("agent").value = s.agent;
  $("urls").value = s.urls;
  $("dialect").value = s.dialect === "google" ? "google" : "";
  pane = s.pane === "compare" ? "compare" : "check";
  show(pane);
}

async function load() {
  let s = null;
  try {
    s = await unpack(location.hash.slice(1));
  } catch {
    say($("notice"), "The link is damaged or too large, so here is the example.");
  }
  restore(s ?? example);
}

$("share").addEventListener("click", async () => {
  await saveNow();
  if (fragment === null) {
    say($("notice"), "The file is too long for a link.");
    return;
  }
  try {
    await navigator.clipboard.writeText(location.href);
    say($("notice"), "The link is copied. It holds the files, the crawler and the URLs.");
  } catch {
    say($("notice"), "The address of this page is the link: copy it from the address bar.");
  }
});

// --- input

const check = debounce(60, checkNow);
const lint = debounce(350, lintNow);
const diff = debounce(350, diffNow);

function on(id, ...jobs) {
  $(id).addEventListener("input", () => {
    say($("notice"), "");
    for (const job of jobs) job();
  });
}

on("file", check, lint, save);
on("agent", check, save);
on("urls", check, save);
on("dialect", check, save);
on("before", diff, save);
on("after", diff, save);

$("open").addEventListener("change", async () => {
  const file = $("open").files[0];
  $("open").value = ""; // so that the same one can be opened again
  if (!file) return;
  // Crawlers read 500 KiB; what is far beyond would only fill the page.
  const bytes = await file.slice(0, 1 << 20).arrayBuffer();
  editor.text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  say($("notice"), file.size > 1 << 20 ? `Of ${file.name} the first MiB was read.` : `${file.name} was read.`);
  checkNow();
  lintNow();
  save();
});

$("keep").addEventListener("click", () => {
  before.text = after.text;
  diffNow();
  save();
});

// A link to an element here would take the place of the state in the URL.
document.querySelector("[data-skip]").addEventListener("click", (e) => {
  e.preventDefault();
  $(pane === "check" ? "urls" : "before").focus();
});

addEventListener("hashchange", () => {
  if (location.hash.slice(1) !== fragment) load();
});

async function listCrawlers() {
  const { crawlers } = await verdicts.ask("crawlers", {});
  $("crawlers").replaceChildren(...crawlers.map((c) => {
    const o = el("option", "", c.label);
    o.value = c.token;
    return o;
  }));
}

listCrawlers().catch(() => {}); // a failure shows with the verdicts
load();
