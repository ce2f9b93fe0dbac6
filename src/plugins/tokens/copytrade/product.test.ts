import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/trade-scan.ts";
import { trades } from "../trades/tables.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });
const NOBODY = "0x52908400098527886e0f7030069857d2e4169ee7";

describe("GET /copytrade", () => {
  test("takes the best wallet, or the one that is named, and a larger haircut is never worth more", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).code).toBe("upstream_unavailable");
    await job.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(warnings[0]).toContain("wallet: none was named");
    expect(data.performance.realized_pnl_usd).toBeGreaterThan(0);
    expect(data.trades_seen).toBe(await node.table(trades).count({ wallet: data.wallet, chain: data.chain }));
    const named = await run(node, `wallet=${data.wallet}&haircut_bps=1000`);
    expect(named.data.performance.realized_pnl_usd).toBe(data.performance.realized_pnl_usd);
    expect(named.data.performance.copy_pnl_usd).toBeLessThan(data.performance.copy_pnl_usd);
    const free = await run(node, `wallet=${data.wallet}&haircut_bps=0`);
    expect(free.data.performance.copy_pnl_usd).toBe(data.performance.realized_pnl_usd);
  });

  test("a wallet that did not trade is not found, one of Solana neither; neither costs anything", async () => {
    const node = createNode();
    await job.run(node.createContext());
    expect((await refusalOf(run(node, `wallet=${NOBODY}`))).code).toBe("subject_not_found");
    const solana = "wallet=42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi";
    expect((await refusalOf(run(node, solana))).code).toBe("subject_not_found");
    expect((await refusalOf(run(node, "wallet=0x52908400098527886E0F7030069857D2E4169Ee7"))).status).toBe(422);
  });
});
