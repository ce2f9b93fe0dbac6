import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { SIMULATED_LISTED_WALLET } from "../../../upstream/providers/simulated-wallets.ts";
import { WALLET } from "../wallets/wallet-fixture.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });

async function createLoaded() {
  const node = createNode();
  await node.takeInDatasets();
  return node;
}

describe("GET /onchain-credit", () => {
  test("every part of an old wallet is known, and a listed one has 0", async () => {
    const node = await createLoaded();
    const { data } = await run(node, `address=${WALLET}`);
    expect(data).toMatchObject({ coverage: 1, is_provisional: false });
    expect(data.score).toBeGreaterThan(0);
    expect((await run(node, `address=${SIMULATED_LISTED_WALLET}`)).data).toMatchObject({ score: 0, band: "blocked" });
  });

  for (const source of ["goplus", "blockscout", "dexscreener"]) {
    test(`without ${source} no score is higher`, async () => {
      const node = await createLoaded();
      const whole = (await run(node, `address=${WALLET}`)).data.score;
      const other = await createLoaded();
      other.upstreams.setFault(source, "http500");
      expect((await run(other, `address=${WALLET}`)).data.score).toBeLessThanOrEqual(whole);
    });
  }

  test("without any node there is no score", async () => {
    const node = await createLoaded();
    node.upstreams.setFault("evm_rpc", "http500");
    expect((await refusalOf(run(node, `address=${WALLET}`))).status).toBe(503);
  });
});
