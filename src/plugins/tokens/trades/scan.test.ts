import { afterEach, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import type { JobContext } from "../../../catalog/context.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { sha256Hex } from "../../../core/hash.ts";
import { createRowTally } from "../../../upstream/sift-rows.ts";
import { getStretchOf, SCANNED, type ScannedChain } from "../whales/chains.ts";
import { scanTrades } from "./scan.ts";
import { describeGaps, readTrades } from "./store.ts";
import { tradeNotes, tradeScans, trades } from "./tables.ts";

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

/** A node's answers with every block from a height on another one: other hashes, other transactions, some gone. */
function refork(answer: unknown, from_block: number): unknown {
  if (Array.isArray(answer)) {
    return answer
      .filter((one) => !(Number(one?.blockNumber) >= from_block && Number(one.logIndex) % 2 === 0))
      .map((one) => refork(one, from_block));
  }
  if (typeof answer !== "object" || answer === null) return answer;
  const of = Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, refork(value, from_block)]));
  if (typeof of.hash === "string" && Number(of.number) >= from_block) of.hash = `0x${sha256Hex(of.hash)}`;
  if (typeof of.transactionHash === "string" && Number(of.blockNumber) >= from_block) {
    of.transactionHash = `0x${sha256Hex(of.transactionHash).slice(0, 24)}${of.transactionHash.slice(26)}`;
    of.blockHash = `0x${sha256Hex(String(of.blockHash))}`;
  }
  return of;
}

/** A context whose node of the chain is on the other side of a fork. */
function onFork(context: JobContext, from_block: number): JobContext {
  const get: JobContext["get"] = async (provider, request) => {
    if (provider.id !== "evm_rpc" || !request.read) return context.get(provider, request);
    const { read, ...plain } = request;
    const forked = refork(await context.get(provider, plain), from_block);
    // biome-ignore lint/suspicious/noExplicitAny: replaces every reader of the provider's answers.
    const made = read(forked as any, { status: 200, bytes: 0, headers: {} } as any, createRowTally().eachRow) as any;
    if (typeof made === "string") throw new UpstreamError("upstream_bad_response", provider.id, made);
    return made;
  };
  return { ...context, get };
}

const rowsOf = async (node: SimulatedNode, chain: ScannedChain) =>
  (await node.table(trades).find({ where: { chain }, limit: 10_000 }))
    .map(({ at_ms: _, usd, qty, ...row }) => ({ ...row, usd: Math.round(usd), qty: Math.round(qty) }))
    .sort((a, b) => a.block - b.block || a.log_index - b.log_index);
const lastOf = async (node: SimulatedNode, chain: ScannedChain) =>
  (await node.table(tradeScans).first({ where: { chain }, order: ["-to_block"] }))?.to_block ?? 0;

for (const chain of ["ethereum", "base"] as const) {
  test(`a reorganisation of three blocks of ${chain}: no orphans, nothing lost or twice, and a note`, async () => {
    const [node, steady] = [createNode(), createNode()];
    await scanTrades(node.createContext(), chain);
    const before = await rowsOf(node, chain);
    const fork = (await lastOf(node, chain)) - 2;
    await scanTrades(onFork(steady.createContext(), fork), chain);
    for (const one of [node, steady]) {
      one.clock.advance(SCANNED[chain].block_s * SCANNED[chain].span * 1_000);
      await scanTrades(onFork(one.createContext(), fork), chain);
    }
    const after = await rowsOf(node, chain);
    const orphans = before.filter(({ block }) => block >= fork);
    expect(orphans.length).toBeGreaterThan(0);
    // A node on the surviving side all the time has the same rows.
    expect(after).toEqual(await rowsOf(steady, chain));
    expect(after.filter(({ block }) => block < fork)).toEqual(before.filter(({ block }) => block < fork));
    expect(after.some(({ tx }) => orphans.some((one) => one.tx === tx))).toBe(false);
    expect(new Set(after.map(({ tx, log_index }) => `${tx} ${log_index}`)).size).toBe(after.length);
    const notes = await node.table(tradeNotes).find();
    expect(notes.map(({ what }) => what)).toEqual([expect.stringContaining("left the chain and were read anew")]);
    expect(await steady.table(tradeNotes).count()).toBe(0);
    const { stored } = await readTrades(node.createContext(), { days: 1, chain });
    expect(describeGaps(stored).join()).toContain(`sampled.${chain}: at `);
  });
}

test("a run that breaks off after orphans were taken back stores nothing; the next one continues", async () => {
  const node = createNode();
  await scanTrades(node.createContext(), "base");
  const fork = (await lastOf(node, "base")) - 2;
  const broken = onFork(node.createContext(), fork);
  const get: JobContext["get"] = async (provider, request) => {
    if (JSON.stringify(request.body ?? "").includes("eth_getLogs"))
      throw new UpstreamError("upstream_rate_limited", provider.id, "the quota of this day is spent");
    return broken.get(provider, request);
  };
  await expect(scanTrades({ ...broken, get }, "base")).rejects.toThrow("quota of this day is spent");
  expect(await rowsOf(node, "base")).toEqual([]);
  await scanTrades(onFork(node.createContext(), fork), "base");
  const rows = await rowsOf(node, "base");
  expect(rows.length).toBeGreaterThan(0);
  await scanTrades(onFork(node.createContext(), fork), "base");
  expect(await rowsOf(node, "base")).toEqual(rows);
});

test("blocks taken back are read again with those that came since, as far as three spans reach", () => {
  const { confirmations, span } = SCANNED.base;
  const head = 1_000_000;
  const to_block = head - confirmations;
  expect(getStretchOf({ ...SCANNED.base, lost_from: to_block - span - 10 }, head)).toEqual({
    from_block: to_block - span - 10,
    to_block,
  });
  expect(getStretchOf({ ...SCANNED.base, lost_from: 5 }, head)?.from_block).toBe(to_block - 3 * span + 1);
  // Blocks that are still valid are not read twice.
  expect(getStretchOf({ ...SCANNED.base, lost_from: to_block - 20 }, head, to_block - 7)?.from_block).toBe(
    to_block - 6,
  );
});
