// Requests to the server. It keeps no state: every request carries the position and its moves.

import { t } from "./i18n.js";

/** @typedef {import("./types.js").Position} Position */

/** An answer of the server that says what is wrong. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {string} [where]
   */
  constructor(message, status, where) {
    super(message);
    this.status = status;
    this.where = where;
  }
}

const ROOT = "/api/v1";

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
async function request(path, options) {
  const response = await fetch(ROOT + path, options).catch((error) => {
    // The browsers' own words for a server that does not answer help nobody.
    throw error instanceof DOMException && error.name === "AbortError" ? error : new Error(t("server.gone"));
  });
  if (response.ok) return response.json();
  /** @type {{ error?: { message?: string, where?: string } }} */
  let body = {};
  try {
    body = await response.json();
  } catch {
    // A proxy may answer without JSON; the status alone then tells.
  }
  throw new Refused(body.error?.message ?? `HTTP ${response.status}`, response.status, body.error?.where);
}

/** @param {string} path */
export const get = (path) => request(path);

/**
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 */
export function post(path, body, signal) {
  const headers = { "content-type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body), signal: signal ?? null });
}

/**
 * What the server put into the page, so that nothing need be asked before the first board.
 * @type {{ games?: import("./types.js").Games, position?: { game: string, asked: { position?: string | null, moves: string[] }, answer: Position } }}
 */
const given = JSON.parse(document.querySelector("#start")?.textContent ?? "{}");

/** @returns {Promise<import("./types.js").Games>} */
export async function games() {
  return given.games ?? get("/games");
}

/**
 * @param {string} game
 * @param {string} start
 * @param {string[]} moves
 * @param {AbortSignal} [signal]
 * @returns {Promise<Position>}
 */
export function position(game, start, moves, signal) {
  const body = { ...(start ? { position: start } : {}), moves };
  const key = JSON.stringify([game, body]);
  const early = known.get(key);
  known.delete(key);
  return early ?? post(`/${game}/position`, body, signal);
}

/** Answers before they are asked for. @type {Map<string, Promise<Position>>} */
const known = new Map();
if (given.position) {
  const { game, asked, answer } = given.position;
  const body = { ...(asked.position ? { position: asked.position } : {}), moves: asked.moves };
  known.set(JSON.stringify([game, body]), Promise.resolve(answer));
}

/**
 * Opens a stream of events. `failed` and a broken connection end it; an `EventSource` left alone would ask again.
 * @param {string} path
 * @param {Record<string, string | number | null | undefined>} parameters
 * @param {Record<string, (data: any) => void>} handlers by event; `closed` is called once, with a message after a failure
 * @returns {() => void} closes the stream, which stops the search
 */
export function stream(path, parameters, handlers) {
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
  const source = new EventSource(`${ROOT}${path}${query ? `?${query}` : ""}`);
  let open = true;
  /** @param {string} [message] */
  const close = (message) => {
    if (!open) return;
    open = false;
    source.close();
    handlers.closed?.(message);
  };
  for (const [name, handler] of Object.entries(handlers)) {
    if (name === "closed") continue;
    source.addEventListener(name, (event) => {
      if (open) handler(JSON.parse(/** @type {MessageEvent} */ (event).data));
      if (name === "done") close();
    });
  }
  source.addEventListener("failed", (event) => {
    const data = JSON.parse(/** @type {MessageEvent} */ (event).data);
    close(typeof data.error === "string" ? data.error : data.error?.message ?? "failed");
  });
  source.addEventListener("error", () => close(t("server.lost")));
  return () => {
    open = false;
    source.close();
  };
}
