import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { SIMULATED_LISTED_WALLET } from "../../../upstream/providers/simulated-wallets.ts";
import { job } from "../jobs/trade-scan.ts";
import { scanSolanaTrades } from "../trades/scan-solana.ts";
import { tradeScans, trades } from "../trades/tables.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /smart-money", () => {
  test("ranks wallets by their gains, says what was read, and is refused when nothing was read", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const { data, warnings, sources } = await run(node);
    expect(data.wallets.length).toBeGreaterThan(3);
    const scores = data.wallets.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const one of data.wallets) {
      expect(one.realized_pnl_usd).toBeGreaterThan(0);
      expect(one.win_rate_lower95).toBeLessThan(one.win_rate);
    }
    expect(warnings.join()).toContain("thin_history");
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["evm_rpc"]));
    // Every listed wallet's trades are of the transactions it signed: nothing of others is mixed in.
    const [first] = data.wallets;
    const own = await node.table(trades).find({ where: { wallet: first?.address ?? "" } });
    expect(own.every(({ tx }) => tx.endsWith(first?.address.slice(2) ?? "?"))).toBe(true);
  });

  test("a wallet on OFAC's list is left out; without the lists no wallet is called screened", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const unscreened = await run(node);
    expect(unscreened.data.left_out.sanctioned).toBeNull();
    expect(unscreened.warnings.join()).toContain("these wallets are unscreened");
    const [best] = unscreened.data.wallets;
    for (const name of ["ofac-sdn", "ofac-cons", "eu", "un"]) await node.takeInDatasets(`trust-desk/${name}`);
    const clean = await run(node);
    expect(clean.data.left_out.sanctioned).toBe(0);
    expect(clean.warnings).toContainEqual(expect.stringMatching(/^left_out.sanctioned: not screened by uk, /));
    // The same trades by a listed wallet.
    const own = await node.table(trades).find({ where: { wallet: best?.address ?? "" }, limit: 10_000 });
    await node.table(trades).put(own.map((row) => ({ ...row, wallet: SIMULATED_LISTED_WALLET.toLowerCase() })));
    node.clock.advance(61_000);
    const { data, warnings } = await run(node);
    expect(data.left_out.sanctioned).toBe(1);
    expect(data.wallets.some(({ address }) => address === SIMULATED_LISTED_WALLET.toLowerCase())).toBe(false);
    expect(data.wallets).toEqual(clean.data.wallets.slice(1));
    expect(warnings.join()).toContain("1 of the best 50 stand in a sanctions list and are left out");
  });

  test("Solana alone: wallets by a sample of its pools, with its share and commitment", async () => {
    const node = createNode();
    for (let run_count = 0; run_count < 18; run_count += 1) {
      await scanSolanaTrades(node.createContext());
      node.clock.advance(100_000);
    }
    const { data, warnings, sources } = await run(node, "chain=solana");
    expect(data.wallets.length).toBeGreaterThan(1);
    expect(data.wallets.every(({ chain, address }) => chain === "solana" && !address.startsWith("0x"))).toBe(true);
    expect(data.sampled.chains).toEqual([]);
    expect(data.sampled.pools).toHaveLength(3);
    for (const { listed, read, commitment } of data.sampled.pools) {
      expect(commitment).toBe("finalized");
      expect(read).toBeLessThanOrEqual(listed);
    }
    expect(warnings.filter((one) => /of \w+\/USDC on solana \d+ of \d+ transactions/.test(one))).toHaveLength(3);
    expect(sources.map(({ provider }) => provider)).toContain("solana_rpc");
  });

  test("a second run continues where the first one stopped, and a chain read twice counts once", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const before = await node.table(trades).count();
    node.clock.advance(30 * 60_000);
    await job.run(node.createContext());
    const scans = await node.table(tradeScans).find({ where: { chain: "base" }, order: ["from_block"] });
    expect(scans[1]?.from_block).toBeGreaterThan(scans[0]?.to_block ?? Number.POSITIVE_INFINITY);
    const rows = await node.table(trades).find({ limit: 10_000 });
    expect(rows.length).toBeGreaterThan(before);
    expect(
      new Set(rows.map(({ chain, block, log_index, pool }) => `${chain} ${block} ${log_index} ${pool}`)).size,
    ).toBe(rows.length);
  });

  test("a node that does not know a transaction's sender stores nothing of the stretch", async () => {
    const node = createNode();
    node.upstreams.setFault("evm_rpc", "stale");
    await expect(job.run(node.createContext())).rejects.toThrow();
    expect(await node.table(trades).count()).toBe(0);
    expect(await node.table(tradeScans).count()).toBe(0);
  });
});
