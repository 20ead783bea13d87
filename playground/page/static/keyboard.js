/* Keys that work everywhere: Ctrl+K jumps, Escape closes the thread, F6 goes to the next pane, ? lists the keys. */

import { go, place, showPane } from "./place.js";
import { openHelp } from "./help.js";
import { openJump } from "./jump.js";

const PANES = ["people", "talk", "world"];

export function listenToKeys() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address names the place, and no element
    showPane("talk");
    document.querySelector("#composer")?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openJump();
    } else if (event.key === "Escape" && place.thread && !document.querySelector("dialog[open]")) {
      go({ thread: "" });
      document.querySelector("#composer")?.focus();
    } else if (event.key === "F6") {
      event.preventDefault();
      nextPane(event.shiftKey ? -1 : 1);
    } else if (event.key === "?" && !event.target.closest("input, textarea, select")) {
      event.preventDefault();
      openHelp();
    }
  });
}

function nextPane(by) {
  const now = PANES.findIndex((id) => document.getElementById(id).contains(document.activeElement));
  const next = PANES.at((now + by) % PANES.length);
  showPane(next);
  document.querySelector(next === "talk" ? "#composer" : `#${next} button:not([tabindex="-1"])`)?.focus();
}
