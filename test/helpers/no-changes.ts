import { createChanges } from "../../src/calls/changes.ts";

/** Of a node that keeps nothing of what it sells: there is no earlier answer to start from. */
export const NO_CHANGES = createChanges({
  receipts: { get: async () => null },
  statements: { call: async () => null },
  findKept: async () => null,
  origins: null,
  unchanged_share: 0.1,
});
