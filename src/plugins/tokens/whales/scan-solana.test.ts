import { expect, test } from "bun:test";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NATIVE, USDC } from "../../../upstream/providers/dex-tokens.ts";
import { findIssuerToken, type IssuerToken } from "../../../upstream/providers/issuer-tokens.ts";
import { readTrade, scanSolana } from "./scan-solana.ts";
import { spread } from "./solana-sample.ts";
import { poolScans, transfers } from "./tables.ts";

const issued = (address: string): IssuerToken => {
  const found = findIssuerToken("solana", address);
  if (!found) throw new Error(address);
  return found;
};
const POOL = {
  address: "pool",
  name: "SOL/USDC",
  asset: issued(NATIVE.solana.address),
  stable: issued(USDC.solana),
};
const change = (sol: bigint, usdc: bigint) => ({
  signer: "trader",
  slot: 7,
  changes: new Map([[NATIVE.solana.address, sol] as const, [USDC.solana, usdc] as const].filter(([, by]) => by !== 0n)),
});
const read = (sol: bigint, usdc: bigint) => readTrade(change(sol, usdc), POOL, { signature: "s", at_ms: 1 });

test("one token in and the other out is a trade, valued by the stablecoin, unless it is small", () => {
  expect(read(-1_000n * 10n ** 9n, 150_000n * 10n ** 6n)).toMatchObject({
    from: "pool",
    to: "trader",
    asset: "SOL",
    amount: "1000000000000",
    usd: 150_000,
    block: 7,
  });
  expect(read(10n ** 12n, -150_000_000_000n)).toMatchObject({ from: "trader", to: "pool" });
  expect(read(10n ** 12n, 150_000_000_000n)).toBeNull();
  expect(read(0n, 150_000_000_000n)).toBeNull();
  expect(read(-(10n ** 9n), 150_000_000n)).toBeNull();
});

test("a sample is spread evenly, and is all where there is little", () => {
  const list = Array.from({ length: 100 }, (_, index) => index);
  expect(spread(list, 4)).toEqual([0, 25, 50, 75]);
  expect(spread([1, 2], 12)).toEqual([1, 2]);
});

test("a run asks for what came since the last one, says how much it read, and counts nothing twice", async () => {
  const node = createSimulatedNode({ now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });
  try {
    await scanSolana(node.createContext());
    const trades = await node.table(transfers).find({ where: { chain: "solana" } });
    await scanSolana(node.createContext());
    expect(await node.table(transfers).find({ where: { chain: "solana" } })).toEqual(trades);
    node.clock.advance(300_000);
    await scanSolana(node.createContext());
    const runs = await node.table(poolScans).find({ order: ["at_ms"] });
    // Nothing came between the first two; 75 transactions in five minutes, some of them failed.
    expect(runs.map(({ listed, read: of }) => [listed > 12, of])).toEqual([
      [true, 12],
      [true, 12],
    ]);
    expect(runs[1]?.listed).toBeLessThanOrEqual(75);
  } finally {
    node.close();
  }
});
