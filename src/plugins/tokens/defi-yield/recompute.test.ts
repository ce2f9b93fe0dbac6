import { expect, test } from "bun:test";
import { formatUnits } from "viem";
import { settled } from "../../../../test/helpers/settled.ts";
import { YIELD_READERS } from "../yields/readers.ts";
import { computeDefiYield as draft } from "./compute.ts";
import type { YieldHistory } from "./fetch.ts";
import { listGrowth } from "./growth.ts";
import type { DefiYieldData } from "./schema.ts";

const computeDefiYield = (...given: Parameters<typeof draft>) => settled<DefiYieldData>(draft(...given));

/**
 * The same figures by another way: whole numbers of 60 decimals, powers by squaring and by our own series, no
 * function of Math but those that make the worlds.
 */
const [ONE, HOUR_MS, DAY_MS] = [10n ** 60n, 3_600_000, 86_400_000];
const mul = (a: bigint, b: bigint): bigint => (a * b) / ONE;
const div = (a: bigint, b: bigint): bigint => (a * ONE) / b;
const toNumber = (value: bigint): number => Number(value / 10n ** 40n) / 1e20;
const fromText = (text: string): bigint => {
  const [mantissa = "", exponent = "0"] = text.split("e");
  const [whole = "", part = ""] = mantissa.split(".");
  const shift = 60 + Number(exponent) - part.length;
  return shift >= 0 ? BigInt(whole + part) * 10n ** BigInt(shift) : BigInt(whole + part) / 10n ** BigInt(-shift);
};
const of = (value: number): bigint => fromText(String(value));

/** ln of a number near 1: 2 x (z + z^3/3 + z^5/5 ...), z = (x - 1) / (x + 1). */
function ln(x: bigint): bigint {
  const z = div(x - ONE, x + ONE);
  let [power, sum] = [z, 0n];
  for (let k = 1n; power !== 0n && k < 400n; k += 2n) {
    sum += power / k;
    power = mul(power, mul(z, z));
  }
  return 2n * sum;
}
function exp(x: bigint): bigint {
  let [term, sum] = [ONE, 0n];
  for (let k = 1n; term !== 0n && k < 400n; k += 1n) {
    sum += term;
    term = mul(term, x) / k;
  }
  return sum;
}
/** A whole power, by squaring. */
function pow(base: bigint, times: number): bigint {
  if (times === 0) return ONE;
  const half = pow(base, Math.floor(times / 2));
  return times % 2 === 0 ? mul(half, half) : mul(mul(half, half), base);
}
const growthOf = (now: number, then: number, days: bigint): number =>
  toNumber(100n * (exp(mul(ln(div(of(now), of(then))), div(365n * ONE, days))) - ONE));

/** mulberry32: a world is its seed. */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Row = DefiYieldData["pools"][number];
type Sample = YieldHistory["samples"][number];
const NOW_MS = Date.UTC(2026, 9, 1, 12);

/** Up to 31 days of samples, about one an hour, some missing, shares that mostly grow and sometimes fall. */
function createHistory(dice: () => number, reader: YieldHistory["reader"], kind: "rate" | "share"): YieldHistory {
  const hours = 1 + Math.floor(dice() * 743);
  const samples: Sample[] = [];
  let price = 1 + dice();
  for (let hour = hours; hour >= 0; hour -= 1) {
    price *= 1 + (dice() < 0.01 ? -0.001 * dice() : 0.00001 * dice());
    if (hour !== 0 && dice() < 0.2) continue;
    const block_at_ms = NOW_MS - hour * HOUR_MS + Math.floor(dice() * 60) * 1000;
    const is_rate = kind === "rate";
    samples.push({
      at_ms: NOW_MS - hour * HOUR_MS,
      block_at_ms,
      rate_apy_pct: is_rate ? dice() * 20 : null,
      share_price: is_rate ? null : Number(price.toFixed(12)),
      is_paused: null,
      locked:
        dice() < 0.1
          ? null
          : String(1n + BigInt(Math.floor(dice() * 1e15)) * 10n ** BigInt(reader.decimals > 9 ? 8 : 0)),
      rewards: dice() < 0.2 ? null : dice() < 0.5 ? [] : [createFlow(dice, block_at_ms)],
    });
  }
  return { reader, samples };
}
const createFlow = (dice: () => number, at_ms: number) => ({
  token: "0xc00e94Cb662C3520282E6f5717214004A7f26888",
  per_second: String(BigInt(Math.floor(dice() * 1e15)) * 7n),
  ends_at_ms: dice() < 0.5 ? null : at_ms + Math.floor((dice() - 0.3) * 20) * DAY_MS,
});

