// A modal dialogue. The browser keeps the focus inside and gives it back at the end.

import { fill, h, icon } from "../dom.js";
import { t } from "../i18n.js";

/** @type {HTMLDialogElement | null} */
let current = null;

/**
 * @param {string} title
 * @param {import("../dom.js").Child[]} content
 * @param {{ wide?: boolean, testid?: string }} [options]
 */
export function openDialog(title, content, options = {}) {
  closeDialog();
  const dialog = h(
    "dialog",
    { class: `dialog${options.wide ? " wide" : ""}`, "aria-labelledby": "dialog-title", "data-testid": options.testid },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", { id: "dialog-title" }, title),
      h("button", { type: "button", class: "tool", "aria-label": t("close"), "data-testid": "close", onclick: () => closeDialog() }, icon("close")),
    ),
    h("div", { class: "dialog-body" }, content),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (current === dialog) current = null;
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) closeDialog();
  });
  document.body.append(dialog);
  current = dialog;
  dialog.showModal();
  return dialog;
}

export function closeDialog() {
  current?.close();
}

export const dialogIsOpen = () => current !== null;

/** A line for messages that is read out when it changes. */
export function messageLine() {
  const element = h("p", { class: "message", role: "status" });
  return {
    element,
    /** @param {string} text @param {boolean} [bad] */
    show(text, bad = false) {
      element.textContent = text;
      element.classList.toggle("bad", bad);
    },
    /** @param {...import("../dom.js").Child} children */
    fill(...children) {
      fill(element, ...children);
      element.classList.add("bad");
    },
  };
}

/** Copies a text; false when the browser refuses. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
