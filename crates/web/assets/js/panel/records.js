// Import and export of records, and sharing by address.

import { h } from "../dom.js";
import { Refused, post } from "../api.js";
import { known, t } from "../i18n.js";
import { Tree, movesTo } from "../tree.js";
import { writeQuery } from "../url.js";
import { closeDialog, copy, messageLine, openDialog } from "./dialog.js";

/** @typedef {import("../session.js").Session} Session */
/** @typedef {import("../types.js").Imported} Imported */
/** @typedef {import("../types.js").Fault} Fault */

/** Where and what is wrong: line, move, token, then the reason. @param {Fault} fault */
export function faultText(fault) {
  const place = [
    fault.record && fault.record > 1 ? t("fault.record", { record: fault.record }) : "",
    fault.line ? t("fault.line", { line: fault.line }) : "",
    fault.move ? t("fault.move", { move: fault.move }) : "",
  ].filter((part) => part !== "").join(", ");
  const token = fault.token && !fault.message.includes(fault.token) ? ` “${fault.token}”` : "";
  return `${place}${token}${place || token ? ": " : ""}${fault.message}`;
}

/** @param {Imported} record */
export function treeOf(record) {
  const tree = new Tree(record.start ?? "");
  record.moves.forEach((move, index) => {
    const node = tree.play(move);
    const note = (record.plies ?? record.notes)?.[index];
    if (note?.comment) node.comment = note.comment;
  });
  const lines = [[tree.root, ...tree.mainLine()]];
  for (const variation of record.variations ?? []) {
    const parent = lines[variation.parent] ?? lines[0] ?? [];
    let node = parent.find((candidate) => candidate.ply === variation.after) ?? tree.root;
    const line = [node];
    for (const move of variation.moves) {
      node = Tree.child(node, move);
      line.push(node);
    }
    lines.push(line);
  }
  return tree;
}

/** @param {Imported} record */
function recordTitle(record) {
  const names = [record.tags?.first, record.tags?.second].filter(Boolean).join(" – ");
  return [`${record.index}.`, names, t("import.moves", { count: record.moves.length }), record.result ?? ""].filter(Boolean).join(" ");
}

/**
 * Reads a text and shows its game, or a list when it has several.
 * @param {Session} session
 * @param {{ text: string } | { bytes: string }} source
 * @returns {Promise<{ format: string, faults: Fault[], records: Imported[] }>}
 */
export async function importText(session, source) {
  const answer = await post(`/${session.game}/import`, source);
  /** @type {Imported[]} */
  const records = answer.records ?? [];
  /** @type {Fault[]} */
  const faults = answer.faults ?? records.flatMap((record) => (record.fault ? [{ ...record.fault, record: record.index }] : []));
  return { format: answer.format, faults, records };
}

/**
 * @param {Session} session
 * @param {string} [text]
 */
export function openImport(session, text = "") {
  const box = h("textarea", { id: "import-text", "data-testid": "import-text", rows: 9, spellcheck: "false", autocomplete: "off", wrap: "off" });
  box.value = text;
  const message = messageLine();
  const list = h("div", { class: "record-list" });
  const file = h("input", {
    type: "file", id: "import-file", class: "file",
    onchange: async () => {
      const chosen = file.files?.[0];
      if (chosen) await readFile(session, chosen, run);
    },
  });
  /** @param {{ text: string } | { bytes: string }} source */
  async function run(source) {
    list.replaceChildren();
    try {
      const { format, faults, records } = await importText(session, source);
      const readable = records.filter((record) => record.moves.length > 0 || !record.fault);
      const first = faults[0];
      const load = (/** @type {Imported} */ record) => {
        closeDialog();
        void session.replaceTree(treeOf(record));
      };
      if (readable.length === 1 && readable[0] && !first) {
        load(readable[0]);
        return;
      }
      if (first) message.show(faultText(first), true);
      else message.show(t("import.found", { count: records.length, format: formatName(format) }));
      list.append(...readable.slice(0, 200).map((record) =>
        h("button", { type: "button", class: "record", "data-record": record.index, onclick: () => load(record) },
          first && record.fault ? t("import.legal", { title: recordTitle(record) }) : recordTitle(record))));
    } catch (error) {
      message.show(error instanceof Error ? error.message : String(error), true);
    }
  }
  openDialog(t("import.title"), [
    h("label", { for: "import-text" }, t("import.about", { formats: session.info.formats.map((format) => formatName(format.name)).join(", ") })),
    box,
    message.element,
    list,
    h("div", { class: "dialog-actions" },
      h("label", { class: "button", for: "import-file" }, t("import.file")), file,
      h("button", { type: "button", class: "primary", "data-testid": "import-go", onclick: () => void run({ text: box.value }) }, t("import.go"))),
  ], { wide: true, testid: "import-dialog" });
  box.focus();
  if (text) void run({ text });
}

