// The keyboard map in a dialogue, where keys can be rebound.

import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { DEFAULT_KEYS, FIXED, keyLabel, keyName, keysOf, rebind, resetKeys } from "../keys.js";
import { openDialog } from "./dialog.js";

export function openKeys() {
  const table = h("div", { class: "keymap" });
  const draw = () => fill(table, ...Object.keys(DEFAULT_KEYS).map(row));
  /** @param {string} action */
  const row = (action) => {
    const caps = keysOf(action).map((key) => h("kbd", {}, keyLabel(key)));
    const shown = action === "candidate" ? [h("kbd", {}, "1"), "–", h("kbd", {}, "9")] : caps;
    return h("div", { class: "keymap-row", "data-action": action },
      h("span", { class: "keymap-name" }, t(`key.${action}`)),
      h("span", { class: "caps" }, shown),
      FIXED.has(action) ? h("span", { class: "rebind-space" }) : h("button", { type: "button", class: "rebind", "aria-label": t("keys.rebind", { action: t(`key.${action}`) }), onclick: (/** @type {MouseEvent} */ event) => listen(action, event) }, t("keys.change")));
  };
  /** @param {string} action @param {MouseEvent} event */
  const listen = (action, event) => {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    button.textContent = t("keys.press");
    const take = (/** @type {KeyboardEvent} */ pressed) => {
      if (["Shift", "Control", "Alt", "Meta"].includes(pressed.key)) return;
      pressed.preventDefault();
      pressed.stopPropagation();
      button.removeEventListener("keydown", take);
      if (pressed.key !== "Escape" && pressed.key !== "Tab") rebind(action, keyName(pressed));
      draw();
      /** @type {HTMLElement | null} */ (table.querySelector(`[data-action="${action}"] button`))?.focus();
    };
    button.addEventListener("keydown", take);
  };
  draw();
  const reset = h("button", { type: "button", onclick: () => { resetKeys(); draw(); } }, t("keys.reset"));
  openDialog(t("keys.title"), [h("p", { class: "about" }, t("keys.board")), table, h("div", { class: "dialog-actions" }, reset)], { wide: true, testid: "keys-dialog" });
}
