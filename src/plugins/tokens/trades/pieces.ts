import { type FetchContext, PAGE_ROWS } from "intel-node";

export type InTurn = FetchContext["inTurn"];

/** Trades that are gone through in one piece. */
export const PIECE_ROWS = PAGE_ROWS;

/** Goes through rows a piece at a time: other calls are served between two pieces. */
export async function eachInPieces<T>(rows: readonly T[], inTurn: InTurn, visit: (row: T) => void): Promise<void> {
  for (let from = 0; from < rows.length; from += PIECE_ROWS) {
    await inTurn(() => {
      for (const row of rows.slice(from, from + PIECE_ROWS)) visit(row);
    });
  }
}

/** Lists of rows in pieces of about as many rows: each list has a cost, and a long one is a piece alone. */
export function* gatherPieces<T>(lists: Iterable<readonly T[]>): Generator<readonly (readonly T[])[]> {
  const LIST_ROWS = 5;
  let piece: (readonly T[])[] = [];
  let held = 0;
  for (const list of lists) {
    piece.push(list);
    held += LIST_ROWS + list.length;
    if (held < PIECE_ROWS) continue;
    yield piece;
    [piece, held] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}
