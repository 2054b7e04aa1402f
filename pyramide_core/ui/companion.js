// The companion of a Pyramide table: see companion.py. It shows what the traits say and knows no rule of the game.

const READY_CLASS = "py-ready";
const SVG_COPY =
  '<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path fill="none" stroke="currentColor" stroke-width="1.4" d="M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3"/></svg>';

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

/** Set or remove an attribute, touching the page only when it changes. */
function assign(node, name, value) {
  if (value == null || value === "") node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

function formatTime(seconds) {
  const whole = Math.floor(seconds);
  const pad = (n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}

/** A face such as 10♣ as the two lines of a card's corner; the selector keeps suits from turning into emoji. */
function corner(face) {
  return face ? `${face.slice(0, -1)}\n${face.slice(-1)}\ufe0e` : null;
}

class TableView {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.cleanups = [];
    this.darkSystem = matchMedia("(prefers-color-scheme: dark)");
    el.classList.add("py-companion");
    this.build();
    this.waitForTable();
  }

  // The parts of the page that are the companion's own -------------------------------------------------------------

  build() {
    this.figures = {};
    const figure = (role) => {
      const value = make("dd", { "data-role": role });
      const name = make("dt");
      const box = make("div", { class: `py-figure-${role}` }, name, value);
      this.figures[role] = { name, value, box };
      return box;
    };
    this.rules = make("span", { class: "py-rules-name" });
    this.code = make("button", { type: "button", class: "py-code", "data-role": "code" });
    this.codeText = make("span", { class: "py-code-text" });
    this.code.append(this.codeText);
    this.code.insertAdjacentHTML("beforeend", SVG_COPY);
    this.code.addEventListener("click", () => this.copy(this.model.get("code")));
    this.message = make("p", { class: "py-message", role: "status", "data-role": "message" });
    this.cover = make("button", { type: "button", class: "py-cover", hidden: true });
    this.cover.addEventListener("click", () => this.press("pause"));
    this.fan = make("ol", { class: "py-fan", hidden: true });
    this.replay = make("div", { class: "py-replay", role: "group", hidden: true });
    this.buildReplay();
    this.dialog = make("dialog", { class: "py-dialog" });
    this.dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.answer("close");
    });
    // Browsers close a dialog without asking when Escape is pressed again and again.
    this.dialog.addEventListener("close", () => {
      if (this.model.get("dialog").id) this.answer("close");
    });
    // The name is the page's heading where the table is the page, and plain text inside a lesson.
    this.brand = make("strong", { class: "py-brand" }, "Pyramide");
    this.lessons = make("a", { class: "py-lessons", hidden: true });
    this.el.append(
      make(
        "div",
        { class: "py-bar" },
        this.brand,
        make("div", { class: "py-deal" }, this.rules, this.code, this.lessons),
        make("dl", {}, figure("verdict"), figure("score"), figure("moves"), figure("time")),
      ),
      this.message,
      this.fan,
      this.cover,
      this.replay,
      this.dialog,
    );
  }

  /** The bar of a replay: first, back, play, on, last, a slider, the speed, and two ways out of it. */
  buildReplay() {
    const go = (step) => () => this.replayTo(step(this.model.get("replay")));
    const make_ = (name, sign, act) => {
      const node = make("button", { type: "button", "data-role": `replay-${name}` }, sign);
      node.addEventListener("click", act);
      return node;
    };
    const r = (this.replayParts = {
      first: make_("first", "«", go(() => 0)),
      previous: make_("previous", "‹", go(({ at }) => at - 1)),
      play: make_("play", "▶\ufe0e", () => this.replayPlay(!this.replayTimer)),
      next: make_("next", "›", go(({ at }) => at + 1)),
      last: make_("last", "»", go(({ count }) => count)),
      slider: make("input", { type: "range", min: 0, step: 1, "data-role": "replay-slider" }),
      // No output element: that would be a second voice beside the line of message.
      place: make("span", { class: "py-replay-place", "data-role": "replay-place" }),
      speed: make("select", { "data-role": "replay-speed" }),
      go_on: make_("go-on", "", () => this.send({ event: "replay", do: "go_on" })),
      leave: make_("leave", "", () => this.send({ event: "replay", do: "leave" })),
    });
    r.slider.addEventListener("input", () => this.replayTo(Number(r.slider.value)));
    r.speed.append(...[0.5, 1, 2, 4].map((n) => make("option", { value: n, selected: n === 1 }, `×${n}`)));
    r.speed.addEventListener("change", () => this.replayTimer && this.replayPlay(true));
    this.replay.append(...Object.values(r));
  }

  replayTo(at) {
    const { count } = this.model.get("replay");
    this.send({ event: "replay", at: Math.max(0, Math.min(count, at)) });
  }

  replayPlay(on) {
    clearInterval(this.replayTimer);
    this.replayTimer = null;
    if (on) {
      const step = () => {
        const { at, count } = this.model.get("replay");
        if (at >= count) this.replayPlay(false);
        else this.replayTo(at + 1);
      };
      this.replayTimer = setInterval(step, 1000 / Number(this.replayParts.speed.value));
    }
    this.showReplay();
  }

  showReplay() {
    const { count, at } = this.model.get("replay");
    const on = count !== undefined;
    if (!on && this.replayTimer) return this.replayPlay(false);
    const shown = !this.replay.hidden;
    this.replay.hidden = !on;
    this.table.classList.toggle("py-replaying", on);
    if (!on) {
      if (shown) this.stop?.focus();
      return;
    }
    const r = this.replayParts;
    for (const name of ["first", "previous", "play", "next", "last", "speed", "slider"]) {
      const label = this.text(name === "play" && this.replayTimer ? "replay_pause" : `replay_${name}`);
      r[name].setAttribute("aria-label", label);
      r[name].title = label;
    }
    this.replay.setAttribute("aria-label", this.text("replay"));
    r.play.textContent = this.replayTimer ? "■" : "▶\ufe0e";
    r.go_on.textContent = this.text("replay_go_on");
    r.leave.textContent = this.text("replay_leave");
    r.slider.max = count;
    r.slider.value = at;
    r.place.textContent = `${at} / ${count}`;
    const focused = document.activeElement;
    r.first.disabled = r.previous.disabled = at === 0;
    r.next.disabled = r.last.disabled = at === count;
    // A button that has just become useless must not take the focus away with it.
    if (focused?.disabled) r.slider.focus();
    if (!shown) r.next.focus();
    return undefined;
  }

  /** Wait until the buttons of the table are in the page: views are made one by one, in no promised order. */
  waitForTable() {
    let frames = 0;
    const look = () => {
      if (this.gone) return;
      const table = this.el.closest(".pyramide-table");
      const wanted = this.model.get("places").length;
      if (table && table.querySelectorAll(".py-place").length >= wanted && table.querySelector(".py-actions")) {
        this.table = table;
        this.start();
      } else if (frames++ < 3000) requestAnimationFrame(look);
    };
    look();
  }

  start() {
    // A dashboard fills the window where the notebook is a page of its own, and its cell elsewhere.
    this.full = this.table.classList.contains("py-page") && document.body.dataset.voila === "voila";
    if (this.full) {
      this.table.classList.add("py-full");
      // The lessons are pages beside this one.
      this.lessons.href = `${document.body.dataset.baseUrl ?? "/voila/"}render/00_index.ipynb`;
      this.lessons.hidden = false;
      this.brand.setAttribute("role", "heading");
      this.brand.setAttribute("aria-level", "1");
    }
    const spoken = this.full ? document.documentElement.lang : null;
    this.listen();
    this.watchButtons();
    this.restorePreferences();
    this.showAll();
    const events = {
      "change:places": () => this.showCards(),
      "change:shape": () => (this.showShape(), this.showFan()),
      "change:state": () => this.showCards(),
      "change:piles": () => this.showPiles(),
      "change:fan": () => this.showFan(),
      "change:figures": () => this.showFigures(),
      "change:clock": () => this.showClock(),
      "change:message": () => this.showMessage(),
      "change:code change:title": () => this.showCode(),
      "change:texts": () => this.showAll(),
      "change:dialog": () => this.showDialog(),
      "change:problem": () => this.showProblem(),
      "change:lit": () => this.showLit(),
      "change:paused": () => this.showPaused(),
      "change:preferences": () => this.showPreferences(),
      "change:memory": () => this.remember(),
      "change:verdict": () => this.showVerdict(),
      "change:replay": () => this.showReplay(),
    };
    for (const [name, show] of Object.entries(events)) {
      for (const single of name.split(" ")) {
        this.model.on(single, show);
        this.cleanups.push(() => this.model.off(single, show));
      }
    }
    const receive = (message) => this.receive(message);
    this.model.on("msg:custom", receive);
    this.cleanups.push(() => this.model.off("msg:custom", receive));
    this.appear(spoken);
    this.send({
      event: "ready",
      query: location.search,
      languages: [...(navigator.languages || [])],
      preferences: this.savedPreferences(),
      token: this.token(),
      ...this.recall(),
    });
  }

  /**
   * Show the table instead of its opening picture, as soon as it speaks the language in which the page came: the table
   * is made before anybody asks for it, so it speaks that of the program until it hears of the page.
   */
  appear(spoken) {
    const show = () => {
      clearTimeout(late);
      this.model.off("change:texts", look);
      this.table.classList.add(READY_CLASS);
      document.getElementById("pyramide-opening")?.remove();
    };
    const look = () => (!spoken || this.text("lang") === spoken) && show();
    const late = setTimeout(show, 1000);
    this.model.on("change:texts", look);
    this.cleanups.push(() => clearTimeout(late), () => this.model.off("change:texts", look));
    look();
  }

  /** Tell the kernel something. A page that is being left has no kernel any more, and nothing to tell it. */
  send(content) {
    try {
      this.model.send(content);
    } catch (error) {
      console.debug("Pyramide: not sent", error);
    }
  }

  /** A message of the kernel that is no state: something to do once. */
  receive(message) {
    if (message.do === "copy") this.copy(message.text);
    else if (message.do === "save") this.save(message.name, message.text);
    else if (message.do === "address" && this.full) this.address(message.values);
  }

  listen() {
    const on = (target, name, handler) => {
      target.addEventListener(name, handler);
      this.cleanups.push(() => target.removeEventListener(name, handler));
    };
    on(this.table, "keydown", (event) => this.key(event));
    on(this.table, "focusin", (event) => {
      this.held = event.target;
      this.rove(event.target);
    });
    on(this.table, "focusout", (event) => {
      // A button that can be pressed no more loses the focus by itself; where it was is still wanted.
      if (!event.target.disabled) this.held = null;
    });
    on(document, "visibilitychange", () => {
      this.send({ event: "hidden", hidden: document.hidden });
      this.tick();
      if (document.hidden) this.remember();
    });
    on(window, "pagehide", () => this.remember());
    on(this.darkSystem, "change", () => this.applyPreferences(this.preferences));
    this.ticker = setInterval(() => this.tick(), 250);
    this.cleanups.push(() => clearInterval(this.ticker), () => clearInterval(this.replayTimer));
  }

  /** Dress the buttons of a new layout, as their views come later than the state that they show; keep the focus. */
  watchButtons() {
    const observer = new MutationObserver(() => {
      const { activeElement } = document;
      const active = activeElement === document.body ? this.held : activeElement;
      if (active?.disabled && active.closest(".py-actions")) this.stop?.focus();
      if (!this.table.querySelector(".py-card:not([data-state])")) return;
      this.showCards();
      this.showPiles();
      this.showLit();
    });
    observer.observe(this.table, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "disabled"] });
    this.cleanups.push(() => observer.disconnect());
  }

  destroy() {
    this.gone = true;
    this.cleanups.forEach((cleanup) => cleanup());
  }

  /** Let the address of the page name the deal on the table, so that it can be shared and opened again. */
  address(values) {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value) query.set(name, value);
      else query.delete(name);
    }
    // The commas and equal signs of a mix of rules may stand in an address as they are.
    const text = query.toString().replace(/%2C/g, ",").replace(/%3D/g, "=");
    history.replaceState(history.state, "", text ? `?${text}` : location.pathname);
  }

  // Showing --------------------------------------------------------------------------------------------------------

  text(name, values = {}) {
    const template = this.model.get("texts")[name] ?? "";
    return template.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
  }

  button(key) {
    return this.table.querySelector(`.py-k-${key}`);
  }

  showAll() {
    this.table.setAttribute("role", "group");
    this.table.setAttribute("aria-label", this.text("table"));
    for (const node of this.full ? [this.table, document.documentElement] : [this.table]) {
      assign(node, "lang", this.text("lang"));
      assign(node, "dir", this.text("direction"));
    }
    this.showShape();
    this.showCards();
    this.showPiles();
    this.showFan();
    this.showFigures();
    this.showVerdict();
    this.showClock();
    this.showMessage();
    this.showCode();
    this.showActions();
    this.showPreferences();
    this.showPaused();
    this.showReplay();
    this.showDialog();
    this.showLit();
  }

  showShape() {
    const { columns, rows, low, tight, crowded, many } = this.model.get("shape");
    this.table.style.setProperty("--columns", columns);
    this.table.style.setProperty("--rows", rows);
    this.table.classList.toggle("py-low", Boolean(low));
    this.table.classList.toggle("py-tight", Boolean(tight));
    this.table.classList.toggle("py-crowded", Boolean(crowded));
    this.table.classList.toggle("py-many", Boolean(many));
  }

  showCards() {
    const state = this.model.get("state");
    const places = this.model.get("places");
    const words = { b: "blocked", a: "available", s: "selected", d: "face_down" };
    const active = document.activeElement;
    let lost = null;
    places.forEach(([x, y, pile, card, face, name], index) => {
      const button = this.button(`t${index}`);
      if (!button) return;
      const now = state[index] ?? "u";
      button.style.setProperty("--x", x);
      button.style.setProperty("--y", y);
      // What lies lower lies upon what is above it, in whatever order the places count.
      button.style.setProperty("--z", Math.round(4 * y));
      assign(button, "data-pile", pile);
      // A card that is gone is in play no more, and its place no longer answers to its name.
      assign(button, "data-card", now === "." ? null : card);
      assign(button, "data-corner", corner(face));
      assign(button, "data-suit", card.slice(-1));
      assign(button, "data-state", now);
      assign(button, "aria-pressed", now === "s" ? "true" : now === "a" ? "false" : null);
      assign(button, "aria-hidden", now === "." || now === "u" ? "true" : null);
      assign(button, "aria-label", this.text("named", { name, state: this.text(words[now]) }));
      // The tooltip would only repeat the name, and hide the cards below it.
      button.removeAttribute("title");
      if (now === "." && button === active) lost = button;
    });
    if (lost) this.nearest(lost)?.focus();
    this.keepOneStop();
  }

  showPiles() {
    for (const [key, pile] of Object.entries(this.model.get("piles"))) {
      const button = this.button(key);
      if (!button) continue;
      assign(button, "data-pile", pile.pile);
      assign(button, "data-card", pile.card);
      assign(button, "data-corner", corner(pile.face));
      assign(button, "data-suit", pile.suit ?? pile.card?.slice(-1));
      assign(button, "data-state", pile.state);
      assign(button, "data-count", pile.count);
      assign(button, "aria-label", pile.name);
      assign(button, "aria-pressed", pile.state === "s" ? "true" : pile.state === "a" && pile.card ? "false" : null);
      assign(button, "aria-disabled", pile.state === "e" ? "true" : null);
      button.removeAttribute("title");
      if (pile.pile === "foundation") {
        button.setAttribute("role", "img");
        button.tabIndex = -1;
      }
      assign(button.parentElement, "data-caption", pile.caption);
      assign(button.parentElement, "data-note", pile.note);
    }
    this.keepOneStop();
  }

  showFan() {
    const fan = this.model.get("fan");
    // Room is kept for the fan while its cards come and go.
    this.fan.hidden = !this.model.get("shape").fan;
    this.fan.setAttribute("aria-label", this.text("fan"));
    this.fan.replaceChildren(
      ...fan.map(([card, face, name]) =>
        make("li", { "data-fan-card": card, "aria-label": name, class: "DH".includes(card.at(-1)) ? "py-red" : "" }, face),
      ),
    );
  }

  showFigures() {
    const figures = this.model.get("figures");
    for (const role of ["verdict", "score", "moves", "time"]) this.figures[role].name.textContent = this.text(role);
    this.figures.score.value.textContent = figures.score ?? "";
    this.figures.moves.value.textContent = figures.moves ?? "";
  }

  /** Whether the game can still be won: a word, and a sign for those who see it from afar. */
  showVerdict() {
    const { kind, text } = this.model.get("verdict");
    const { value, box } = this.figures.verdict;
    box.hidden = !kind;
    value.textContent = text ?? "";
    assign(value, "data-kind", kind);
  }

  showClock() {
    this.clockSince = performance.now();
    this.clockBefore = this.model.get("clock").elapsed ?? 0;
    this.tick();
  }

  tick() {
    const running = this.model.get("clock").running;
    const now = performance.now();
    if (document.hidden || this.wasHidden) {
      // A hidden page's time is not playing time: what ran while hidden is taken off again.
      if (!this.wasHidden) this.clockBefore += running ? (now - this.clockSince) / 1000 : 0;
      this.clockSince = now;
      this.wasHidden = document.hidden;
    }
    const seconds = this.clockBefore + (running ? (now - this.clockSince) / 1000 : 0);
    const text = formatTime(seconds);
    const value = this.figures.time.value;
    if (value.textContent === text) return;
    value.textContent = text;
    this.seconds = seconds;
    if (running && Math.floor(seconds) % 5 === 0) this.remember();
  }

  showMessage() {
    const { text = "", kind = "info" } = this.model.get("message");
    this.message.dataset.kind = kind;
    // An equal text must be spoken again, so the line is emptied first.
    if (this.message.textContent === text) {
      this.message.textContent = "";
      requestAnimationFrame(() => (this.message.textContent = this.model.get("message").text ?? ""));
    } else this.message.textContent = text;
  }

  showCode() {
    const code = this.model.get("code");
    this.rules.textContent = this.model.get("title");
    this.codeText.textContent = code;
    this.code.hidden = !code;
    this.code.setAttribute("aria-label", this.text("copy_code", { code }));
    this.code.title = this.text("copy");
    this.lessons.textContent = this.text("lessons");
  }

  showActions() {
    for (const button of this.table.querySelectorAll(".py-actions button")) {
      const name = [...button.classList].find((c) => c.startsWith("py-do-"))?.slice(6);
      if (!name) continue;
      button.dataset.role = name.replace("_", "-");
      const key = { undo: "U", hint: "H", new_game: "N" }[name];
      if (key) {
        button.setAttribute("aria-keyshortcuts", key);
        button.dataset.key = key;
      }
    }
  }

  showLit() {
    const lit = new Set(this.model.get("lit"));
    for (const button of this.table.querySelectorAll(".py-card")) {
      const key = [...button.classList].find((c) => c.startsWith("py-k-"))?.slice(5);
      button.classList.toggle("py-lit", lit.has(key));
    }
  }

  showPaused() {
    const paused = this.model.get("paused");
    this.table.classList.toggle("py-paused", paused);
    const active = document.activeElement;
    if (paused && this.cover.hidden) this.pausedAt = this.table.contains(active) ? active : null;
    this.cover.hidden = !paused;
    this.cover.textContent = this.text("paused");
    for (const part of this.table.querySelectorAll(".py-tableau, .py-piles")) part.inert = paused;
    if (paused) this.cover.focus();
    else if (active === this.cover) (this.pausedAt?.isConnected ? this.pausedAt : this.stop)?.focus();
  }

  // Preferences are kept in the browser, as they belong to the person at the screen and not to the game -------------

  savedPreferences() {
    try {
      return JSON.parse(localStorage.getItem("pyramide.preferences") || "{}");
    } catch {
      return {};
    }
  }

  restorePreferences() {
    this.applyPreferences(this.savedPreferences());
  }

  showPreferences() {
    const preferences = this.model.get("preferences");
    if (!Object.keys(preferences).length) return;
    try {
      localStorage.setItem("pyramide.preferences", JSON.stringify(preferences));
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
    // The server opens the next page in this language before it has heard of the preferences.
    const language = preferences.language ?? "";
    const age = language ? 31536000 : 0;
    document.cookie = `pyramide-language=${encodeURIComponent(language)};path=/;max-age=${age};samesite=lax`;
    this.applyPreferences(preferences);
  }

  applyPreferences(preferences) {
    this.preferences = preferences;
    // A table that is the page goes with the system; one in a notebook with the notebook, which is light or dark as a whole.
    const dark = this.full ? this.darkSystem.matches : document.body.dataset.jpThemeLight === "false";
    const own = preferences.theme === "auto" ? null : preferences.theme;
    assign(this.table, "data-theme", own ?? (dark ? "dark" : "light"));
    assign(this.table, "data-colours", preferences.colours === "four" ? "four" : null);
    assign(this.table, "data-cards", preferences.cards === "large" ? "large" : null);
    if (this.full) {
      assign(document.documentElement, "data-pyramide-theme", preferences.theme === "auto" ? null : preferences.theme);
    }
  }

  // The browser keeps the game too, for servers that forget, and a secret key that tells its games from others' ---------

  token() {
    try {
      let token = localStorage.getItem("pyramide.token");
      if (!/^[0-9a-f]{48}$/.test(token ?? "")) {
        token = [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        localStorage.setItem("pyramide.token", token);
      }
      return token;
    } catch {
      // Without storage there is nothing to come back to.
      return "";
    }
  }

  memoryName() {
    const slot = this.model.get("memory").slot;
    return slot ? `pyramide.game.${slot}` : "pyramide.game";
  }

  /** Keep the game and the time that the page shows; this window's own game comes before that of another one. */
  remember() {
    const { text } = this.model.get("memory");
    if (!text) return;
    try {
      // A game that has just changed brings its own time; the page's clock is of that game from the next tick on.
      const elapsed = text === this.remembered ? (this.seconds ?? null) : null;
      this.remembered = text;
      const kept = JSON.stringify({ text, elapsed });
      sessionStorage.setItem(this.memoryName(), kept);
      localStorage.setItem(this.memoryName(), kept);
    } catch {
      // A full or forbidden storage is no reason not to play.
    }
  }

  recall() {
    try {
      const kept = sessionStorage.getItem(this.memoryName()) ?? localStorage.getItem(this.memoryName());
      const { text, elapsed } = JSON.parse(kept ?? "{}");
      return { memory: text ?? "", elapsed: elapsed ?? null };
    } catch {
      return { memory: "", elapsed: null };
    }
  }

  // Keyboard -------------------------------------------------------------------------------------------------------

  press(name) {
    const button = this.table.querySelector(`.py-do-${name}`);
    if (button && !button.disabled) button.click();
  }

  key(event) {
    if (this.dialog.open || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const target = event.target;
    if (target.matches("input, textarea, select")) return;
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const actions = { d: "stock", u: "undo", n: "new_game", h: "hint" };
    // A Thai or Ukrainian keyboard gives letters of its own: there the key counts by its place.
    const letter = /^[\x21-\x7e]$/.test(event.key) ? event.key : (event.code ?? "").replace(/^Key/, "");
    const action = actions[letter.toLowerCase()];
    if (direction) {
      const from = target.closest(".py-card, .py-actions button, .py-code");
      if (!from) return;
      this.step(from, direction)?.focus();
    } else if (event.key === "Home" || event.key === "End") {
      const stops = this.stops();
      stops.at(event.key === "Home" ? 0 : -1)?.focus();
    } else if (action === "stock") this.button("stock")?.click();
    else if (action) this.press(action);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The cards and piles that the arrow keys can reach, as the eye goes. */
  stops() {
    return [...this.table.querySelectorAll(".py-card")].filter(
      (card) => !".ux".includes(card.dataset.state ?? "u") && card.dataset.pile !== "foundation" && card.offsetParent,
    );
  }

  centre(node) {
    const box = node.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }

  /** The next stop from a card in a direction: near along it, and not far aside. */
  step(from, [dx, dy]) {
    const [x, y] = this.centre(from);
    let best = null;
    let least = Infinity;
    for (const card of this.stops()) {
      if (card === from) continue;
      const [cx, cy] = this.centre(card);
      const along = (cx - x) * dx + (cy - y) * dy;
      const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (along < 4) continue;
      // A row's own cards come before its neighbours', and the next row before the one behind it.
      const cost = along + (dx ? 2.5 : 0.6) * aside;
      // Of two cards that are equally near, up takes the left one and down the right one: down undoes up.
      if (cost < least - 1 || (dy > 0 && cost < least + 1)) [best, least] = [card, cost];
    }
    return best;
  }

  /** Where the focus goes when its card is gone: the nearest card that can be played, else the nearest stop. */
  nearest(from) {
    const [x, y] = this.centre(from);
    const near = (cards) =>
      cards
        .map((card) => [Math.hypot(this.centre(card)[0] - x, this.centre(card)[1] - y), card])
        .sort((a, b) => a[0] - b[0])[0]?.[1];
    const stops = this.stops().filter((card) => card !== from);
    return near(stops.filter((card) => card.dataset.state === "a")) ?? near(stops);
  }

  /** Among the cards one is the stop of the Tab key: the last one that had the focus. */
  rove(target) {
    if (!target.classList?.contains("py-card")) return;
    this.stop = target;
    this.keepOneStop();
  }

  keepOneStop() {
    const stops = this.stops().filter((card) => card.classList.contains("py-place"));
    if (!stops.includes(this.stop)) this.stop = stops.find((card) => card.dataset.state === "a") ?? stops[0];
    for (const card of this.table.querySelectorAll(".py-place")) card.tabIndex = card === this.stop ? 0 : -1;
  }

  // Clipboard and files --------------------------------------------------------------------------------------------

  async copy(text) {
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages without permission (or without https) can still copy a selection.
      const field = make("textarea", { class: "py-away", "aria-hidden": "true" });
      field.value = text;
      this.el.append(field);
      const active = document.activeElement;
      field.select();
      done = document.execCommand("copy");
      field.remove();
      active?.focus();
    }
    this.message.dataset.kind = done ? "info" : "warning";
    this.message.textContent = this.text(done ? "copied" : "not_copied", { code: text });
  }

  save(name, text) {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
    link.click();
    // Some browsers read the file only after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  // Dialogs --------------------------------------------------------------------------------------------------------

  answer(action) {
    const values = {};
    for (const field of this.dialog.querySelectorAll("[name]")) {
      if (field.type === "checkbox") values[field.name] = field.checked;
      else if (field.type === "radio") {
        if (field.checked) values[field.name] = field.value;
      } else values[field.name] = field.value;
    }
    this.send({ event: "dialog", dialog: this.model.get("dialog").id, action, values });
  }

  showDialog() {
    const spec = this.model.get("dialog");
    if (!spec.id) {
      if (this.dialog.open) {
        this.dialog.close();
        const back = this.opener?.isConnected && this.opener.offsetParent ? this.opener : this.stop;
        back?.focus();
      }
      return;
    }
    const again = this.dialog.open && this.dialog.dataset.dialog === spec.id;
    if (!this.dialog.open) {
      const active = document.activeElement;
      this.opener = this.table.contains(active) ? active : null;
    }
    const heading = make("h2", { id: `py-title-${spec.id}`, tabindex: "-1" }, spec.title);
    const form = make("form", { method: "dialog", novalidate: true });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer(event.submitter?.value || spec.buttons[0].action);
    });
    form.append(...spec.blocks.map((block) => this.block(block)));
    form.append(
      make(
        "div",
        { class: "py-buttons" },
        ...spec.buttons.map(({ action, label, kind }) =>
          make("button", { type: "submit", value: action, class: `py-button py-${kind || "plain"}`, "data-action": action }, label),
        ),
      ),
    );
    const close = make("button", { type: "button", class: "py-close", "aria-label": this.text("close") }, "×");
    close.addEventListener("click", () => this.answer("close"));
    this.dialog.replaceChildren(heading, form, close);
    this.dialog.setAttribute("aria-labelledby", heading.id);
    this.dialog.dataset.dialog = spec.id;
    if (!this.dialog.open) this.dialog.showModal();
    // A dialog that is only brought up to date leaves the reader where he is.
    if (again && spec.live) return (form.querySelector("button") ?? heading).focus({ preventScroll: true });
    // A text to read opens at its beginning; a form at its first field.
    const field = this.dialog.querySelector("[autofocus]");
    const first = form.querySelector("input, select, textarea");
    const reading = this.dialog.scrollHeight > this.dialog.clientHeight ? heading : form.querySelector("button");
    // The first field stands below the title: there is nothing to scroll to, and browsers would hide the title.
    if (field) field.focus();
    else (first ?? reading).focus({ preventScroll: true });
    return undefined;
  }

  block(block) {
    const help = (text, id) => (text ? make("small", { id }, text) : null);
    const id = block.name ? `py-field-${block.name}` : null;
    const described = block.help ? `${id}-help` : null;
    switch (block.kind) {
      case "text":
        return make("p", { id }, block.text);
      case "warning":
        return make("p", { class: "py-notice" }, block.text);
      case "notice":
        return make("p", { class: "py-notice", id: `${id}-problem`, role: "status" }, block.text);
      case "link":
        return make("p", {}, make("a", { href: block.href }, block.label));
      case "group":
        return make("div", { class: "py-options" }, ...block.blocks.map((inner) => this.block(inner)));
      case "section":
        return make(
          "section",
          {},
          make("h3", {}, block.title),
          ...block.sentences.map((sentence) => make("p", {}, sentence)),
        );
      case "figures":
        return make("dl", { class: "py-figures" }, ...block.items.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
      case "field": {
        const field = make(block.long ? "textarea" : "input", {
          id, name: block.name, placeholder: block.placeholder, autocomplete: "off", spellcheck: "false",
          autofocus: block.focus, rows: block.long, readonly: block.fixed, "aria-describedby": `${described ?? ""} ${id}-problem`.trim(),
        });
        field.value = block.value ?? "";
        field.addEventListener("input", () => this.clearProblem(block.name));
        // A text of several lines can be pasted; typing Enter is for the dialog all the same.
        if (block.enter) {
          field.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            field.form.requestSubmit();
          });
        }
        return make(
          "div", { class: "py-field" },
          make("label", { for: id }, block.label), field, help(block.help, described),
          make("p", { class: "py-problem", id: `${id}-problem`, role: "alert" }),
        );
      }
      case "file": {
        const field = make("input", { id, type: "file", accept: block.accept });
        field.addEventListener("change", async () => {
          const target = this.dialog.querySelector(`[name="${block.into}"]`);
          if (field.files[0] && target) target.value = await field.files[0].text();
        });
        return make("div", { class: "py-field" }, make("label", { for: id }, block.label), field, help(block.help, described));
      }
      case "select": {
        const field = make("select", { id, name: block.name, "aria-describedby": described, autofocus: block.focus });
        for (const [value, label] of block.options) {
          field.append(make("option", { value, selected: value === block.value }, label));
        }
        // A help that follows the choice: what each value means.
        const about = block.helps ? make("small", { id: `${id}-help` }) : null;
        const tell = () => (about.textContent = block.helps[field.value] ?? "");
        if (about) {
          field.setAttribute("aria-describedby", about.id);
          field.addEventListener("change", tell);
          tell();
        }
        if (block.live) field.addEventListener("change", () => this.answer(`change:${block.name}`));
        return make("div", { class: "py-field" }, make("label", { for: id }, block.label), field, about, help(block.help, described));
      }
      case "choice": {
        const set = make("fieldset", { class: "py-choice" }, make("legend", {}, block.label), help(block.help, described));
        for (const [value, label, about] of block.options) {
          const radio = make("input", { type: "radio", name: block.name, value, checked: value === block.value });
          if (block.live) radio.addEventListener("change", () => this.answer(`change:${block.name}`));
          set.append(make("label", {}, radio, make("span", {}, label, about ? make("small", {}, about) : null)));
        }
        return set;
      }
      case "switch": {
        const box = make("input", { type: "checkbox", id, name: block.name, checked: block.value, role: "switch" });
        if (block.live) box.addEventListener("change", () => this.answer(`change:${block.name}`));
        return make("label", { class: "py-switch" }, box, make("span", {}, block.label, help(block.help)));
      }
      case "table":
        return make(
          "section", { class: "py-scroll", tabindex: "0", "aria-label": block.title },
          make(
            "table", { class: "py-table" },
            make("caption", {}, block.title),
            make("thead", {}, make("tr", {}, ...block.head.map((name) => make("th", { scope: "col" }, name)))),
            make("tbody", {}, ...block.rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))))),
          ),
          block.rows.length ? null : make("p", {}, block.empty),
        );
      case "image":
        return make("img", { class: "py-image", src: block.src, alt: block.alt });
      case "log":
        return make("pre", { class: "py-log", tabindex: "0", "aria-label": block.label }, block.text);
      default:
        return make("p", {}, "");
    }
  }

  clearProblem(name) {
    const place = this.dialog.querySelector(`#py-field-${name}-problem`);
    if (place) place.textContent = "";
    assign(this.dialog.querySelector(`#py-field-${name}`), "aria-invalid", null);
  }

  showProblem() {
    const { field, text, values = {}, texts = {} } = this.model.get("problem");
    if (!field) return;
    for (const [name, value] of Object.entries(values)) {
      const other = this.dialog.querySelector(`[name="${name}"]`);
      if (other) other.value = value;
    }
    for (const [name, value] of Object.entries(texts)) {
      const other = this.dialog.querySelector(`#py-field-${name}`);
      if (other) other.textContent = value;
    }
    const place = this.dialog.querySelector(`#py-field-${field}-problem`);
    if (!place) return;
    place.textContent = text;
    const input = this.dialog.querySelector(`#py-field-${field}`);
    if (text && input) {
      input.setAttribute("aria-invalid", "true");
      input.focus();
    }
  }
}

export default {
  render({ model, el }) {
    const view = new TableView(model, el);
    return () => view.destroy();
  },
};