/** The sample closest to some days before the last, the earlier of two, if it lies within a quarter of the stretch. */
function findThen(samples: readonly Sample[], days: number): Sample | null {
  const last = samples[samples.length - 1];
  let found: Sample | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const sample of samples) {
    const away = Math.abs((last?.block_at_ms ?? 0) - days * DAY_MS - sample.block_at_ms);
    if (away < least) [found, least] = [sample, away];
  }
  return found === null || found === last || least > (days * DAY_MS) / 4 ? null : found;
}
function expectGrowth({ samples }: YieldHistory, days: number): number | null {
  const [last, then] = [samples[samples.length - 1], findThen(samples, days)];
  if (!last || !then) return null;
  const between = div(BigInt(last.block_at_ms - then.block_at_ms) * ONE, BigInt(DAY_MS) * ONE);
  return growthOf(last.share_price ?? 0, then.share_price ?? 0, between);
}
/** The largest fall of all pairs of an earlier and a later price. */
const expectFall = ({ samples }: YieldHistory): number =>
  samples.reduce((worst, { share_price: before }, index) => {
    const least = samples.slice(index).reduce((low, { share_price }) => Math.min(low, share_price ?? 0), before ?? 0);
    return Math.max(worst, (100 * ((before ?? 0) - least)) / (before ?? 0));
  }, 0);
const expectClose = (got: number | null | undefined, wanted: number | null) => {
  if (wanted === null || got === null || got === undefined) expect(got ?? null).toBe(wanted);
  else expect(Math.abs(got - wanted)).toBeLessThanOrEqual(1e-7 * Math.max(1, Math.abs(wanted)));
};

/** The expected row, and whether there should be one. */
function expectBase(history: YieldHistory, row: Row | undefined): boolean {
  const last = history.samples.at(-1);
  if (last?.rate_apy_pct !== null) {
    expectClose(row?.base_apy_pct, last?.rate_apy_pct ?? null);
    return true;
  }
  const [d1 = null, d7 = null, d30 = null] = [1, 7, 30].map((days) => expectGrowth(history, days));
  const base = history.reader.days_min === 7 ? d7 : (d7 ?? d1);
  if (base === null) {
    expect(row).toBeUndefined();
    return false;
  }
  expectClose(row?.base_apy_pct, base);
  expectClose(row?.base_apy_30d_pct, d30);
  expectClose(row?.share_drawdown_pct, expectFall(history));
  const [, drawn] = listGrowth(history, 7).at(-1) ?? [null, null];
  expectClose(drawn, d7);
  return true;
}

