import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { layerPool, POOL_LAYERS, type PoolWraps } from "../../src/payments/facilitators/layers.ts";
import type { FacilitatorPool } from "../../src/payments/facilitators/pool.ts";
import type { PaymentToSettle } from "../../src/payments/facilitators/types.ts";

const ROOT = join(import.meta.dir, "..", "..");
const IDS = POOL_LAYERS.map(({ id }) => id);

test("a settlement passes the layers from the outside in, and each sees what the one inside of it says", async () => {
  const passed: string[] = [];
  const settled = { outcome: { kind: "unseen", cause: "" }, facilitator: "one" } as const;
  const pool = {
    settle: async () => {
      passed.push("facilitators");
      return settled;
    },
  } as unknown as FacilitatorPool;
  const wrap = (id: string) => (inner: FacilitatorPool) => ({
    ...inner,
    settle: async (first: string, payment: PaymentToSettle) => {
      passed.push(id);
      const result = await inner.settle(first, payment);
      return { ...result, facilitator: `${result.facilitator} ${id}` };
    },
  });
  const wraps: PoolWraps = {
    traces: wrap("traces"),
    confirmation: wrap("confirmation"),
    seller: wrap("seller"),
  };
  const { facilitator } = await layerPool(pool, wraps).settle("one", {} as PaymentToSettle);
  expect(passed).toEqual(IDS.toReversed());
  expect(facilitator).toBe(["one", ...IDS.slice(1)].join(" "));
});

test("our own fault is told apart before a settlement is believed, and traces see what the gate sees", () => {
  expect(IDS).toEqual(["facilitators", "seller", "confirmation", "traces"]);
});

test("the table of docs/architecture.md has the same layers in the same order, and their files are there", () => {
  const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const [, table = ""] = /facilitators\/layers\.ts: do not edit -->\n([^<]*)<!--/.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| (.+) \| `(.+)` \| (.+) \|$/gm)];
  expect(rows.map(([, id = "", file = "", does = ""]) => ({ id, file, does }))).toEqual([...POOL_LAYERS]);
  expect(POOL_LAYERS.filter(({ file }) => !existsSync(join(ROOT, "src", file)))).toEqual([]);
});
