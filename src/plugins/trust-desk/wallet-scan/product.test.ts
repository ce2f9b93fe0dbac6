import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { SIMULATED_LISTED_WALLET } from "../../../upstream/providers/simulated-wallets.ts";
import { WALLET } from "../wallets/wallet-fixture.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });
const SOLANA = "vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg";

async function createLoaded() {
  const node = createNode();
  await node.takeInDatasets();
  return node;
}
const statusOf = (screens: readonly { id: string; status: string }[]) =>
  Object.fromEntries(screens.map(({ id, status }) => [id, status]));

describe("GET /wallet-scan", () => {
  test("reads five chains, prices, past and screens", async () => {
    const { data, warnings } = await run(await createLoaded(), `address=${WALLET}`);
    expect(data.chains).toEqual(["ethereum", "base", "arbitrum", "optimism", "polygon"]);
    expect(data.total_usd).toBeGreaterThan(0);
    expect(data.age_days).toBeGreaterThan(0);
    expect([data.holdings.length, data.top_counterparties?.length]).toEqual([3, 3]);
    const all = (await run(await createLoaded(), `address=${WALLET}&rows=20`)).data;
    expect(all).toMatchObject({ total_usd: data.total_usd, unpriced_count: data.unpriced_count });
    expect(all.holdings.length).toBeGreaterThan(data.holdings.length);
    expect(statusOf(data.screens)).toEqual({ S1: "clear", S2: "clear", S3: "clear", S5: "clear", S6: "clear" });
    expect(warnings.filter((text) => text.startsWith("screens"))).toEqual([]);
  });

  test("reads Solana, where some screens do not apply", async () => {
    const { data } = await run(await createLoaded(), `address=${SOLANA}`);
    expect(data).toMatchObject({ kind: "solana", chains: ["solana"], top_counterparties: null });
    expect(statusOf(data.screens)).toMatchObject({ S1: "clear", S2: "not_applicable", S5: "unknown" });
  });

  test("a listed wallet is flagged by lists, oracle and label", async () => {
    const { data } = await run(await createLoaded(), `address=${SIMULATED_LISTED_WALLET}`);
    expect(statusOf(data.screens)).toMatchObject({ S1: "hit", S2: "hit", S3: "hit" });
    expect(data.risk_flags.length).toBeGreaterThanOrEqual(3);
  });

  test("a silent explorer leaves the past null, silent nodes leave nothing to sell", async () => {
    const node = await createLoaded();
    node.upstreams.setFault("blockscout", "http500");
    const { data, warnings } = await run(node, `address=${WALLET}`);
    expect(data).toMatchObject({ first_seen: null, age_days: null, top_counterparties: null });
    expect(warnings.join()).toMatch(/first_seen, age_days, .*: no explorer told it/);
    const other = await createLoaded();
    other.upstreams.setFault("evm_rpc", "http500");
    expect((await refusalOf(run(other, `address=${WALLET}`))).status).toBe(503);
  });

  test("a wrong checksum, and an address without an owner, are refused", async () => {
    const node = await createLoaded();
    expect((await refusalOf(run(node, "address=0x52908400098527886E0f7030069857D2E4169ee7"))).status).toBe(422);
    expect((await refusalOf(run(node))).status).toBe(422);
  });
});
