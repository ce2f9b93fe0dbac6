import { expect, test } from "bun:test";
import type { EvmLog } from "../../../upstream/providers/evm-rpc/logs.ts";
import { ISSUER_TOKENS } from "../../../upstream/providers/issuer-tokens.ts";
import { classify } from "../whales/labels.ts";
import { readTransfer, TRANSFER_TOPIC } from "../whales/scan.ts";
import type { TransferRow } from "../whales/tables.ts";
import { drawWhaleAlert } from "./charts.ts";
import { collapse, getNetflows } from "./compute.ts";

const BINANCE = "0x28c6c06298d514db089934071355e5743bf21d60";
const COINBASE = "0x71660c4005ba85c37ccec55d0c4493e66fe775d3";
const ZERO = "0x0000000000000000000000000000000000000000";
const [ANN, BEN] = ["0x00000000000000000000000000000000000000a1", "0x00000000000000000000000000000000000000b2"];
const pad = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
const find = (symbol: string) => ISSUER_TOKENS.find((token) => token.chain === "ethereum" && token.symbol === symbol);
const log = (value: bigint): EvmLog => ({
  address: "0x",
  topics: [TRANSFER_TOPIC, pad(ANN), pad(BEN)],
  data: `0x${value.toString(16).padStart(64, "0")}`,
  block_number: 1,
  block_hash: "0x",
  transaction_hash: "0x",
  log_index: 1,
});
const row = (changes: Partial<TransferRow>): TransferRow => ({
  chain: "ethereum",
  tx: "0x1",
  log_index: 1,
  block: 100,
  block_hash: "0x",
  total_usd: null,
  token: "0xusdc",
  asset: "USDC",
  from: ANN,
  to: BEN,
  amount: "2000000000000",
  usd: 2_000_000,
  at_ms: 0,
  ...changes,
});

test("the published vectors: 2,500,000 USDC and 812.35 WETH at 2,701.37", () => {
  expect(readTransfer(log(2_500_000_000_000n), find("USDC"), 1)).toMatchObject({ usd: 2_500_000, from: ANN, to: BEN });
  expect(readTransfer(log(812_345_678_901_234_567_890n), find("WETH"), 2_701.37)?.usd).toBeCloseTo(2_194_446.25, 1);
  expect(readTransfer(log(1n), find("USDC"), 1)).toBeNull();
  expect(readTransfer(log(2_500_000_000_000n), find("USDC"), undefined)).toBeNull();
});

test("classes follow from both ends, and nothing is guessed", () => {
  expect(classify(ZERO, ANN)).toBe("mint");
  expect(classify(ANN, "0x000000000000000000000000000000000000dEaD")).toBe("burn");
  expect(classify(ANN, BINANCE)).toBe("exchange_inflow");
  expect(classify(BINANCE, ANN)).toBe("exchange_outflow");
  expect(classify(BINANCE, COINBASE)).toBe("exchange_internal");
  expect(classify(ANN, "0x3154Cf16ccdb4C6d922629664174b904d80F2C35")).toBe("bridge");
  expect(classify(ANN, BEN)).toBe("unknown");
});

test("parts within ten blocks are one, later ones another", () => {
  const rows = [
    row({}),
    row({ block: 109, tx: "0x2" }),
    row({ block: 120, tx: "0x3" }),
    row({ block: 101, to: BINANCE, tx: "0x4" }),
  ];
  const groups = collapse(rows);
  expect(groups.map(({ parts }) => parts).sort()).toEqual([1, 1, 2]);
  expect(groups.reduce((sum, { usd }) => sum + usd, 0)).toBe(8_000_000);
});

test("net flow is what labelled exchanges got less what they gave", () => {
  const [flow] = getNetflows([row({ to: BINANCE }), row({ from: COINBASE, usd: 500_000 }), row({ usd: 1_500_000 })]);
  expect(flow).toEqual({
    asset: "USDC",
    net_usd: 1_500_000,
    inflow_usd: 2_000_000,
    outflow_usd: 500_000,
    labelled_share: 0.625,
  });
});

