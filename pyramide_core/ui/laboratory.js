// The laboratory's page: see laboratory.py. It shows what the traits say and knows no rule and no statistics.

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

function preferences() {
  try {
    return JSON.parse(localStorage.getItem("pyramide.preferences") || "{}");
  } catch {
    return {};
  }
}

class LaboratoryView {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.cleanups = [];
    el.classList.add("py-lab");
    this.form = make("form", { class: "py-lab-form", novalidate: true });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send("start", { values: this.values() });
    });
    this.title = make("h1");
    this.intro = make("p", { class: "py-lab-intro" });
    this.said = make("p", { class: "py-lab-said", role: "status", "data-role": "message" });
    this.bar = make("progress", { class: "py-lab-bar", value: 0, max: 1 });
    this.line = make("p", { class: "py-lab-line", "data-role": "progress" });
    this.tables = make("div", { class: "py-lab-tables" });
    this.image = make("img", { class: "py-lab-image" });
    this.choices = make("div", { class: "py-lab-choices" });
    this.exports = make("div", { class: "py-lab-exports", role: "group" });
    this.results = make(
      "section", { class: "py-lab-results", hidden: true },
      this.tables, make("div", { class: "py-lab-plot" }, this.choices, this.image), this.exports,
    );
    this.start = make("button", { class: "py-lab-button py-primary", "data-do": "start" });
    this.stop = make("button", { type: "button", class: "py-lab-button", "data-do": "stop" });
    this.stop.addEventListener("click", () => this.send("stop"));
    this.actions = make("div", { class: "py-lab-actions" }, this.start, this.stop);
    el.append(this.title, this.intro, this.form, this.said, make("div", {}, this.bar, this.line), this.results);
    const shows = {
      texts: "showTexts", form: "showForm", state: "showState", tables: "showTables", picture: "showPicture", said: "showSaid",
    };
    for (const [trait, show] of Object.entries(shows)) {
      const handler = () => this[show]();
      model.on(`change:${trait}`, handler);
      this.cleanups.push(() => model.off(`change:${trait}`, handler));
    }
    const receive = (message, buffers) => message.do === "save" && this.save(message, buffers);
    model.on("msg:custom", receive);
    this.cleanups.push(() => model.off("msg:custom", receive));
    Object.values(shows).forEach((show) => this[show]());
    this.send("ready", { query: location.search, languages: [...(navigator.languages || [])], preferences: preferences() });
  }

  send(event, more = {}) {
    this.model.send({ event, ...more });
  }

  text(name) {
    return this.model.get("texts")[name] ?? "";
  }

  // The form -------------------------------------------------------------------------------------------------------

  values() {
    const data = new FormData(this.form);
    const values = {};
    for (const name of ["rules", "measures", "players"]) values[name] = data.getAll(name);
    for (const name of ["more", "deals", "seed"]) values[name] = data.get(name) ?? "";
    return values;
  }

  showTexts() {
    this.el.lang = this.text("lang");
    this.title.textContent = this.text("title");
    this.intro.textContent = this.text("intro");
    this.start.textContent = this.text("start");
    this.stop.textContent = this.text("stop");
    this.bar.setAttribute("aria-label", this.text("progress"));
    this.exports.setAttribute("aria-label", this.text("save"));
    this.exports.replaceChildren(
      ...Object.entries(this.text("exports") || {}).map(([kind, label]) => {
        const button = make("button", { type: "button", class: "py-lab-button", "data-save": kind }, label);
        button.addEventListener("click", () => this.send("save", { kind }));
        return button;
      }),
    );
    this.showForm();
    this.showTables();
    this.showPicture();
  }

  showForm() {
    const { rules = [], measures = [], players = [], values = {} } = this.model.get("form");
    const typed = this.form.childElementCount ? this.values() : { more: "", ...values };
    const focused = this.form.contains(document.activeElement) ? document.activeElement.id : null;
    const group = (name, options) =>
      make(
        "fieldset", { class: `py-lab-${name}` }, make("legend", {}, this.text(name)),
        ...options.map(({ value, label, note }) => this.check(name, value, label, note, (typed[name] ?? []).includes(value))),
      );
    this.form.replaceChildren(
      group("rules", rules),
      make(
        "div", { class: "py-lab-column" },
        group("measures", measures), group("players", players),
        this.field("more", typed.more, { help: "more_help", spellcheck: "false" }),
        this.field("deals", typed.deals, { inputmode: "numeric" }),
        this.field("seed", typed.seed, { help: "seed_help", inputmode: "numeric" }),
        this.actions,
      ),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  check(group, value, label, note, checked) {
    const id = `py-lab-${group}-${value}`;
    return make(
      "div", { class: "py-lab-check" },
      make("input", { type: "checkbox", id, name: group, value, checked, "aria-describedby": note ? `${id}-note` : null }),
      make("label", { for: id }, label),
      note ? make("small", { id: `${id}-note` }, note) : null,
    );
  }

  field(name, value, { help, ...attributes }) {
    const id = `py-lab-${name}`;
    const input = make("input", { id, name, autocomplete: "off", "aria-describedby": help ? `${id}-help` : null, ...attributes });
    input.value = value ?? "";
    return make(
      "div", { class: "py-lab-field" }, make("label", { for: id }, this.text(name)), input,
      help ? make("small", { id: `${id}-help` }, this.text(help)) : null,
    );
  }

  // The study ------------------------------------------------------------------------------------------------------

  showState() {
    const { running = false, done = 0, total = 0, text = "" } = this.model.get("state");
    const had = this.actions.contains(document.activeElement);
    this.start.disabled = running;
    this.stop.disabled = !running;
    // The focus follows the button that can be pressed now.
    if (had) (running ? this.stop : this.start).focus();
    this.bar.parentElement.hidden = !total;
    this.bar.max = total || 1;
    this.bar.value = done;
    this.line.textContent = text;
    this.el.dataset.running = String(running);
  }

  showSaid() {
    const { text = "", kind = "info" } = this.model.get("said");
    this.said.textContent = text;
    this.said.dataset.kind = kind;
  }

  showTables() {
    const tables = this.model.get("tables");
    this.results.hidden = !tables.length;
    this.tables.replaceChildren(...tables.map((table) => this.table(table)));
  }

  table({ title, heads, rows, bars }) {
    return make(
      "div", { class: "py-lab-scroll", tabindex: "0", role: "region", "aria-label": title },
      make(
        "table", {}, make("caption", {}, title),
        make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)), bars ? make("td") : null)),
        make(
          "tbody", {},
          ...rows.map((cells, index) =>
            make(
              "tr", {},
              ...cells.map((cell, place) => make(place ? "td" : "th", place ? {} : { scope: "row" }, cell)),
              bars ? make("td", { class: "py-lab-interval" }, this.interval(...bars[index])) : null,
            )),
        ),
      ),
    );
  }

  /** An interval as a band between 0 and 100 percent, with the share as a mark. */
  interval(share, low, high) {
    const percent = (value) => (100 * value).toFixed(2);
    const name = this.text("interval").replace("{low}", percent(low)).replace("{high}", percent(high));
    const band = make("i", { class: "py-lab-band" });
    band.style.left = `${percent(low)}%`;
    band.style.width = `${percent(high - low)}%`;
    const mark = make("i", { class: "py-lab-mark" });
    mark.style.left = `${percent(share)}%`;
    return make("span", { class: "py-lab-track", role: "img", "aria-label": name }, band, mark);
  }

  showPicture() {
    const { source, words = "", plots = [], rules = [], players = [], chosen = {} } = this.model.get("picture");
    this.image.hidden = !source;
    if (source) this.image.src = source;
    this.image.alt = words;
    const lists = [["plot", "plot", plots], ["rules", "of_rules", rules], ["player", "of_player", players]];
    // Rebuilt only when the choices differ: a list that is open would close.
    const key = JSON.stringify([lists, this.model.get("texts").lang]);
    if (key !== this.choicesKey) {
      this.choicesKey = key;
      const focused = this.choices.contains(document.activeElement) ? document.activeElement.name : null;
      this.choices.replaceChildren(...lists.filter(([, , options]) => options.length).map((list) => this.select(...list)));
      if (focused) this.choices.querySelector(`[name="${focused}"]`)?.focus();
    }
    for (const select of this.choices.querySelectorAll("select")) {
      if (document.activeElement !== select && chosen[select.name]) select.value = chosen[select.name];
    }
  }

  select(name, label, options) {
    const id = `py-lab-choice-${name}`;
    const { chosen = {} } = this.model.get("picture");
    const select = make(
      "select", { id, name },
      ...options.map(([value, text]) => make("option", { value, selected: value === chosen[name] }, text)),
    );
    select.addEventListener("change", () => {
      const values = { ...chosen };
      for (const other of this.choices.querySelectorAll("select")) values[other.name] = other.value;
      this.send("plot", values);
    });
    return make("div", { class: "py-lab-field" }, make("label", { for: id }, this.text(label)), select);
  }

  save({ name, type }, buffers) {
    const link = make("a", { href: URL.createObjectURL(new Blob(buffers, { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  destroy() {
    this.cleanups.forEach((cleanup) => cleanup());
  }
}

export default {
  render({ model, el }) {
    const view = new LaboratoryView(model, el);
    return () => view.destroy();
  },
};
