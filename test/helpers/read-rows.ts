import type { EachRow } from "../../src/catalog/rows.ts";
import { createRowTally, TooFewRows } from "../../src/upstream/sift-rows.ts";

/** Reads as the node does: rows one by one; a text where too few of them are good. */
export function readRows<T>(read: (eachRow: EachRow) => T): T | string {
  try {
    return read(createRowTally().eachRow);
  } catch (error) {
    if (error instanceof TooFewRows) return error.message;
    throw error;
  }
}
