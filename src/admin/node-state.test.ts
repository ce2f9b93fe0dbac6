import { expect, test } from "bun:test";
import { createNodeStates } from "./node-state.ts";

const stateOf = (wallets: readonly object[]) => {
  const core = {
    ledger: { trouble: null },
    catalog: { products: [{ path: "/price", definition: { requires: [] } }] },
    upstream: { shutSince: () => null },
    failing_since: new Map(),
    clock: { now: () => 0 },
    stand_ins: null,
  };
  const pool = { offers: [], unavailable: () => [], listedInstead: () => "", status: () => [] };
  const parts = { core, money: { pool, wallets }, waiting: () => [] };
  return createNodeStates(parts as unknown as Parameters<typeof createNodeStates>[0]).read();
};

test("what money lacks is shown to the operator with what to set, and to everybody else without", () => {
  expect(stateOf([])).toMatchObject({
    reasons: ["nothing can be paid: this node has no address to be paid at"],
    reasons_for_operator: ["nothing can be paid: no [wallets.*] pay_to is set"],
  });
  expect(stateOf([{}])).toMatchObject({
    reasons: ["nothing can be paid: this node has nobody who settles payments"],
    reasons_for_operator: ["nothing can be paid: no [[facilitators]] entry is set"],
  });
});
