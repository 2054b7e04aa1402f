// Watches over the opening of a page and over its connection. When the page cannot open, or has lost its kernel, it says
// so in a sentence with a button to reload. It knows nothing of the game. Inlined, as it must outlive scripts that fail.
(() => {
  "use strict";
  const SLOW_SECONDS = 30;
  const LOST_SECONDS = 3;
  const panel = document.getElementById("pyramide-trouble");
  const texts = JSON.parse(document.getElementById("pyramide-texts").textContent);
  const opening = document.getElementById("pyramide-opening");
  let shown = null;

  let theme = null;
  try {
    ({ theme } = JSON.parse(localStorage.getItem("pyramide.preferences") || "{}"));
  } catch {
    // Without storage the system's theme is the right one.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.pyramideTheme = theme;
  else theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  if (!opening && theme === "dark") {
    // Texts and parts of a lesson go with the page, which is light or dark as a whole; the table of the game does not ask.
    document.body.classList.replace("theme-light", "theme-dark");
    document.body.dataset.jpThemeLight = "false";
    document.body.dataset.jpThemeName = "JupyterLab Dark";
  }

  // Voila calls these while it runs cells; the picture and the texts stand by themselves.
  window.voila_heartbeat = window.voila_process = window.voila_finish = () => {};

  function say(name) {
    if (shown === name || shown === "stopped" || (shown === "failed" && name !== "stopped")) return;
    shown = name;
    const sentence = document.createElement("p");
    sentence.textContent = texts[name];
    const reload = document.createElement("button");
    reload.type = "button";
    reload.textContent = texts.reload;
    reload.addEventListener("click", () => location.reload());
    panel.replaceChildren(sentence, reload);
    panel.dataset.trouble = name;
    panel.hidden = false;
    if (name === "failed") opening?.querySelector("[role=status]")?.replaceChildren();
  }

  function unsay(name) {
    if (shown !== name) return;
    shown = null;
    panel.hidden = true;
    delete panel.dataset.trouble;
  }

  // A page being left closes its connection and may stop loading: that is no trouble.
  let leaving = false;
  addEventListener("beforeunload", () => (leaving = true));
  addEventListener("pageshow", () => (leaving = false));

  // Opening: a script or style that does not come, a cell that failed, or nothing for too long.
  const opened = () => !opening || !opening.isConnected;
  addEventListener(
    "error",
    (event) => {
      const { target } = event;
      const address = target instanceof HTMLScriptElement ? target.src : target instanceof HTMLLinkElement ? target.href : "";
      const ours = address && new URL(address, location.href).origin === location.origin;
      // What comes late to a table that stands already is not missed.
      if (ours && !leaving && !(opening && opened())) say("failed");
    },
    true,
  );
  addEventListener("DOMContentLoaded", () => {
    if (document.querySelector(".pyramide-cell-failed")) say("failed");
  });
  if (opening) {
    const slow = setTimeout(() => opened() || say("slow"), SLOW_SECONDS * 1000);
    const watch = new MutationObserver(() => {
      if (!opened()) return;
      watch.disconnect();
      clearTimeout(slow);
      unsay("slow");
    });
    watch.observe(document.body, { childList: true });
  }

  // Playing: the state of the connection and of the kernel behind it.
  let lost = null;
  function follow(kernel) {
    const connection = () => {
      clearTimeout(lost);
      if (kernel.connectionStatus === "connected") unsay("lost");
      // A short break mends itself.
      else lost = setTimeout(() => leaving || kernel.isDisposed || say("lost"), LOST_SECONDS * 1000);
    };
    const status = () => {
      if (!leaving && ["dead", "restarting", "autorestarting", "terminating"].includes(kernel.status)) say("stopped");
    };
    kernel.connectionStatusChanged.connect(connection);
    kernel.statusChanged.connect(status);
    connection();
    status();
  }
  addEventListener("load", () => {
    const wait = setInterval(() => {
      const kernel = window.jupyterapp?.widgetManager?.kernel;
      if (!kernel) return;
      clearInterval(wait);
      follow(kernel);
    }, 250);
  });
})();
