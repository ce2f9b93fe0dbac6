import { expect, test } from "bun:test";
import { createNodeStates } from "../../admin/node-state.ts";
import { createDoubtWatch, findContradicted } from "./doubt-conditions.ts";

const REPORT = { facilitator: "main", network: "eip155:8453", doubted: 2, missing: 0, disbelieved: 0 };

const stateOf = (notes: () => readonly string[]) => {
  const core = {
    ledger: { trouble: null },
    catalog: { products: [{ path: "/price", definition: { requires: [] } }] },
    upstream: { shutSince: () => null },
    failing_since: new Map(),
    clock: { now: () => 0 },
    stand_ins: null,
  };
  const pool = { offers: [{}], unavailable: () => [], listedInstead: () => "", status: () => [{ ok: true }] };
  const parts = { core, money: { pool, wallets: [{}] }, waiting: () => [], notes };
  return createNodeStates(parts as unknown as Parameters<typeof createNodeStates>[0]).read();
};

test("a node that knows that a facilitator's word is in doubt is degraded and says so", async () => {
  let reports = [REPORT];
  const watch = createDoubtWatch({ contradicted: async () => reports });
  expect(stateOf(watch.reasons)).toMatchObject({ status: "ok", reasons: [] });
  await watch.refresh();
  expect(stateOf(watch.reasons)).toMatchObject({
    status: "degraded",
    reasons: ["facilitator main: the chain (Base) does not know 2 payments it called settled"],
    ready: true,
  });
  reports = [{ ...REPORT, doubted: 0, missing: 1 }];
  await watch.refresh();
  expect(stateOf(watch.reasons).reasons).toEqual([
    "facilitator main: 1 payment it called settled never landed on Base",
  ]);
  reports = [];
  await watch.refresh();
  expect(stateOf(watch.reasons).status).toBe("ok");
});

test("one more of a kind is another subject, one less is not", () => {
  const subjectsOf = (doubted: number) => findContradicted([{ ...REPORT, doubted }])[0]?.subjects ?? [];
  expect(subjectsOf(3).filter((one) => !subjectsOf(2).includes(one))).toEqual(["doubted 3"]);
  expect(subjectsOf(1).filter((one) => !subjectsOf(2).includes(one))).toEqual([]);
});
