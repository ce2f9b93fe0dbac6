/** A part of a JSON value that is shown whole or not at all: a scalar, the beginning of a text, an empty container. */
export interface Piece {
  /** The container that holds it; null for the outermost. */
  readonly parent: Piece | null;
  /** Its name, or its place in a list or text. */
  readonly key: string;
  readonly kind: "object" | "list" | "text" | "whole";
  /** Of a container and a text: how many parts it has in all. */
  readonly size: number;
  readonly value: unknown;
  /** What has less is shown before what has more. Never less than its parent's. */
  readonly rank: number;
}

/** A piece whose container is not opened yet. */
interface QueuedPiece {
  readonly piece: Piece;
  /** Dotted names that lead to it, without places in lists. */
  readonly path: string;
}

export interface SortOptions {
  /** Outermost members that are shown before anything else. */
  readonly first: readonly string[];
  /** Dotted names below `data` that are shown after anything else. */
  readonly long: readonly string[];
  /** More pieces than that are never needed. */
  readonly pieces_max: number;
}

/** A text is divided so: names, addresses and most sentences are one piece. */
const CHUNK_CHARS = 240;
/** Small members that tell what something is of are shown whole, before anything beside them. */
const PREVIEW_OF = "preview_of";
const SUBJECT_BYTES_MAX = 1_000;
/** Added to the rank of what tells least: where data come from, and long tables. */
const RANK_SOURCES = 500;
const RANK_LONG = 1_000;
/** Members that say more than those beside them. */
const TELLING = new Set(["verdict", "text", "sentence", "warnings"]);

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

const isSmall = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) <= SUBJECT_BYTES_MAX;

/** The pieces of a value, the most telling first, each after its container. */
export function sortPieces(value: Readonly<Record<string, unknown>>, options: SortOptions): readonly Piece[] {
  const { first, pieces_max } = options;
  const long = new Set(options.long.map((name) => `data.${name}`));
  /** Pieces by rank, in quarters: containers are opened in this order, so that most of a long answer never is. */
  const waiting: QueuedPiece[][] = [];
  const add = (piece: Omit<Piece, "kind" | "size">, path: string) => {
    const is_subject = piece.key === PREVIEW_OF || (first.includes(piece.key) && piece.parent?.parent === null);
    const shape = is_subject && isSmall(piece.value) ? WHOLE : shapeOf(piece.value);
    const place = Math.round(piece.rank * 4);
    waiting[place] ??= [];
    waiting[place].push({ piece: { ...piece, ...shape }, path });
  };
  const addParts = (parent: Piece, path: string) => {
    if (parent.kind === "text") {
      const chunks = Array.from({ length: Math.min(parent.size, pieces_max) }, (_, at) => chunkOf(parent.value, at));
      for (const [at, chunk] of chunks.entries()) {
        add({ parent, key: String(at), value: chunk, rank: parent.rank + at }, path);
      }
      return;
    }
    for (const [place, [key, part]] of Object.entries(parent.value as object)
      .slice(0, pieces_max)
      .entries()) {
      const inner = parent.kind === "list" ? path : path === "" ? key : `${path}.${key}`;
      const is_first = parent.parent === null && first.includes(key);
      // Every entry of a list is worth less than the one before it.
      const step = parent.kind === "list" ? place : rankOf(key, part);
      const more = (long.has(inner) ? RANK_LONG : 0) + (inner === "sources" ? RANK_SOURCES : 0);
      add({ parent, key, value: part, rank: is_first ? 0 : parent.rank + 1 + step + more }, inner);
    }
  };

  const found: Piece[] = [];
  add({ parent: null, key: "", value, rank: 0 }, "");
  for (let rank = 0; rank < waiting.length; rank += 1) {
    // What an opened container adds to this rank is reached by the same loop.
    for (const { piece, path } of waiting[rank] ?? []) {
      if (found.length === pieces_max) return found;
      found.push(piece);
      if (piece.size > 0) addParts(piece, path);
    }
  }
  return found;
}

const chunkOf = (text: unknown, at: number): string => String(text).slice(at * CHUNK_CHARS, (at + 1) * CHUNK_CHARS);

/** Beside each other: what it is of, verdicts and warnings, scalars, objects and long texts, lists. In quarters. */
function rankOf(name: string, value: unknown): number {
  if (name === PREVIEW_OF) return -1;
  if (TELLING.has(name)) return -0.5;
  if (!isContainer(value)) return typeof value === "string" && value.length > CHUNK_CHARS ? 0.25 : 0;
  return Array.isArray(value) ? 0.5 : 0.25;
}

const WHOLE = { kind: "whole", size: 0 } as const;

function shapeOf(value: unknown): Pick<Piece, "kind" | "size"> {
  if (typeof value === "string" && value.length > CHUNK_CHARS) {
    return { kind: "text", size: Math.ceil(value.length / CHUNK_CHARS) };
  }
  if (!isContainer(value)) return WHOLE;
  const size = Object.keys(value).length;
  return size === 0 ? WHOLE : { kind: Array.isArray(value) ? "list" : "object", size };
}

/** The value made of these pieces; what is missing of a container is counted in it. */
export function renderPieces(pieces: readonly Piece[]): string {
  const parts = new Map<Piece, Piece[]>();
  for (const piece of pieces) {
    if (piece.parent === null) continue;
    const siblings = parts.get(piece.parent) ?? [];
    siblings.push(piece);
    parts.set(piece.parent, siblings);
  }
  const render = (piece: Piece): unknown => {
    if (piece.kind === "whole") return piece.value;
    const own = parts.get(piece) ?? [];
    const left = piece.size - own.length;
    if (piece.kind === "text") {
      const text = own.map(({ value }) => value).join("");
      return left === 0 ? text : `${text.toWellFormed()}…`;
    }
    if (piece.kind === "list") {
      const shown = own.map(render);
      return left === 0 ? shown : [...shown, `… ${left} more`];
    }
    const members = own.map((one): readonly [string, unknown] => [one.key, render(one)]);
    return Object.fromEntries(left === 0 ? members : [...members, ["…", `${left} more`]]);
  };
  const [root] = pieces;
  return JSON.stringify(root ? render(root) : {});
}