/**
 * @param {Session} session
 * @param {File} file
 * @param {(source: { text: string } | { bytes: string }) => Promise<void>} run
 */
async function readFile(session, file, run) {
  const binary = session.info.formats.some((format) => format.text === false && file.name.toLowerCase().endsWith(`.${format.extension}`));
  const data = new Uint8Array(await file.arrayBuffer());
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    // Not UTF-8: Shift-JIS records and binary formats are for the server to tell apart.
  }
  if (text !== "" && !binary) await run({ text });
  else await run({ bytes: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join("")) });
}

/** Files and texts dropped anywhere on the page are imported. @param {Session} session @param {HTMLElement} zone */
export function acceptDrops(session, zone) {
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("dropping");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("dropping"));
  zone.addEventListener("drop", async (event) => {
    event.preventDefault();
    zone.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (!file) {
      const text = event.dataTransfer?.getData("text/plain") ?? "";
      if (text.trim() !== "") openImport(session, text);
      return;
    }
    await readFile(session, file, async (source) => {
      if ("text" in source) openImport(session, source.text);
      else {
        try {
          const { records } = await importText(session, source);
          if (records[0]) await session.replaceTree(treeOf(records[0]));
        } catch (error) {
          session.fail(error instanceof Error ? error.message : String(error));
        }
      }
    });
  });
}

/** @param {string} name */
export const formatName = (name) => known(`format.${name}`) ?? name;

/** The tree as a record of the interface. @param {Session} session */
export function recordOf(session) {
  const [main, ...variations] = session.tree.lines();
  const nodes = main?.nodes ?? [];
  return {
    ...(session.tree.start ? { start: session.tree.start } : {}),
    moves: nodes.map((node) => node.move),
    notes: nodes.some((node) => node.comment) ? nodes.map((node) => ({ comment: node.comment ?? "" })) : [],
    variations: variations.map((line) => ({ parent: line.from, after: line.ply, moves: line.nodes.map((node) => node.move) })),
  };
}

/** @param {Session} session */
export function openExport(session) {
  const out = h("textarea", { id: "export-text", "data-testid": "export-text", rows: 10, readonly: true, spellcheck: "false", "aria-label": t("export.text"), wrap: "off" });
  const message = messageLine();
  /** @type {{ extension: string, data: BlobPart } | null} */
  let file = null;
  const format = h(
    "select",
    { id: "export-format", "data-testid": "export-format", onchange: () => void write() },
    session.info.formats.map((known) => h("option", { value: known.name }, formatName(known.name))),
  );
  async function write() {
    out.value = "";
    message.show("");
    try {
      const answer = await post(`/${session.game}/export`, { record: recordOf(session), format: format.value });
      const bytes = typeof answer.bytes === "string" ? Uint8Array.from(atob(answer.bytes), (char) => char.charCodeAt(0)) : null;
      out.value = bytes ? t("export.binary", { count: bytes.length }) : answer.text;
      file = { extension: answer.extension ?? format.value, data: bytes ?? answer.text };
      if (answer.lost?.length > 0) message.show(t("export.lost", { lost: answer.lost.join(", ") }));
    } catch (error) {
      file = null;
      message.show(error instanceof Refused ? error.message : String(error), true);
    }
    out.dataset.format = format.value;
  }
  const save = () => {
    if (!file) return;
    const address = URL.createObjectURL(new Blob([file.data]));
    h("a", { href: address, download: `${session.game}.${file.extension}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  openDialog(t("export.title"), [
    h("div", { class: "field" }, h("label", { class: "field-name", for: "export-format" }, t("export.format")), format),
    out,
    message.element,
    h("div", { class: "dialog-actions" },
      h("button", { type: "button", onclick: async () => message.show(t((await copy(out.value)) ? "copied" : "copy.refused")) }, t("copy")),
      h("button", { type: "button", class: "primary", onclick: save }, t("export.save"))),
  ], { wide: true, testid: "export-dialog" });
  void write();
}

/** @param {Session} session */
export function openShare(session) {
  const link = h("input", { type: "text", id: "share-link", "data-testid": "share-link", readonly: true, value: location.origin + location.pathname + writeQuery(session.tree) });
  const position = h("input", { type: "text", id: "share-position", "data-testid": "share-position", readonly: true, value: session.position?.position ?? "" });
  const moves = h("input", { type: "text", id: "share-moves", readonly: true, value: movesTo(session.shown).join(" ") });
  const message = messageLine();
  const row = (/** @type {HTMLInputElement} */ box, /** @type {string} */ name) =>
    h("div", { class: "field" }, h("label", { class: "field-name", for: box.id }, name),
      h("div", { class: "with-button" }, box, h("button", { type: "button", onclick: async () => message.show(t((await copy(box.value)) ? "copied" : "copy.refused")) }, t("copy"))));
  openDialog(t("share.title"), [row(link, t("share.link")), row(position, t("share.position")), row(moves, t("share.moves")), message.element], { testid: "share-dialog" });
  link.select();
}