function expectEarnings(
  { reader, samples }: YieldHistory,
  row: Row | undefined,
  usd: Readonly<Record<string, number>>,
) {
  const last = samples.at(-1);
  const atomic = last?.locked ? BigInt(last.locked) : null;
  expect(row?.locked ?? null).toBe(atomic === null ? null : formatUnits(atomic, reader.decimals));
  const unit = usd[reader.underlying === "WETH" ? "ETH" : reader.underlying];
  const value =
    atomic === null || unit === undefined ? null : mul(of(unit), div(atomic, 10n ** BigInt(reader.decimals)));
  expectClose(row?.locked_usd, value === null ? null : toNumber(value));
  const flows = (last?.rewards ?? []).filter(
    ({ ends_at_ms }) => ends_at_ms === null || ends_at_ms > (last?.block_at_ms ?? 0),
  );
  const is_known = flows.length === 0 || (value !== null && reader.chain === "ethereum");
  const yearly = flows.reduce((sum, { per_second }) => sum + BigInt(per_second) * 31_536_000n, 0n);
  const paid = flows.length === 0 ? 0n : div(mul(of(usd.COMP ?? 0), yearly * 10n ** 42n), value ?? ONE);
  const wanted = !last?.rewards || !is_known ? null : toNumber(100n * paid);
  expectClose(row?.reward_apr_pct, wanted);
  expectClose(row?.total_pct, wanted === null ? null : wanted + (row?.base_apy_pct ?? 0));
}

/** What a reader makes of a market's only words that matter here. */
function readWords(id: string, rounds: readonly (readonly (readonly string[] | null)[])[]) {
  const reader = YIELD_READERS.find((one) => one.id === id);
  if (!reader || reader.chain === "solana") throw new Error(id);
  return reader.read(rounds)?.rate_apy_pct;
}

test("a rate of each second compounds as its whole power does: Aave, Compound, Sky", () => {
  const dice = createDice(7);
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  const yearly = (a_second: bigint) => toNumber(100n * (pow(ONE + a_second, 31_536_000) - ONE));
  for (let round = 0; round < 12; round += 1) {
    const ray = BigInt(Math.floor(dice() * 2.5e17)) * 10n ** 9n;
    const reserve = Array<string>(15).fill(word(0n));
    reserve[2] = word(ray);
    expectClose(readWords("aave-v3-usdc-ethereum", [[reserve]]), yearly((ray * 10n ** 33n) / 31_536_000n));
    const wad = ray / 31_536_000n / 10n ** 9n;
    expectClose(readWords("compound-v3-usdc-base", [[[word(1n)]], [[word(wad)]]]), yearly(wad * 10n ** 42n));
    const factor = ray / 31_536_000n;
    const ssr = [[[word(10n ** 27n + factor)]]];
    expectClose(readWords("sky-savings-susds-ethereum", ssr), yearly(factor * 10n ** 33n));
  }
});

test("yields by share price, falls, rewards, totals and values of generated worlds", () => {
  const chosen = ["lido-wsteth-ethereum", "rocket-pool-reth-ethereum", "jito-jitosol-solana"];
  const shares = YIELD_READERS.filter(({ id }) => chosen.includes(id));
  const markets = YIELD_READERS.filter(({ id }) => ["compound-v3-usdc-ethereum", "spark-weth-ethereum"].includes(id));
  let compared = 0;
  for (let seed = 1; seed <= 24; seed += 1) {
    const dice = createDice(seed);
    const histories = [
      ...shares.map((reader) => createHistory(dice, reader, "share")),
      ...markets.map((reader) => createHistory(dice, reader, "rate")),
    ];
    const usd = {
      USDC: 0.97 + 0.04 * dice(),
      ETH: 2_000 + 900 * dice(),
      SOL: 60 + 90 * dice(),
      COMP: 30 + 40 * dice(),
    };
    const price = (price_usd: number) => ({ price_usd, updated_at_ms: NOW_MS, chain: "ethereum", feed: "0x0" });
    const prices = new Map(Object.entries(usd).map(([symbol, one]) => [symbol, price(one)]));
    const inputs = { read_at_ms: NOW_MS, considered: histories.length, prices, histories };
    const { data } = computeDefiYield(inputs, { limit: 50 });
    for (const history of histories) {
      const row = data.pools.find(({ pool_id }) => pool_id === history.reader.id);
      if (!expectBase(history, row)) continue;
      expectEarnings(history, row, usd);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(90);
});