test("the chart sums whole hours, and an unread hour is not an hour without transfers", () => {
  const hour = 3_600_000;
  const rows = [
    row({ to: BINANCE, at_ms: 1.5 * hour }),
    row({ to: BINANCE, at_ms: 1.9 * hour }),
    row({ from: COINBASE, usd: 500_000, at_ms: 3.1 * hour }),
    row({ to: BINANCE, at_ms: 4.2 * hour }),
  ];
  const [chart] = drawWhaleAlert({
    rows,
    from_ms: 0.5 * hour,
    read_at_ms: 4.5 * hour,
    scanned: [],
    cut: [],
    pools: [],
    native: [],
    notes: [],
  });
  expect(chart?.kind === "time" && chart.lines).toEqual([
    {
      name: "in",
      points: [
        [hour, 4_000_000],
        [3 * hour, 0],
      ],
    },
    {
      name: "out",
      points: [
        [hour, 0],
        [3 * hour, 500_000],
      ],
    },
  ]);
  expect(
    drawWhaleAlert({
      rows: [],
      from_ms: 0,
      read_at_ms: 9 * hour,
      scanned: [],
      cut: [],
      pools: [],
      native: [],
      notes: [],
    }),
  ).toEqual([]);
});

/** The same by another way: each transfer in whole cents to and from a purse per owner, then the exchanges' purses. */
function recountFlows(rows: readonly TransferRow[]) {
  const purses = new Map<string, { in_cents: bigint; out_cents: bigint }>();
  const add = (asset: string, key: "in_cents" | "out_cents", usd: number) => {
    const purse = purses.get(asset) ?? { in_cents: 0n, out_cents: 0n };
    purse[key] += BigInt(Math.round(usd * 100));
    purses.set(asset, purse);
  };
  const EXCHANGES = [BINANCE, COINBASE];
  for (const { asset, from, to, usd, chain } of rows) {
    // A mint, or a move between an exchange's own wallets, has no outside sender.
    if (chain === "solana" || from === ZERO || EXCHANGES.includes(from) === EXCHANGES.includes(to)) continue;
    if (to === ZERO) continue;
    add(asset, EXCHANGES.includes(to) ? "in_cents" : "out_cents", usd);
  }
  return purses;
}

test("netted flows of worlds of our choosing come to the same by a recount in whole cents", () => {
  let seed = 11;
  const draw = (most: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  const people = [ANN, BEN, BINANCE, COINBASE, ZERO];
  for (let world = 0; world < 60; world += 1) {
    const rows = Array.from({ length: 1 + draw(80) }, (_, index) =>
      row({
        tx: `0x${index}`,
        asset: ["USDC", "WETH", "SOL"][draw(3)] ?? "",
        usd: (100_000_00 + draw(9_000_000_00)) / 100,
        from: people[draw(5)] ?? "",
        to: people[draw(5)] ?? "",
        chain: draw(6) === 0 ? "solana" : "base",
      }),
    );
    const recounted = recountFlows(rows);
    const flows = getNetflows(rows);
    for (const { asset, net_usd, inflow_usd, outflow_usd, labelled_share } of flows) {
      const { in_cents = 0n, out_cents = 0n } = recounted.get(asset) ?? {};
      expect(inflow_usd).toBeCloseTo(Number(in_cents) / 100, 2);
      expect(outflow_usd).toBeCloseTo(Number(out_cents) / 100, 2);
      expect(net_usd).toBeCloseTo(Number(in_cents - out_cents) / 100, 2);
      expect(labelled_share).toBeGreaterThanOrEqual(0);
      expect(labelled_share).toBeLessThanOrEqual(1);
    }
    // No flow of an exchange is without its row.
    expect([...recounted.keys()].every((asset) => flows.some((one) => one.asset === asset))).toBe(true);
  }
});
