import { afterEach, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import type { JobContext } from "../../../catalog/context.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { NATIVE, USDC } from "../../../upstream/providers/dex-tokens.ts";
import { readPoolTrade, scanSolanaTrades } from "./scan-solana.ts";
import { describeGaps, readTrades } from "./store.ts";
import { type TradePoolRow, tradeNotes, tradePoolScans, tradePools, trades } from "./tables.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  return node;
}
/** A context whose bodies to Solana's nodes go by `see` first, which may refuse them. */
function withCalls(context: JobContext, see: (body: string) => void): JobContext {
  const get: JobContext["get"] = async (provider, request) => {
    if (provider.id === "solana_rpc") see(JSON.stringify(request.body ?? ""));
    return context.get(provider, request);
  };
  return { ...context, get };
}
const rowsOf = (node: SimulatedNode) => node.table(trades).find({ where: { chain: "solana" }, limit: 10_000 });

const POOL: TradePoolRow = {
  chain: "solana",
  pool: "pool",
  token: "mint",
  symbol: "T",
  decimals: 6,
  is_token_0: true,
  quote: "SOL",
  quote_decimals: 9,
  liquidity_usd: 1e6,
  pool_created_at_ms: null,
  chosen_at_ms: 0,
};
const read = (changes: readonly (readonly [string, bigint])[], native_usd: number | null = 150) => {
  const change = { signer: "trader", slot: 7, changes: new Map(changes) };
  return readPoolTrade({ change, signature: "s", at_ms: 1 }, POOL, native_usd);
};

test("a transaction's change of a pool is a trade of its fee payer, valued by SOL; nothing else is a trade", () => {
  const [sol, token] = [20n * 10n ** 9n, 5_000n * 10n ** 6n];
  const buy = read([["mint", -token] as const, [NATIVE.solana.address, sol] as const]);
  expect(buy).toMatchObject({ wallet: "trader", is_buy: true, qty: 5_000, usd: 3_000, block: 7, tx: "s" });
  expect(read([["mint", token] as const, [NATIVE.solana.address, -sol] as const])?.is_buy).toBe(false);
  expect(read([["mint", -token] as const, [NATIVE.solana.address, sol] as const], null)).toBeNull();
  expect(read([["mint", token] as const, [NATIVE.solana.address, sol] as const])).toBeNull();
  expect(read([["mint", -token] as const, [USDC.solana, sol] as const])).toBeNull();
  expect(
    read([["mint", -token] as const, [NATIVE.solana.address, sol] as const, [USDC.solana, 1n] as const]),
  ).toBeNull();
});

test("finalized, batched, below public nodes' limits; a second run continues, nothing twice", async () => {
  const node = createNode();
  const bodies: string[] = [];
  await scanSolanaTrades(withCalls(node.createContext(), (body) => bodies.push(body)));
  const calls = bodies.join().match(/"getTransaction"/g) ?? [];
  expect(calls.length).toBeLessThanOrEqual(40);
  expect(bodies.filter((body) => body.includes("getTransaction")).length).toBeLessThanOrEqual(3);
  const of_pools = bodies.filter((body) => /getTransaction|getSignaturesForAddress/.test(body)).join();
  expect(of_pools.match(/"commitment":"(?!finalized")/)).toBeNull();
  expect((await node.table(tradePools).find({ where: { chain: "solana" } })).map(({ decimals }) => decimals)).toEqual([
    ...[6, 6, 6],
  ]);
  const first = await rowsOf(node);
  expect(first.length).toBeGreaterThan(10);
  // Again at once, as after a restart: nothing came since.
  await scanSolanaTrades(node.createContext());
  expect(await rowsOf(node)).toEqual(first);
  node.clock.advance(300_000);
  await scanSolanaTrades(node.createContext());
  const rows = await rowsOf(node);
  expect(rows.length).toBeGreaterThan(first.length);
  expect(new Set(rows.map(({ tx, pool }) => `${tx} ${pool}`)).size).toBe(rows.length);
  const { stored } = await readTrades(node.createContext(), { days: 1, chain: "solana" });
  expect(stored.trades).toBe(rows.length);
  expect(stored.pools).toHaveLength(3);
  expect(stored.pools.every((one) => one.read === 24 && one.listed > 24)).toBe(true);
  expect(describeGaps(stored).join()).toMatch(/of \w+\/USDC on solana 24 of \d+ transactions were read/);
});

test("progress that is lost counts nothing twice; a node that hangs behind brings nothing new", async () => {
  const node = createNode();
  await scanSolanaTrades(node.createContext());
  const [rows, scans] = [await rowsOf(node), await node.table(tradePoolScans).count()];
  node.clock.advance(-60_000);
  await scanSolanaTrades(node.createContext());
  expect([await rowsOf(node), await node.table(tradePoolScans).count()]).toEqual([rows, scans]);
  node.clock.advance(60_000);
  await node.table(tradePoolScans).remove({});
  await scanSolanaTrades(node.createContext());
  expect(await rowsOf(node)).toEqual(rows);
});

test("a pool that cannot be read is named and disturbs no other; when none can, the run fails", async () => {
  const node = createNode();
  await scanSolanaTrades(node.createContext());
  const before = (await rowsOf(node)).length;
  const [pool] = await node.table(tradePools).find({ where: { chain: "solana" } });
  const spent = () => new UpstreamError("upstream_rate_limited", "solana_rpc", "the quota of this day is spent");
  node.clock.advance(120_000);
  await scanSolanaTrades(
    withCalls(node.createContext(), (body) => {
      if (body.includes(pool?.pool ?? "?")) throw spent();
    }),
  );
  expect((await rowsOf(node)).length).toBeGreaterThan(before);
  const notes = await node.table(tradeNotes).find();
  expect(notes.map(({ what }) => what)).toEqual([`${pool?.symbol}/USDC: the quota or the rate limit was spent`]);
  node.clock.advance(120_000);
  const none = withCalls(node.createContext(), () => {
    throw spent();
  });
  await expect(scanSolanaTrades(none)).rejects.toThrow("quota of this day is spent");
});
