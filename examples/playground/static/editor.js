// An Editor is a textarea with line numbers and marked lines. Only the lines in
// view have elements, so that its cost does not grow with the file.

const lineHeight = 20; // px; as in style.css
const padding = 8;

export class Editor {
  constructor(root) {
    this.area = root.querySelector("textarea");
    this.layer = root.querySelector(".marks");
    this.classes = new Map(); // kind -> (line -> class)
    this.rows = [];
    this.lines = 1;
    this.area.addEventListener("input", () => this.changed());
    this.area.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.area);
    this.changed();
  }

  get text() { return this.area.value; }

  set text(value) {
    if (this.area.value === value) return; // its undo history and cursor stay
    this.area.value = value;
    this.changed();
  }

  changed() {
    const text = this.area.value;
    this.lines = 1;
    for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) this.lines++;
    const width = Math.max(2, String(this.lines).length);
    this.layer.parentElement.style.setProperty("--digits", width);
    this.draw();
  }

  // mark gives lines classes: a Map from line number to class. The marks of
  // one kind replace those that it had.
  mark(kind, lines) {
    this.classes.set(kind, lines);
    this.draw();
  }

  draw() {
    const { scrollTop, clientHeight } = this.area;
    const first = Math.max(1, Math.floor((scrollTop - padding) / lineHeight) + 1);
    const last = Math.min(this.lines, first + Math.ceil(clientHeight / lineHeight) + 1);
    for (let i = 0; i <= last - first || i < this.rows.length; i++) {
      let row = this.rows[i];
      if (!row) {
        row = document.createElement("div");
        this.rows.push(row);
        this.layer.append(row);
      }
      const line = first + i;
      row.hidden = line > last;
      if (row.hidden) continue;
      row.textContent = line;
      row.dataset.line = line;
      row.className = "line";
      for (const lines of this.classes.values()) {
        const name = lines.get(line);
        if (name) row.classList.add(...name.split(" "));
      }
      row.style.transform = `translateY(${padding + (line - 1) * lineHeight - scrollTop}px)`;
    }
  }

  // go selects a line and brings it into view.
  go(line) {
    const text = this.area.value;
    let start = 0;
    for (let n = 1; n < line; n++) {
      const i = text.indexOf("\n", start);
      if (i < 0) break;
      start = i + 1;
    }
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, end);
    this.area.scrollTop = Math.max(0, (line - 1) * lineHeight - this.area.clientHeight / 3);
    this.area.scrollLeft = 0;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.area.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
    this.draw();
  }
}
