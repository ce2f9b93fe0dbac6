import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { settled } from "../../../../test/helpers/settled.ts";
import { job } from "../jobs/yields-sample.ts";
import { drawDefiYield } from "./charts.ts";
import { computeDefiYield as draft } from "./compute.ts";
import { product } from "./product.ts";
import type { DefiYieldData } from "./schema.ts";

const computeDefiYield = (...given: Parameters<typeof draft>) => settled<DefiYieldData>(draft(...given));

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /defi-yield", () => {
  test("rates are there at once, shares after a day of samples", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const first = await run(node, "limit=50");
    expect(first.data.pools.every(({ method }) => method === "rate")).toBe(true);
    expect(first.data.pools.length).toBeGreaterThanOrEqual(9);
    expect(new Set(first.data.pools.map(({ chain }) => chain))).toEqual(
      new Set(["ethereum", "base", "arbitrum", "optimism"]),
    );
    const usdc = first.data.pools.find(({ pool_id }) => pool_id === "aave-v3-usdc-base");
    expect(usdc?.utilization_pct).toBeGreaterThan(50);
    expect(usdc?.cap_used_pct).toBeCloseTo(33.33, 1);
    expect(first.warnings.join()).toContain("shares are left out");
    node.clock.advance(86_400_000);
    await job.run(node.createContext());
    const { inputs } = await run(node);
    const [chart, none] = drawDefiYield(inputs);
    expect(chart?.kind === "time" && chart.lines.map(({ points }) => points.length)).toEqual([2, 2, 2, 2]);
    expect(none).toBeUndefined();
    const { data } = await run(node, "protocol=lido");
    expect(data.pools[0]).toMatchObject({ project: "lido", method: "share_price_1d", share_drawdown_pct: 0 });
    expect(data.pools[0]?.base_apy_pct).toBeGreaterThan(0.5);
    expect(data.pools[0]?.base_apy_pct).toBeLessThan(10);
  });

  test("stake pools of Solana need seven days, in which an epoch ended", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.clock.advance(86_400_000);
    await job.run(node.createContext());
    expect((await refusalOf(run(node, "protocol=jito"))).status).toBe(503);
    node.clock.advance(6 * 86_400_000);
    await job.run(node.createContext());
    const { data } = await run(node, "protocol=jito");
    expect(data.pools[0]).toMatchObject({ chain: "solana", method: "share_price_7d", base_apy_1d_pct: null });
    expect(data.pools[0]?.base_apy_pct).toBeGreaterThan(2);
    expect(data.pools[0]?.base_apy_pct).toBeLessThan(15);
  });

  test("base and rewards apart, value locked, and the prices they were made with", async () => {
    const node = createNode();
    for (const days of [0, 4, 3]) {
      node.clock.advance(days * 86_400_000);
      await job.run(node.createContext());
    }
    const { data, warnings, inputs, sources } = await run(node, "limit=50");
    expect(data.pools.length).toBe(data.pools_considered);
    // Each address once: four chains and Solana. Its price in dollars comes from Ethereum.
    expect(sources.map(({ provider }) => provider).toSorted()).toEqual([...Array(4).fill("evm_rpc"), "solana_rpc"]);
    expect(new Set(sources.map(({ url }) => url)).size).toBe(sources.length);
    expect(new Set(data.pools.map(({ project }) => project)).size).toBe(17);
    const find = (id: string) => data.pools.find(({ pool_id }) => pool_id === id);
    const price = (symbol: string) => data.prices.find((one) => one.symbol === symbol)?.price_usd ?? 0;

    // Compound on Arbitrum: 100 COMP a day on 180 million USDC.
    const comet = find("compound-v3-usdc-arbitrum");
    const apr_pct = ((100 * 365 * price("COMP")) / (180_000_000 * price("USDC"))) * 100;
    expect(comet?.rewards).toMatchObject([{ symbol: "COMP", ends_at: null }]);
    expect(comet?.reward_apr_pct).toBeCloseTo(apr_pct, 4);
    expect(comet?.total_pct).toBeCloseTo((comet?.base_apy_pct ?? 0) + apr_pct, 3);
    expect(comet?.locked).toBe("180000000");
    expect(comet?.locked_usd).toBeCloseTo(180_000_000 * price("USDC"), -1);
    // Its market on Ethereum pays none: known, and no row without a contract's word is.
    expect(find("compound-v3-usdc-ethereum")).toMatchObject({ reward_apr_pct: 0, rewards: [] });
    // Aave's ether on Optimism: 0.012 OP a second until a time.
    const ether = find("aave-v3-weth-optimism");
    expect(ether?.rewards?.map(({ symbol }) => symbol)).toEqual(["OP"]);
    expect(ether?.reward_apr_pct).toBeCloseTo(((0.012 * 31_536_000 * price("OP")) / (400_000 * price("ETH"))) * 100, 4);

    // Moonwell's dollars: half a WELL a second on 90 million until a time.
    const moonwell = find("moonwell-usdc-base");
    expect(moonwell?.rewards).toMatchObject([{ symbol: "WELL", ends_at: expect.any(String) }]);
    const well_pct = ((0.5 * 31_536_000 * price("WELL")) / (90_000_000 * price("USDC"))) * 100;
    expect(moonwell?.reward_apr_pct).toBeCloseTo(well_pct, 4);
    expect(moonwell).toMatchObject({ utilization_pct: 75, cap_used_pct: 50, locked: "90000000" });

    for (const project of ["morpho", "fluid", "ethena", "ether-fi", "blazestake"]) {
      const row = data.pools.find((one) => one.project === project);
      expect(row).toMatchObject({ reward_apr_pct: null, rewards: null, total_pct: null });
      expect(warnings.join("\n")).toContain(`${project} (`);
    }
    expect(find("frax-ether-sfrxeth-ethereum")?.locked).toMatch(/^[0-9]+\.[0-9]+$/);
    expect(find("frax-ether-sfrxeth-ethereum")?.locked_usd).toBeNull();
    for (const symbol of ["eETH", "frxETH"]) {
      expect(warnings).toContainEqual(expect.stringMatching(new RegExp(`locked_usd: no price of ${symbol}$`)));
    }
    expect(data.summary.unpriced).toBe(2);
    expect(data.prices.every(({ source }) => /^chainlink [a-z]+ 0x[0-9a-fA-F]{40}$/.test(source))).toBe(true);
    expect(find("marinade-msol-solana")).toMatchObject({
      is_paused: false,
      method: "share_price_7d",
      underlying: "SOL",
    });
    expect(drawDefiYield(inputs).map(({ title }) => title)).toEqual(["What lending pays"]);
  });

  test("without prices nothing is worth anything in dollars: null, and named", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const { inputs } = await run(node, "limit=50");
    const { data, warnings } = computeDefiYield({ ...inputs, prices: new Map() }, { limit: 50 });
    expect(data.prices).toEqual([]);
    expect(data.pools.every(({ locked_usd }) => locked_usd === null)).toBe(true);
    const paid = data.pools.filter(({ rewards }) => (rewards ?? []).length > 0);
    expect(paid.map(({ reward_apr_pct, total_pct }) => [reward_apr_pct, total_pct])).toEqual(
      Array(4).fill([null, null]),
    );
    for (const symbol of ["USDC", "WETH"]) {
      expect(warnings).toContainEqual(expect.stringMatching(new RegExp(`rewards.*: no price of ${symbol}$`)));
    }
    expect(warnings).toContain("summary.locked_usd: no row has a price");
    // Samples of an earlier version have neither rewards nor locked amounts.
    const old = inputs.histories.map(({ reader, samples }) => ({
      reader,
      samples: samples.map(({ rewards: _, locked: __, ...sample }) => sample),
    }));
    const { data: earlier, warnings: said } = computeDefiYield({ ...inputs, histories: old }, { limit: 50 });
    expect(earlier.pools.every(({ rewards, locked }) => rewards === null && locked === null)).toBe(true);
    expect(said.join("\n")).toContain("the contract of its rewards did not say");
    expect(said.join("\n")).toMatch(/pools.*locked.*: the contract did not say/);
  });

  test("an asset, in any form it is held in, on every chain or on one", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const { data } = await run(node, "asset=usdc&chain=base&limit=50");
    expect(data.asset_filter).toBe("USDC");
    // Rates of now; vaults need a day of samples.
    expect(data.pools.map(({ pool_id }) => pool_id).toSorted()).toEqual([
      ...["aave-v3-usdc-base", "compound-v3-usdc-base", "moonwell-usdc-base"],
    ]);
    expect(data.pools_considered).toBe(8);
    node.clock.advance(86_400_000);
    await job.run(node.createContext());
    expect((await run(node, "asset=usdc&chain=base&limit=50")).data.pools).toHaveLength(8);
    const ether = (await run(node, "asset=ETH&limit=50")).data.pools;
    expect(new Set(ether.map(({ underlying }) => underlying))).toEqual(
      new Set(["ETH", "WETH", "stETH", "eETH", "frxETH"]),
    );
    expect((await run(node, "asset=wsteth")).data.pools.map(({ project }) => project)).toEqual(["lido"]);
  });

  test("what no contract is of is 422 before anybody is asked, with what there is", async () => {
    for (const [search, parameter, known] of [
      ["asset=DOGE", "asset", "USDC"],
      ["protocol=lido&asset=USDC", "asset", "ETH"],
      ["protocol=lido&chain=base", "chain", "ethereum"],
      ["asset=ETH&stable_only=true", "stable_only", "false"],
    ] as const) {
      const { status, options } = await refusalOf(run(createNode(), search));
      expect([status, options.details?.parameter]).toEqual([422, parameter]);
      expect(options.details?.allowed).toContain(known);
    }
  });

  test("an unknown protocol is 422 and names those that are read", async () => {
    expect((await refusalOf(run(createNode(), "protocol=ponzi"))).status).toBe(422);
  });

  test("samples older than two hours are not sold", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.clock.advance(3 * 3_600_000);
    expect((await refusalOf(run(node))).status).toBe(503);
  });
});
