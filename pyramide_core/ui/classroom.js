// The teacher's page of a class: see classroom.py. It shows what the traits say, and asks for news while it is looked at.

const NEWS_MS = 2000;

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

/** The secret key of this browser, the same as that of its games. */
function browserToken() {
  try {
    let token = localStorage.getItem("pyramide.token");
    if (!/^[0-9a-f]{48}$/.test(token ?? "")) {
      token = [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      localStorage.setItem("pyramide.token", token);
    }
    return token;
  } catch {
    return "";
  }
}

/**
 * The address of the game beside this notebook, on whatever server shows it, with the class in it. A notebook in the
 * folder of a language leads to the game above it, which speaks the language of each learner.
 */
function playAddress(code, languages) {
  const url = new URL(location.href);
  url.pathname = url.pathname
    .replace(/\/(lab|notebooks)(\/workspaces\/[^/]+)?(\/tree)?\//, "/voila/render/")
    .replace(/[^/]*\.ipynb$/, "play.ipynb")
    .replace(/\/([a-z]+)\/play\.ipynb$/, (all, folder) => (languages.includes(folder) ? "/play.ipynb" : all));
  url.search = new URLSearchParams({ class: code }).toString();
  url.hash = "";
  return url.href;
}

/** Whether this page was opened by a name that only this computer knows itself by. */
function isLocal() {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}

class ClassroomView {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.cleanups = [];
    el.classList.add("py-class");
    this.said = make("p", { class: "py-class-said", role: "status" });
    this.form = make("form", { class: "py-class-form" });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send("open", { values: this.values() });
    });
    this.head = make("div", { class: "py-class-head" });
    this.board = make("div", { class: "py-class-board" });
    // One element for good, so that a reader hears when it changes.
    this.summary = make("p", { class: "py-class-summary", role: "status" });
    this.tools = make("div", { class: "py-class-tools" });
    el.append(this.said, this.form, this.head, this.summary, this.board, this.tools);
    const shows = { form: "showForm", task: "showTask", lines: "showBoard", said: "showSaid", games: "showTools", texts: "showAll" };
    for (const [trait, show] of Object.entries(shows)) {
      const handler = () => this[show]();
      model.on(`change:${trait}`, handler);
      this.cleanups.push(() => model.off(`change:${trait}`, handler));
    }
    const receive = (message) => message.do === "save" && this.save(message.name, message.text);
    model.on("msg:custom", receive);
    const timer = setInterval(() => {
      if (!document.hidden && this.model.get("task").code && !this.model.get("task").closed) this.send("news");
    }, NEWS_MS);
    this.cleanups.push(() => model.off("msg:custom", receive), () => clearInterval(timer));
    this.showAll();
    this.send("ready", {
      token: browserToken(),
      query: location.search,
      languages: [...(navigator.languages || [])],
      preferences: this.preferences(),
    });
  }

  send(event, more = {}) {
    this.model.send({ event, ...more });
  }

  text(name) {
    return this.model.get("texts")[name] ?? "";
  }

  preferences() {
    try {
      return JSON.parse(localStorage.getItem("pyramide.preferences") || "{}");
    } catch {
      return {};
    }
  }

  /** Another class, or none: its address for the next load, and the focus where it begins. */
  showTask() {
    const { code = "" } = this.model.get("task");
    const isOther = code !== (this.shown ?? "");
    this.shown = code;
    this.showAll();
    if (!isOther) return;
    const url = new URL(location.href);
    if (code) url.searchParams.set("board", code);
    else url.searchParams.delete("board");
    history.replaceState(history.state, "", url);
    (code ? this.head.querySelector("h2") : this.form.querySelector("input"))?.focus();
  }

  values() {
    const values = {};
    for (const field of this.form.elements) {
      if (field.name) values[field.name] = field.type === "checkbox" ? field.checked : field.value;
    }
    return values;
  }

  save(name, text) {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
    link.click();
    // Some browsers read the file only after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  showAll() {
    this.el.lang = this.text("lang");
    this.showForm();
    this.showHead();
    this.showBoard();
    this.showTools();
    this.showSaid();
  }

  showSaid() {
    const { text = "", kind = "info" } = this.model.get("said");
    this.said.textContent = text;
    this.said.dataset.kind = kind;
  }

  button(name, act, attributes = {}) {
    const node = make("button", { type: "button", class: "py-class-button", "data-do": name, ...attributes }, this.text(name));
    node.addEventListener("click", act);
    return node;
  }

  // A new class ----------------------------------------------------------------------------------------------------

  showForm() {
    const { fields = [], classes = [] } = this.model.get("form");
    this.form.hidden = Boolean(this.model.get("task").code);
    const typed = this.values();
    const nodes = fields.map((field) => this.field(field, typed[field.name]));
    if (fields.length) nodes.push(make("button", { class: "py-class-button py-primary", "data-do": "open" }, this.text("open")));
    if (classes.length) {
      const list = make("ul", {}, ...classes.map(([code, label]) => {
        const choose = make("button", { type: "button", class: "py-class-button", "data-class": code }, label);
        choose.addEventListener("click", () => this.send("choose", { code }));
        return make("li", {}, choose);
      }));
      nodes.push(make("section", {}, make("h2", {}, this.text("classes")), list));
    }
    const had = this.form.contains(document.activeElement);
    this.form.replaceChildren(...nodes);
    if (had && !this.form.hidden) this.form.querySelector('[aria-invalid="true"], button')?.focus();
  }

  field({ kind, name, label, help, options = [], value, problem }, typed) {
    const id = `py-class-${name}`;
    const now = typed ?? value;
    const notes = [problem ? `${id}-problem` : null, help ? `${id}-help` : null].filter(Boolean).join(" ");
    const shared = { id, name, "aria-describedby": notes || null, "aria-invalid": problem ? "true" : null };
    let field;
    if (kind === "select") {
      field = make("select", shared, ...options.map(([key, text]) => make("option", { value: key, selected: key === now }, text)));
    } else if (kind === "switch") {
      field = make("input", { ...shared, type: "checkbox", checked: now });
    } else {
      field = make(kind === "long" ? "textarea" : "input", { ...shared, rows: kind === "long" ? 3 : null, autocomplete: "off", spellcheck: "false" });
      field.value = now ?? "";
      if (kind === "number") field.inputMode = "numeric";
    }
    return make(
      "div", { class: `py-class-field py-class-${kind}` },
      make("label", { for: id }, label), field,
      help ? make("small", { id: `${id}-help` }, help) : null,
      problem ? make("p", { id: `${id}-problem`, class: "py-class-problem", role: "alert" }, problem) : null,
    );
  }

  // The class that is open -----------------------------------------------------------------------------------------

  showHead() {
    const task = this.model.get("task");
    this.head.hidden = !task.code;
    if (!task.code) return this.head.replaceChildren();
    const address = playAddress(task.code, this.text("languages").split(" "));
    const focused = this.head.contains(document.activeElement) ? document.activeElement.tagName : null;
    this.head.replaceChildren(
      make("h2", { tabindex: "-1" }, task.title),
      make("p", { class: "py-class-code" }, `${this.text("code")} `, make("strong", { "data-role": "class-code" }, task.code)),
      make("p", {}, `${this.text("link")} `, make("a", { href: address, target: "_blank", rel: "noopener", "data-role": "class-link" }, address)),
      isLocal() ? make("p", { class: "py-class-note" }, this.text("local")) : "",
      make("p", {}, task.about),
    );
    if (focused) this.head.querySelector(focused)?.focus();
    return undefined;
  }

  showBoard() {
    const task = this.model.get("task");
    this.board.hidden = this.summary.hidden = !task.code;
    if (!task.code) return this.board.replaceChildren();
    const { summary = "", head = [], rows = [] } = this.model.get("lines");
    if (this.summary.textContent !== summary) this.summary.textContent = summary;
    this.board.replaceChildren(
      make(
        "table", {},
        make("caption", {}, this.text("board")),
        make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, ...rows.map(({ state, cells }) =>
          make("tr", { "data-state": state }, ...cells.map((cell, index) => make(index === 1 ? "th" : "td", index === 1 ? { scope: "row" } : {}, cell))))),
      ),
    );
    // A board that is wider than its screen scrolls, by keys too.
    const isWide = this.board.scrollWidth > this.board.clientWidth;
    const wide = { role: "region", tabindex: "0", "aria-label": this.text("board") };
    for (const [name, value] of Object.entries(wide)) {
      if (isWide) this.board.setAttribute(name, value);
      else this.board.removeAttribute(name);
    }
    return undefined;
  }

  showTools() {
    const task = this.model.get("task");
    this.tools.hidden = !task.code;
    if (!task.code) return this.tools.replaceChildren();
    const nodes = [
      this.button(task.anonymous ? "names" : "no_names", () => this.send("anonymous", { value: !task.anonymous })),
      this.button(task.by === "time" ? "by_moves" : "by_time", () => this.send("sort", { by: task.by === "time" ? "moves" : "time" })),
      this.button("csv", () => this.send("csv")),
      this.button("transcripts", () => this.send("transcripts")),
      this.button(task.closed ? "reopen" : "close", () => this.send(task.closed ? "reopen" : "close")),
      this.button("other", () => this.send("choose", { code: "" })),
      this.button("delete", () => confirm(this.text("delete_now")) && this.send("delete")),
    ];
    const games = this.model.get("games");
    if (games.length) {
      const id = "py-class-walk";
      const select = make("select", { id }, ...games.map(([key, label]) => make("option", { value: key }, label)));
      nodes.push(make("p", { class: "py-class-walk" }, make("label", { for: id }, this.text("walk_label")), select,
        this.button("walk", () => this.send("walk", { key: select.value }))));
    }
    const old = this.tools.contains(document.activeElement) ? document.activeElement.dataset.do : null;
    const chosen = this.tools.querySelector("select")?.value;
    this.tools.replaceChildren(...nodes);
    const select = this.tools.querySelector("select");
    if (select && games.some(([key]) => key === chosen)) select.value = chosen;
    if (old) this.tools.querySelector(`[data-do="${old}"]`)?.focus();
    return undefined;
  }

  destroy() {
    this.cleanups.forEach((cleanup) => cleanup());
  }
}

export default {
  render({ model, el }) {
    const view = new ClassroomView(model, el);
    return () => view.destroy();
  },
};
