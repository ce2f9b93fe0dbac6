import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { asSold } from "../../../../test/helpers/settled.ts";
import type { Outcome } from "../../../catalog/failover.ts";
import { computeMempool as draft, getState } from "./compute.ts";
import type { MempoolInputs } from "./fetch.ts";
import { MempoolSchema } from "./schema.ts";

const computeMempool = asSold(MempoolSchema, draft);

const NOW_MS = Date.UTC(2026, 10, 21, 6);
const ok = <T>(value: T): Outcome<T> => ({ ok: true, value });
const FAILED = { ok: false, error: new Error("down") } as const;

const FEES = { fastest: 2.023, half_hour: 1.094, hour: 0.502, economy: 0.2, minimum: 0.1 };
const BLOCK = { n_tx: 863, median_fee: 10.7949, fee_min: 1, fee_max: 102.5, total_fee_sat: 8_875_608 };

const createInputs = (change: Partial<MempoolInputs> = {}): MempoolInputs => ({
  read_at_ms: NOW_MS,
  bitcoin: {
    provider: "mempool_space",
    fees: FEES,
    tip: { height: 968_400 },
    backlog: ok({ tx_count: 4_503, vsize_vb: 1_891_542, total_fee_sat: 1_120_000 }),
    sampled: Array.from({ length: 100 }, (_, index) => ({ at_ms: index * 3_600_000, sat_vb: index / 10 })),
  },
  projected_blocks: [BLOCK],
  difficulty: {
    change_est_pct: -1.4249,
    progress_pct: 35.714,
    remaining_blocks: 1_296,
    retarget_est_at_ms: NOW_MS + 777_777_777.4,
    previous_change_pct: 2.871,
  },
  hashrate: 9.425e20,
  ethereum: { next_base_fee_wei: 812_000_000, tips_wei: Array(20).fill([0, 100_000_000, 5e9]) },
  base: { next_base_fee_wei: 5_000_000, tips_wei: Array(20).fill([0, 1_000_000, 2_000_000]) },
  solana: [...Array(75).fill(0), ...Array(75).fill(800)],
  btc_usd: 64_000,
  eth_usd: 3_000,
  sol_usd: 150,
  warnings: [],
  ...change,
});
const compute = (change?: Partial<MempoolInputs>) => computeMempool(createInputs(change));

describe("Bitcoin", () => {
  test("gives the published vector", () => {
    const { btc } = compute().data;
    expect(btc.transfer_cost).toEqual({ sat: 285.243, usd: 0.1826 });
    expect(btc.backlog).toEqual({
      tx_count: 4_503,
      vsize_vb: 1_891_542,
      total_fee_btc: 0.0112,
      blocks_to_clear: 1.89,
      state: "normal",
    });
  });

  test("the state is the worse of blocks and fee, with the published bounds", () => {
    const BOUNDS = [
      [0.99, 2, "idle"],
      [1, 2, "normal"],
      [0, 2.01, "normal"],
      [4.99, 10, "normal"],
      [5, 1, "busy"],
      [0, 10.01, "busy"],
      [19.99, 50, "busy"],
      [20, 1, "congested"],
      [0, 50.01, "congested"],
    ] as const;
    for (const [blocks, fee, state] of BOUNDS) expect(getState(blocks, fee)).toBe(state);
  });

  test("the percentile ranks the fastest fee among at least 100 samples and itself", () => {
    const { bitcoin } = createInputs();
    // Below it the 21 samples from 0 to 2.0; equal to it itself: 100 x 21.5 / 101.
    expect(compute().data.btc.fee_percentile_30d).toBe(21.29);
    const rankOf = (fastest: number) =>
      compute({ bitcoin: { ...bitcoin, fees: { ...FEES, fastest } } }).data.btc.fee_percentile_30d;
    // Higher than ever is not above itself, and lower than ever is not below.
    expect([rankOf(99), rankOf(-1)]).toEqual([99.5, 0.5]);
    const reversed = { ...bitcoin, sampled: bitcoin.sampled.toReversed() };
    expect(compute({ bitcoin: reversed }).data.btc.fee_percentile_30d).toBe(21.29);
    const { data, warnings } = compute({ bitcoin: { ...bitcoin, sampled: bitcoin.sampled.slice(1) } });
    expect(data.btc.fee_percentile_30d).toBeNull();
    expect(warnings).toEqual(["btc.fee_percentile_30d: this node has 99 of the 100 hourly samples it takes"]);
  });

  test("at most 8 projected blocks, in BTC and sat/vB", () => {
    const blocks = compute({ projected_blocks: Array(9).fill(BLOCK) }).data.btc.projected_blocks;
    expect(blocks).toHaveLength(8);
    expect(blocks?.[0]).toEqual({
      n_tx: 863,
      median_fee: 10.795,
      fee_min: 1,
      fee_max: 102.5,
      total_fee_btc: 0.08875608,
    });
  });

  test("difficulty is rounded, hash rate is in exahashes", () => {
    const { difficulty, hashrate_eh_s } = compute().data.btc;
    expect(difficulty).toEqual({
      change_est_pct: -1.42,
      progress_pct: 35.71,
      remaining_blocks: 1_296,
      retarget_est_at: "2026-11-30T06:02:58Z",
      previous_change_pct: 2.87,
    });
    expect(hashrate_eh_s).toBe(942.5);
  });

  test("when another provider serves the fees, nothing of the refused one is shown", () => {
    const { bitcoin } = createInputs();
    const { data, warnings } = compute({ bitcoin: { ...bitcoin, provider: "blockstream" } });
    expect(data.btc).toMatchObject({ projected_blocks: null, difficulty: null, hashrate_eh_s: null });
    expect(warnings.map((text) => text.split(":")[0])).toEqual([
      "btc.fees_sat_vb",
      "btc.projected_blocks, btc.difficulty, btc.hashrate_eh_s",
    ]);
  });
});

