import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import {
  SIMULATED_LISTED_SOLANA_WALLET,
  SIMULATED_LISTED_WALLET,
} from "../../../upstream/providers/simulated-wallets.ts";
import { WALLET } from "../wallets/wallet-fixture.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

async function createLoaded() {
  const node = createNode();
  await node.takeInDatasets();
  return node;
}

describe("GET /job/wallet-audit", () => {
  test("a plain old wallet is CLEAR, a listed one BLOCK, on both families of chains", async () => {
    const node = await createLoaded();
    expect((await run(node, `address=${WALLET}`)).data).toMatchObject({ verdict: "CLEAR", confidence: "full" });
    for (const address of [SIMULATED_LISTED_WALLET, SIMULATED_LISTED_SOLANA_WALLET]) {
      expect((await run(node, `address=${address}`)).data).toMatchObject({ verdict: "BLOCK", risk: 100 });
    }
  });

  const SOURCES = ["goplus", "blockscout", "evm_rpc"];
  for (const first of SOURCES) {
    for (const second of SOURCES) {
      test(`without ${first} and ${second} it is never CLEAR`, async () => {
        const node = await createLoaded();
        node.upstreams.setFault(first, "http500");
        node.upstreams.setFault(second, "http500");
        const verdict = await run(node, `address=${WALLET}`).then(
          ({ data }) => String(data.verdict),
          () => "uncharged",
        );
        expect(["CAUTION", "uncharged"]).toContain(verdict);
      });
    }
  }

  test("a label stays for a day when GoPlus falls silent", async () => {
    const node = await createLoaded();
    await run(node, `address=${SIMULATED_LISTED_WALLET}`);
    node.upstreams.setFault("goplus", "http500");
    const { data } = await run(node, `address=${SIMULATED_LISTED_WALLET}`);
    expect(data.flags.map(({ id }) => id)).toContain("S3_sanctioned");
  });

  test("without OFAC's list nothing is sold", async () => {
    expect((await refusalOf(run(createNode(), `address=${WALLET}`))).status).toBe(503);
  });
});
