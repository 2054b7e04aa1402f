// The parts of a lesson as the page draws them: see part.py. It shows what the traits say and knows no rule of the game.

const STORE = "pyramide.progress";

/** Make an element: tag, attributes, children. */
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

/** Make a button. */
function button(label, act, attributes = {}) {
  const node = make("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", act);
  return node;
}

function fill(template, values) {
  return (template ?? "").replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

// What the browser remembers: the finished exercises of each lesson, with the day ------------------------------------

function remembered() {
  try {
    const all = JSON.parse(localStorage.getItem(STORE) || "{}");
    return all && typeof all === "object" && !Array.isArray(all) ? all : {};
  } catch {
    return {};
  }
}

/** Keep the progress, and tell whether the browser does. */
function remember(all) {
  try {
    localStorage.setItem(STORE, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

/** Where a notebook of the course is, seen from this page: another page of Voila, or the notebook in JupyterLab. */
function notebookAddress(file) {
  return new URL(file, location.href.split(/[?#]/)[0]).href;
}

/** The address of this lesson as a page of its own, whatever program shows it now. */
function pageAddress(file, query) {
  const [, base, path] = location.pathname.match(/^(.*?)\/(?:lab|doc|notebooks|nbclassic)\b.*?\/tree\/(.*)$/) ?? [];
  const address = path === undefined ? new URL(file, location.href) : new URL(`${base}/voila/render/${path}`, location.href);
  address.search = new URLSearchParams(query).toString();
  address.hash = "";
  return address.href;
}

const inLab = () => document.body.dataset.voila !== "voila";

/** A lesson that is a page of its own is laid out as one. */
function markPage() {
  if (!inLab()) document.body.classList.add("py-notebook");
}

/** A link to another notebook; JupyterLab would lose its place, so there it opens beside. */
function link(file, label, attributes = {}) {
  return make("a", { href: notebookAddress(file), target: inLab() ? "_blank" : null, ...attributes }, label);
}

// All parts ---------------------------------------------------------------------------------------------------------

class PartView {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.cleanups = [];
    el.classList.add("py-part", `py-part-${model.get("kind")}`);
    el.lang = model.get("texts").lang;
    // Parts follow the page, not the system: a notebook is light or dark as a whole.
    if (document.body.dataset.jpThemeLight === "false") el.dataset.theme = "dark";
    this.build();
    this.update();
    for (const name of ["shown", "done", "solved_before", "at"]) this.on(`change:${name}`, () => this.update());
    this.on("msg:custom", (message, buffers) => this.receive(message, buffers));
    this.model.send({ event: "ready", ...this.greeting() });
  }

  on(name, act) {
    this.model.on(name, act);
    this.cleanups.push(() => this.model.off(name, act));
  }

  listen(target, name, act, options) {
    target.addEventListener(name, act, options);
    this.cleanups.push(() => target.removeEventListener(name, act, options));
  }

  destroy() {
    this.cleanups.forEach((cleanup) => cleanup());
  }

  get data() {
    return this.model.get("data");
  }

  get shown() {
    return this.model.get("shown");
  }

  text(name, values = {}) {
    return fill(this.model.get("texts")[name], values);
  }

  greeting() {
    return {};
  }

  build() {}

  update() {}

  receive(message, buffers) {
    if (message.do !== "download") return;
    const blob = new Blob([buffers[0]], { type: message.kind });
    save(message.name, blob);
  }

  /** The mark of an exercise that is done, now or on another day. */
  badge() {
    const now = this.model.get("done");
    const before = this.model.get("solved_before");
    if (!now && !before) return "";
    return `✓ ${this.text(now ? "done" : "solved_before")}`;
  }
}

function save(name, blob) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// The head of a lesson: progress, links, presentation ---------------------------------------------------------------

class HeadView extends PartView {
  build() {
    const { place, minutes, index, exercises, play } = this.data;
    this.figure = make("output", { "data-role": "progress" });
    this.bar = make("progress", { max: exercises.length || 1, value: 0, "aria-label": this.text("progress") });
    const present = button(this.text("present"), () => new Presentation(this).start(), { "data-role": "present" });
    this.whole = button(this.text("whole"), () => this.showWhole(), { hidden: true, "data-role": "whole" });
    this.el.append(
      make(
        "nav",
        { class: "py-lesson-nav" },
        link(index, this.text("map")),
        link(inLab() ? play.lab : play.page, this.text("play")),
      ),
      make("p", { class: "py-lesson-place" }, `${place} · ${minutes}`),
      exercises.length ? make("div", { class: "py-lesson-progress" }, this.bar, this.figure) : null,
      make("div", { class: "py-lesson-actions" }, this.whole, present),
    );
    markPage();
    this.el.pyFile = this.data.file;
    requestAnimationFrame(() => this.openLink());
  }

  /** The notebook that this lesson is: in JupyterLab one of many, and known only once the head is in the page. */
  get nodeOfNotebook() {
    return this.el.closest(".jp-Notebook") ?? document.body;
  }

  greeting() {
    const query = inLab() ? "" : location.search;
    return { query, remembered: Object.keys(remembered()[this.model.get("name")] ?? {}) };
  }

  update() {
    const { finished } = this.shown;
    this.bar.value = finished.length;
    this.figure.textContent = this.data.labels[finished.length] ?? "";
    const all = remembered();
    const name = this.model.get("name");
    const mine = all[name] ?? {};
    const day = new Date().toISOString().slice(0, 10);
    const fresh = finished.filter((exercise) => !mine[exercise]);
    if (!fresh.length) return;
    for (const exercise of fresh) mine[exercise] = day;
    remember({ ...all, [name]: mine });
  }

  /** A link to one task shows that task alone, until the reader wants the whole lesson. */
  openLink() {
    if (inLab()) return;
    const task = new URLSearchParams(location.search).get("task");
    if (!task || !this.data.exercises.includes(task)) return;
    let frames = 0;
    const look = () => {
      const node = document.querySelector(`[data-exercise="${CSS.escape(task)}"]`);
      if (!node) {
        if (frames++ < 3000) requestAnimationFrame(look);
        return;
      }
      const cell = node.closest(".jp-Cell");
      const own = this.el.closest(".jp-Cell");
      for (const other of this.nodeOfNotebook.querySelectorAll(".jp-Cell")) {
        const isTitle = other.querySelector("h1");
        other.classList.toggle("py-alone-hidden", other !== cell && other !== own && !isTitle);
      }
      this.whole.hidden = false;
      node.scrollIntoView({ block: "nearest" });
    };
    look();
  }

  showWhole() {
    for (const cell of this.nodeOfNotebook.querySelectorAll(".py-alone-hidden")) cell.classList.remove("py-alone-hidden");
    this.whole.hidden = true;
  }
}

/** The lesson for a classroom: large type, one step at a time. A section opens with its heading and grows cell by cell. */
class Presentation {
  constructor(head) {
    this.head = head;
    this.root = head.nodeOfNotebook;
    this.at = 0;
  }

  /** The cells that show something, in sections that begin with a heading of the first or second rank. */
  findSteps() {
    this.steps = [];
    let section = [];
    for (const cell of this.root.querySelectorAll(".jp-Cell")) {
      const output = cell.querySelector(".jp-OutputArea-output, .jp-RenderedMarkdown");
      if (!output || cell.contains(this.head.el)) continue;
      if (cell.querySelector("h1, h2") || !section.length) section = [];
      section.push(cell);
      this.steps.push([...section]);
    }
    // A heading with nothing to it is no step of its own: it comes with what follows.
    this.steps = this.steps.filter((step, number) => step.length > 1 || this.steps[number + 1]?.length !== 2);
  }

  start() {
    if (this.root.classList.contains("py-presenting")) return;
    this.findSteps();
    if (!this.steps.length) return;
    const text = (name, values) => this.head.text(name, values);
    this.place = make("output", { "data-role": "presentation-step" });
    this.bar = make(
      "div",
      { class: "py-presentation", role: "toolbar", "aria-label": text("present") },
      button("‹", () => this.go(-1), { "aria-label": text("previous"), "data-role": "presentation-previous" }),
      this.place,
      button("›", () => this.go(1), { "aria-label": text("next"), "data-role": "presentation-next" }),
      button("×", () => this.leave(), { "aria-label": text("leave"), "data-role": "presentation-leave" }),
    );
    this.root.classList.add("py-notebook", "py-presenting");
    this.root.append(this.bar);
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys, true);
    const whole = inLab() ? this.root : document.documentElement;
    this.full = whole.requestFullscreen?.().catch(() => {});
    this.closed = () => document.fullscreenElement || this.leave();
    Promise.resolve(this.full).then(() => document.addEventListener("fullscreenchange", this.closed));
    this.show();
    this.bar.querySelector("[data-role=presentation-next]").focus();
  }

  leave() {
    document.removeEventListener("keydown", this.keys, true);
    document.removeEventListener("fullscreenchange", this.closed);
    this.root.classList.remove("py-presenting");
    for (const cell of this.root.querySelectorAll(".py-step-hidden")) cell.classList.remove("py-step-hidden");
    this.bar.remove();
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.head.el.querySelector("[data-role=present]").focus();
    this.steps[this.at].at(-1).scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const inTable = event.target.closest?.(".pyramide-table:not(.py-scene), input, select, textarea");
    const arrows = { ArrowRight: 1, ArrowLeft: -1 };
    const pages = { PageDown: 1, PageUp: -1 };
    const by = (inTable ? 0 : arrows[event.key]) || pages[event.key];
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) this.leave();
    else if (by) this.go(by);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** One step on or back: the steps of a walkthrough in view come before the next cell. */
  go(by) {
    const walk = this.steps[this.at].at(-1).querySelector(".py-part-walkthrough")?.pyWalk;
    if (walk?.go(by)) return;
    const at = this.at + by;
    if (at < 0 || at >= this.steps.length) return;
    this.at = at;
    this.show();
  }

  show() {
    const step = this.steps[this.at];
    for (const cell of this.root.querySelectorAll(".jp-Cell")) cell.classList.toggle("py-step-hidden", !step.includes(cell));
    this.place.textContent = this.head.text("step", { number: this.at + 1, count: this.steps.length });
    step.at(-1).scrollIntoView({ block: "end" });
  }
}

class EndView extends PartView {
  build() {
    this.figure = make("p", { "data-role": "progress" });
    const { next, index } = this.data;
    this.el.append(
      this.figure,
      make(
        "nav",
        { class: "py-lesson-nav" },
        next ? link(next.file, this.text("following"), { class: "py-go-on", "data-role": "following" }) : null,
        link(index, this.text("map")),
      ),
    );
  }

  update() {
    this.figure.textContent = this.data.exercises.length ? this.data.labels[this.shown.finished.length] : "";
  }
}

// Walkthrough -------------------------------------------------------------------------------------------------------

class WalkthroughView extends PartView {
  build() {
    const { steps } = this.data;
    this.scene = new Scene(this.data);
    this.caption = make("p", { class: "py-caption", role: "status", "data-role": "caption" });
    this.place = make("span", { class: "py-step-place" });
    this.first = button("«", () => this.goTo(0), { "aria-label": this.text("first"), "data-role": "walk-first" });
    this.previous = button(this.text("previous"), () => this.go(-1), { "data-role": "walk-previous" });
    this.next = button(this.text("next"), () => this.go(1), { class: "py-primary", "data-role": "walk-next" });
    this.el.setAttribute("role", "group");
    this.el.setAttribute("aria-label", this.text("label"));
    const controls = steps.length > 1 ? [this.first, this.previous, this.place, this.next] : [];
    this.el.append(this.scene.node, this.caption, make("div", { class: "py-walk-bar" }, ...controls));
    this.el.pyWalk = this;
    this.listen(this.el, "keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
      this.go(by);
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Go some steps on or back; tell whether there were any. */
  go(by) {
    const at = this.model.get("at") + by;
    if (at < 0 || at >= this.data.steps.length) return false;
    this.goTo(at);
    return true;
  }

  goTo(at) {
    this.model.set("at", at);
    this.model.save_changes();
  }

  update() {
    const at = this.model.get("at");
    const step = this.data.steps[at];
    this.scene.show(step);
    this.caption.textContent = step.caption;
    this.place.textContent = this.model.get("texts").places[at];
    const focused = document.activeElement;
    this.first.disabled = this.previous.disabled = at === 0;
    this.next.disabled = at === this.data.steps.length - 1;
    // A button that has just become useless must not take the focus away with it.
    if (focused?.disabled && this.el.contains(focused)) (focused === this.next ? this.previous : this.next).focus();
  }
}

/** A position to look at. It has the classes of the table, so that it looks like one. */
class Scene {
  constructor(data) {
    this.data = data;
    const tableau = make("div", { class: "py-tableau" });
    this.cards = data.places.map(([x, y, card, face, name]) => {
      const node = make("div", { class: "py-card py-place jupyter-button", role: "img", "data-card": card });
      node.style.setProperty("--x", x);
      node.style.setProperty("--y", y);
      node.dataset.suit = card.slice(-1);
      node.dataset.face = face;
      node.dataset.name = name;
      tableau.append(node);
      return node;
    });
    for (const [y, label] of data.labels) {
      const node = make("span", { class: "py-row-label", "aria-hidden": "true" }, label);
      node.style.setProperty("--y", y);
      tableau.append(node);
    }
    this.piles = make("div", { class: "py-piles" });
    this.node = make("div", { class: "pyramide-table py-ready py-lesson py-scene" }, tableau, this.piles);
    // The notebook's theme, as for all parts.
    this.node.dataset.theme = document.body.dataset.jpThemeLight === "false" ? "dark" : "light";
    this.node.classList.toggle("py-tight", data.tight);
    this.node.classList.toggle("py-piles-below", data.piles_below);
    this.node.style.setProperty("--columns", data.columns);
    this.node.style.setProperty("--rows", data.rows);
  }

  show({ state, piles, lit }) {
    const lights = new Set(lit);
    this.cards.forEach((node, place) => {
      const now = state[place];
      node.dataset.state = now;
      node.classList.toggle("py-lit", lights.has(`t${place}`));
      this.corner(node, now === "d" ? "" : node.dataset.face);
      node.setAttribute("aria-label", `${node.dataset.name}, ${this.data.states[now] ?? ""}`);
      if (now === ".") node.setAttribute("aria-hidden", "true");
      else node.removeAttribute("aria-hidden");
    });
    const kinds = (key) => key.replace(/\d+$/, "");
    this.piles.replaceChildren(
      ...piles
        .filter(({ key }) => this.data.show.includes(kinds(key)))
        .map((pile) => {
          const node = make("div", {
            class: `py-card py-${kinds(pile.key)} jupyter-button${lights.has(pile.key) ? " py-lit" : ""}`,
            role: "img",
            "aria-label": pile.name,
            "data-state": pile.state,
            "data-count": pile.count,
            "data-card": pile.card,
            "data-suit": pile.card?.slice(-1),
          });
          this.corner(node, pile.face ?? "");
          const side = kinds(pile.key) === "foundation" ? " py-right" : "";
          return make("div", { class: `py-pile${side}`, "data-caption": pile.caption }, node);
        }),
    );
  }

  corner(node, face) {
    if (face) node.dataset.corner = `${face.slice(0, -1)}\n${face.slice(-1)}\ufe0e`;
    else delete node.dataset.corner;
  }
}

// Question ----------------------------------------------------------------------------------------------------------

class QuestionView extends PartView {
  build() {
    this.el.dataset.exercise = this.model.get("name");
    this.badgeNode = make("span", { class: "py-badge" });
    this.choices = this.data.choices.map((label, number) =>
      button(label, () => this.model.send({ event: "answer", choice: number }), { "data-choice": number }),
    );
    this.feedback = make("p", { class: "py-feedback", role: "status", "data-role": "feedback" });
    this.el.append(
      make("p", { class: "py-part-label" }, this.text("label"), this.badgeNode),
      make(
        "fieldset",
        {},
        make("legend", {}, this.data.prompt),
        make("div", { class: "py-choices" }, ...this.choices),
      ),
      this.feedback,
    );
  }

  update() {
    this.badgeNode.textContent = this.badge();
    const { given, problem } = this.shown;
    this.choices.forEach((node) => node.removeAttribute("data-verdict"));
    for (const { choice, right } of given) this.choices[choice].dataset.verdict = right ? "right" : "wrong";
    const last = given.at(-1);
    this.feedback.dataset.kind = last?.right ? "right" : "wrong";
    this.feedback.textContent = problem ?? (last ? `${this.text(last.right ? "right" : "wrong")} ${last.text}` : "");
  }
}

// Task --------------------------------------------------------------------------------------------------------------

class TaskView extends PartView {
  build() {
    const name = this.model.get("name");
    this.el.dataset.exercise = name;
    this.badgeNode = make("span", { class: "py-badge" });
    this.status = make("p", { class: "py-status", role: "status", "data-role": "status" });
    this.help = make("p", { class: "py-help", role: "status", "data-role": "help" });
    const sheet = (form, solution, text) =>
      button(this.text(text), () => this.model.send({ event: "sheet", form, solution }), { "data-role": text });
    this.el.append(
      make("p", { class: "py-part-label" }, this.text("label"), this.badgeNode),
      make("p", { class: "py-prompt" }, this.data.prompt),
      this.status,
      this.help,
      make(
        "details",
        { class: "py-class" },
        make("summary", {}, this.text("class")),
        make(
          "div",
          { class: "py-class-actions" },
          button(this.text("link"), () => this.copyLink(), { "data-role": "link" }),
          ...(this.data.sheets
            ? [sheet("pdf", false, "sheet"), sheet("pdf", true, "solved_sheet"), sheet("png", false, "sheet_png")]
            : []),
        ),
        (this.copied = make("p", { role: "status", "data-role": "copied" })),
      ),
    );
  }

  update() {
    const { status = "", help = "", state = "open", problem } = this.shown;
    this.badgeNode.textContent = this.badge();
    this.status.textContent = problem ?? status;
    this.status.dataset.kind = state;
    this.help.textContent = help;
    this.help.hidden = !help;
  }

  async copyLink() {
    const file = document.querySelector(".py-part-head")?.pyFile ?? location.pathname.split("/").at(-1);
    const query = { task: this.model.get("name") };
    const code = this.el.closest(".py-exercise")?.querySelector(".py-code-text")?.textContent;
    if (code && this.data.sheets) query.code = code;
    const address = pageAddress(file, query);
    try {
      await navigator.clipboard.writeText(address);
      this.copied.textContent = this.text("copied", { link: address });
    } catch {
      this.copied.textContent = this.text("not_copied", { link: address });
    }
  }
}

// Side by side, plots -----------------------------------------------------------------------------------------------

function table(columns, rows, caption) {
  return make(
    "table",
    {},
    caption ? make("caption", {}, caption) : null,
    make("thead", {}, make("tr", {}, ...columns.map((column) => make("th", { scope: "col" }, column)))),
    make(
      "tbody",
      {},
      ...rows.map(([head, ...rest]) =>
        make("tr", {}, make("th", { scope: "row" }, head), ...rest.map((value) => make("td", {}, value))),
      ),
    ),
  );
}

class BesideView extends PartView {
  build() {
    const { names, rows } = this.data;
    this.el.append(
      make("p", { class: "py-part-label" }, this.text("label")),
      rows.length
        ? table([this.text("option"), ...names], rows, this.text("differences"))
        : make("p", {}, this.text("none")),
    );
  }
}

class NoteView extends PartView {
  build() {
    this.note = make("p", { class: "py-note", "data-role": "note" });
    this.el.append(this.note);
  }

  update() {
    this.note.textContent = this.shown.text;
  }
}

class PlotView extends PartView {
  build() {
    const { alt, columns, rows } = this.data;
    this.picture = make("img", { alt, hidden: true });
    this.wait = make("p", { role: "status" }, this.text("drawing"));
    this.el.setAttribute("role", "group");
    this.el.setAttribute("aria-label", this.text("label"));
    this.el.append(
      make("div", { class: "py-plot" }, this.wait, this.picture),
      make("div", { class: "py-numbers", tabindex: "0", role: "region", "aria-label": this.text("numbers") }, table(columns, rows)),
    );
  }

  update() {
    const { picture, problem } = this.shown;
    if (problem) this.wait.textContent = problem;
    if (!picture) return;
    this.picture.src = picture;
    this.picture.hidden = false;
    this.wait.hidden = true;
  }
}

// The map of the course ---------------------------------------------------------------------------------------------

class IndexView extends PartView {
  build() {
    const cards = this.data.lessons.map((lesson) => {
      const figure = make("span", { class: "py-index-figure", "data-role": "progress" });
      const bar = make("progress", { max: lesson.exercises.length || 1, value: 0, "aria-hidden": "true" });
      const card = make(
        "li",
        { "data-lesson": lesson.name },
        make("span", { class: "py-index-number", "aria-hidden": "true" }, lesson.number),
        make(
          "div",
          {},
          link(lesson.file, lesson.title, { class: "py-index-title" }),
          make("p", {}, lesson.about),
          make("p", { class: "py-index-foot" }, make("span", {}, lesson.minutes), lesson.exercises.length ? bar : null, figure),
        ),
      );
      return { lesson, figure, bar, card };
    });
    this.cards = cards;
    markPage();
    this.said = make("p", { role: "status", "data-role": "said" });
    const file = make("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": this.text("load") });
    file.addEventListener("change", () => this.load(file));
    this.el.append(
      make("ol", { class: "py-index", "aria-label": this.text("label") }, ...cards.map(({ card }) => card)),
      make(
        "div",
        { class: "py-index-actions" },
        button(this.text("save"), () => this.save(), { "data-role": "save" }),
        button(this.text("load"), () => file.click(), { "data-role": "load" }),
        button(this.text("forget"), () => this.forget(), { "data-role": "forget" }),
        file,
      ),
      this.said,
    );
    // Another tab may finish an exercise, and a page may come back from the browser's own memory.
    this.listen(window, "storage", () => this.update());
    this.listen(window, "pageshow", () => this.update());
    this.listen(document, "visibilitychange", () => this.update());
  }

  update() {
    const all = remembered();
    for (const { lesson, figure, bar, card } of this.cards) {
      const done = lesson.exercises.filter((name) => all[lesson.name]?.[name]).length;
      figure.textContent = lesson.exercises.length ? lesson.labels[done] : "";
      bar.value = done;
      card.classList.toggle("py-finished", done > 0 && done === lesson.exercises.length);
    }
  }

  save() {
    const content = JSON.stringify({ pyramide: 1, progress: remembered() }, null, 2);
    save("pyramide-progress.json", new Blob([content], { type: "application/json" }));
  }

  async load(field) {
    let saved = null;
    try {
      const { pyramide, progress } = JSON.parse(await field.files[0].text());
      saved = pyramide === 1 && progress && typeof progress === "object" ? progress : null;
    } catch {
      saved = null;
    }
    field.value = "";
    if (!saved) {
      this.said.textContent = this.text("not_loaded");
      return;
    }
    const all = remembered();
    for (const { lesson } of this.cards) {
      for (const name of lesson.exercises) {
        const day = saved[lesson.name]?.[name];
        if (typeof day === "string") all[lesson.name] = { [name]: day.slice(0, 10), ...all[lesson.name] };
      }
    }
    this.said.textContent = this.text(remember(all) ? "loaded" : "unsaved");
    this.update();
  }

  forget() {
    if (!confirm(this.text("sure"))) return;
    remember({});
    this.said.textContent = this.text("forgotten");
    this.update();
  }
}

const VIEWS = {
  head: HeadView,
  end: EndView,
  walkthrough: WalkthroughView,
  question: QuestionView,
  task: TaskView,
  beside: BesideView,
  note: NoteView,
  plot: PlotView,
  index: IndexView,
};

export default {
  render({ model, el }) {
    const view = new VIEWS[model.get("kind")](model, el);
    return () => view.destroy();
  },
};