describe("other chains", () => {
  test("gas price is the next base fee plus the median of the blocks' median tips", () => {
    const { ethereum, base } = compute().data;
    expect(ethereum).toEqual({
      base_fee_gwei: 0.812,
      tip_gwei_p50: 0.1,
      transfer_usd: 0.057456,
      swap_usd: 0.4104,
    });
    expect(base).toEqual({ base_fee_gwei: 0.005, tip_gwei_p50: 0.001, transfer_usd: 0.000378, swap_usd: 0.0027 });
  });

  test("Solana: 5,000 lamports plus the median fee at 200,000 units", () => {
    // Median of 75 zeros and 75 times 800: 400, which is 80 lamports.
    expect(compute().data.solana).toEqual({
      priority_p50_microlamports: 400,
      priority_p75_microlamports: 800,
      transfer_usd: 0.000762,
    });
  });
});

test("everything but the fees may fail: null with a warning each, and the schema still holds", () => {
  const { bitcoin } = createInputs();
  const { data, warnings } = compute({
    bitcoin: { ...bitcoin, backlog: FAILED, sampled: [] },
    projected_blocks: null,
    difficulty: null,
    hashrate: null,
    ethereum: null,
    base: null,
    solana: null,
    btc_usd: null,
    eth_usd: null,
    sol_usd: null,
    warnings: ["ethereum: no node could be read"],
  });
  expect(data).toMatchObject({ ethereum: null, base: null, solana: null });
  expect(data.btc).toMatchObject({ backlog: null, transfer_cost: { sat: 285.243, usd: null } });
  expect(warnings.map((text) => text.split(":")[0])).toEqual([
    "ethereum",
    "btc.backlog",
    "btc.projected_blocks, btc.difficulty, btc.hashrate_eh_s",
    "btc.fee_percentile_30d",
  ]);
  expect([...Value.Errors(MempoolSchema, data)]).toEqual([]);
});

test("without prices the fees stay, the costs in US dollars are null", () => {
  const { data } = compute({ eth_usd: null, sol_usd: null });
  expect(data.ethereum).toMatchObject({ base_fee_gwei: 0.812, transfer_usd: null, swap_usd: null });
  expect(data.solana).toMatchObject({ priority_p50_microlamports: 400, transfer_usd: null });
});

test("as_of is the time of the calls", () => {
  expect(compute().as_of_ms).toBe(NOW_MS);
});
