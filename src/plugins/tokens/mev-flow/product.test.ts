import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/mev-poll.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /mev-flow", () => {
  test("sells the relays' present reports, and more of the window once the job ran", async () => {
    const node = createNode();
    const first = await run(node);
    expect(first.data.ethereum?.blocks).toBeGreaterThan(50);
    expect(first.warnings.join()).toContain("ethereum.window:");
    for (let n = 0; n < 8; n += 1) {
      await job.run(node.createContext());
      node.clock.advance(300_000);
    }
    const later = await run(node);
    expect(later.data.ethereum?.blocks).toBeGreaterThan(first.data.ethereum?.blocks ?? 0);
    expect(later.data.ethereum?.window.gap_slots).toBe(0);
    expect(later.data.solana.tip_lamports?.p50).toBeGreaterThan(0);
  });

  test("either half can be missing, not both", async () => {
    const node = createNode();
    node.upstreams.setFault("mev_relays", "http500");
    expect((await run(node)).data).toMatchObject({
      ethereum: null,
      solana: { tip_lamports: { p50: expect.any(Number) } },
    });
    node.upstreams.setFault("jito", "http500");
    node.clock.advance(120_000);
    expect((await refusalOf(run(node))).status).toBe(503);
  });
});
