// The shapes of the HTTP interface (docs/http.md), for the type checker. There is no code here.

/** @typedef {"first" | "second"} Side */

/**
 * @typedef {object} Proven
 * @property {"win" | "draw" | "loss"} result
 * @property {number} [plies]
 * @property {number} [score]
 */

/**
 * A value in the unit of its game, seen by the side to move.
 * @typedef {object} Value
 * @property {number | null} value
 * @property {string} unit
 * @property {boolean} [exact]
 * @property {Proven} [proven]
 * @property {"lower" | "upper"} [bound]
 */

/**
 * @typedef {"empty" | "hole"
 *   | { disc: Side }
 *   | { piece: { side: Side, sign: string, letters: string } }
 *   | { tile: [Side, Side, Side, Side] }} Cell
 */

/**
 * @typedef {object} MoveOnBoard
 * @property {string} move
 * @property {number} [from]
 * @property {number} [to]
 * @property {string} [drop]
 * @property {"up" | "down" | "left" | "right"} [direction]
 * @property {[number, Cell][]} [fills]
 * @property {string} [native]
 */

/**
 * @typedef {object} View
 * @property {string[]} columns
 * @property {string[]} rows
 * @property {string[]} names
 * @property {Cell[]} cells
 * @property {{ sign: string, letters: string, count: number }[][]} hands
 * @property {"felt" | "wood" | "table"} ground
 * @property {number[]} last
 * @property {number[]} playable
 * @property {{ noun: string, sides: number[], lost?: number[] }} [counts]
 * @property {{ side: Side, cells: number[] }} [winning]
 * @property {{ move: string, cells: number[] }} [forbidden]
 * @property {{ side: Side, cells: number[] }[]} [highlights]
 * @property {MoveOnBoard[]} moves
 * @property {number} [check]
 * @property {{ times: number, since: number }} [repetition]
 * @property {[number, number]} origin
 */

/**
 * @typedef {object} Position
 * @property {string} game
 * @property {string} position
 * @property {Side} mover
 * @property {string[]} moves
 * @property {Side | "draw" | null} outcome
 * @property {string | null} reason
 * @property {string | null} result
 * @property {number[]} [score]
 * @property {number[]} [counts]
 * @property {boolean} [declare]
 * @property {{ name?: string, [key: string]: unknown }[]} [openings]
 * @property {string} start
 * @property {{ move: string, mover: Side, native?: string }[]} history
 * @property {View} view
 */

/** @typedef {Value & { move: string, pv: string[], native?: string[], prior?: number }} Line */

/**
 * @typedef {object} Update
 * @property {string} position
 * @property {Side} mover
 * @property {number} depth
 * @property {number} nodes
 * @property {number} seconds
 * @property {string} [source]
 * @property {Line[]} lines
 */

/** @typedef {Value & { depth: number }} NodeValue */

/**
 * @typedef {Value & { ply: number, mover: Side, move: string, best: string | null, best_value: number | null,
 *   best_native?: string, best_proven?: Proven, loss: number, mark?: string, depth: number, pv: string[] }} MoveAnalysis
 */

/** @typedef {{ moves: number, total: number, worst: number, worst_ply: number }} SideLosses */

/**
 * @typedef {object} GameInfo
 * @property {string} game
 * @property {string} title
 * @property {string} about
 * @property {[string, string]} players
 * @property {string} unit
 * @property {{ name: string, about?: string, extension?: string, text?: boolean }[]} formats
 * @property {{ name: string, about?: string }[]} engines
 * @property {string} default_engine
 * @property {{ level: number, name: string, about: string, rating?: number | null }[]} levels
 * @property {{ editor?: boolean, tablebase?: boolean, endgame?: boolean, mates?: boolean, networks?: boolean,
 *   puzzles?: boolean, highlights?: "stable" | "attack" | null, native?: { language: string, players: string[], rows: string[] } | null }} capabilities
 * @property {string | null} [variant_of]
 */

/** @typedef {{ version: string, games: GameInfo[], tournament: boolean }} Games */

/**
 * @typedef {object} Imported
 * @property {number} index
 * @property {string | null} start
 * @property {string[]} moves
 * @property {{ comment?: string, value?: number }[]} [plies]
 * @property {{ comment?: string, value?: number }[]} [notes] an older name of `plies`
 * @property {{ parent: number, after: number, moves: string[] }[]} [variations]
 * @property {Record<string, string>} [tags]
 * @property {string} [comment]
 * @property {string} [outcome]
 * @property {string} [result]
 * @property {Fault} [fault]
 */

/** @typedef {{ record?: number, line?: number, move?: number, token?: string, message: string }} Fault */

/**
 * @typedef {object} TableState
 * @property {boolean} present
 * @property {boolean} [complete]
 * @property {number} [boards]
 * @property {{ running: boolean, percent: number, text: string, pieces?: string, plies?: number, error?: string } | null} [build]
 * @property {{ pieces: number | null, about: string }[]} [offers]
 */

/** @typedef {{ move: string, value: "win" | "draw" | "loss", plies: number | null, forbidden?: boolean }} TableMove */
/** @typedef {{ position: string, value: "win" | "draw" | "loss", plies: number | null, moves: TableMove[] }} TableAnswer */

/**
 * @typedef {{ event: number, number: number, game: string, round: number, first: string, second: string,
 *   outcome: "first" | "second" | "draw", reason: string, score?: [number, number], plies: number }} TournamentGame
 */

/**
 * @typedef {object} Tournament
 * @property {string} name
 * @property {number} played
 * @property {number} scheduled
 * @property {{ game: string, players: { name: string, games: number, points: number, elo: number, elo_error?: number | null }[] }[]} events
 * @property {TournamentGame[]} games
 */

/**
 * A puzzle without its solution.
 * @typedef {object} PuzzleTask
 * @property {string} id
 * @property {string} position
 * @property {Side} mover
 * @property {"best-move" | "win" | "mate"} goal
 * @property {string} task
 * @property {number} plies
 * @property {number} to_find
 * @property {number} difficulty
 */

/** @typedef {{ verdict: "solved" | "right" | "wrong", reply: string | null, to_find: number, text: string, solution?: string[] }} PuzzleFeedback */

export {};
