import type { EachRow } from "../../src/catalog/rows.ts";
import { type Unusable, unusable } from "../../src/catalog/unusable.ts";
import { createRowTally, TooFewRows } from "../../src/upstream/sift-rows.ts";

/** Reads as the node does: rows one by one; unusable where too few of them are good. */
export function readRows<T>(read: (eachRow: EachRow) => T): T | Unusable {
  try {
    return read(createRowTally().eachRow);
  } catch (error) {
    if (error instanceof TooFewRows) return unusable(error.message);
    throw error;
  }
}
