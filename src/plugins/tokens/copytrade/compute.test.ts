import { expect, test } from "bun:test";
import { createRandom } from "../../../../test/helpers/json-edits.ts";
import { settled } from "../../../../test/helpers/settled.ts";
import type { TradeRow } from "../trades/tables.ts";
import { describeTrader, type Trader } from "../trades/traders.ts";
import { computeCopytrade, scoreCopy } from "./compute.ts";
import { describeWallet, getFollowedShare } from "./describe-wallet.ts";
import type { CopytradeData } from "./schema.ts";

const NOW_MS = 1_790_000_000_000;
const row = (changes: Partial<TradeRow>): TradeRow => ({
  chain: "ethereum",
  tx: "0x1",
  log_index: 0,
  pool: "0xp",
  token: `0x${"1".repeat(40)}`,
  wallet: "0xa",
  is_buy: true,
  qty: 1,
  usd: 1_000,
  block: 100,
  at_ms: NOW_MS,
  ...changes,
});
function traderOf(rows: readonly TradeRow[]): Trader {
  const trader = describeTrader(rows);
  if (!trader) throw new Error("no trader");
  return trader;
}
const LOTS = [
  row({ qty: 1000, usd: 500 }),
  row({ qty: 500, usd: 400 }),
  row({ is_buy: false, qty: 1200, usd: 1080 }),
  row({ is_buy: false, qty: 300, usd: 180 }),
  row({ is_buy: false, qty: 100, usd: 70 }),
];
/** What the product says of some trades of a wallet, beside those of others. */
async function compute(
  rows: readonly TradeRow[],
  { market = rows, haircut_bps = 150 }: { readonly market?: readonly TradeRow[]; readonly haircut_bps?: number } = {},
) {
  const stored = {
    read_at_ms: NOW_MS,
    from_ms: 0,
    trades: market.length,
    coverage: [],
    pools: [],
    tokens: new Map(),
    is_cut: false,
    notes: [],
  };
  const wallet = await describeWallet(traderOf(rows), { market, tokens: stored.tokens, haircut_bps });
  const facts = { is_default: false, is_market_cut: false, verdicts: new Map<string, string>() };
  const inputs = { ...facts, stored, wallet, market_trades: market.length, sanctions: "clear" as const };
  return settled<CopytradeData>(computeCopytrade(inputs, haircut_bps)).data;
}

test("the worked example at 1.5 %: 360 are 327.60, 40 % are 36.4 %", async () => {
  const { performance, copyability, open_positions } = await compute(LOTS);
  expect(performance).toMatchObject({ closed: 2, wins: 1, win_rate: 0.5, matched_cost_usd: expect.closeTo(900, 6) });
  expect(performance.roi_pct).toBeCloseTo(40, 6);
  expect(performance.copy_pnl_usd).toBeCloseTo(327.6, 6);
  expect(performance.copy_roi_pct).toBeCloseTo(36.4, 6);
  expect(performance.win_rate_lower95).toBeCloseTo(0.0945, 4);
  expect({ copyability, open_positions }).toEqual({ copyability: null, open_positions: [] });
});

test("what is unknown never makes a wallet more worth copying", () => {
  const sum = (facts: Parameters<typeof scoreCopy>[0]) =>
    scoreCopy(facts).reduce((total, { points }) => total + points, 0);
  const known = { copy_roi: 0.5, win_rate_lower95: 0.7, avoid_share: 0.4, median_hold_min: 60 };
  expect(sum(known)).toBeCloseTo(40 + 21 + 12 + 10, 9);
  expect(sum({ ...known, avoid_share: null })).toBeLessThan(sum(known));
  expect(sum({ ...known, median_hold_min: null })).toBeLessThan(sum(known));
});

test("a wallet that others rush in behind is marked", async () => {
  const own = [row({ block: 100 }), row({ block: 200 })];
  const others = [row({ wallet: "0xb", block: 103, usd: 5_001 }), row({ wallet: "0xb", block: 206, usd: 9_000 })];
  expect(await getFollowedShare(traderOf(own), [...own, ...others])).toBe(0.5);
  expect(await getFollowedShare(traderOf([row({ is_buy: false })]), others)).toBeNull();
});

test("twice every price: dollars are twice as much, shares, rates and copyability stay", async () => {
  const [one, two] = await Promise.all(
    [1, 2].map((factor) => compute(LOTS.map((lot) => ({ ...lot, usd: lot.usd * factor })))),
  );
  if (!one || !two) throw new Error("nothing was computed");
  for (const name of ["realized_pnl_usd", "matched_cost_usd", "copy_pnl_usd", "max_drawdown_usd"] as const) {
    expect([name, two.performance[name]]).toEqual([name, 2 * one.performance[name]]);
  }
  for (const name of ["roi_pct", "copy_roi_pct", "win_rate", "win_rate_lower95", "unmatched_sell_share"] as const) {
    expect(two.performance[name]).toBeCloseTo(one.performance[name] ?? Number.NaN, 9);
  }
  expect(two.behaviour).toEqual(one.behaviour);
});

test("other wallets' trades, whatever their names, do not change this one's figures", async () => {
  const alone = await compute(LOTS);
  const others = LOTS.map((lot) => ({ ...lot, wallet: "0xb", is_buy: !lot.is_buy, usd: lot.usd * 7 }));
  const beside = await compute(LOTS, { market: [...others, ...LOTS] });
  expect(beside.performance).toEqual(alone.performance);
  expect(beside.recent_trades).toEqual(alone.recent_trades);
  const renamed = await compute(LOTS.map((lot) => ({ ...lot, wallet: "0xz" })));
  expect({ ...renamed, wallet: alone.wallet }).toEqual(alone);
});

test("behind each buy is counted what others bought of its token within a minute, as adding it up says", async () => {
  const random = createRandom(7);
  const makeRow = (wallet: string, block: number) =>
    row({
      wallet,
      block,
      token: `0x${Math.floor(random() * 2)}`,
      is_buy: random() < 0.7,
      usd: 1_000 + random() * 4_000,
    });
  const market = Array.from({ length: 400 }, (_, index) => makeRow(random() < 0.2 ? "0xa" : "0xb", 100 + (index >> 1)));
  const own = market.filter(({ wallet }) => wallet === "0xa");
  const buys = own.filter(({ is_buy }) => is_buy);
  const followed = buys.filter(({ token, block, usd }) => {
    const behind = market.filter(
      (one) =>
        one.is_buy && one.wallet !== "0xa" && one.token === token && one.block >= block && one.block <= block + 5,
    );
    return behind.reduce((sum, one) => sum + one.usd, 0) > 5 * usd;
  });
  expect(followed.length).toBeGreaterThan(3);
  expect(await getFollowedShare(traderOf(own), market)).toBe(followed.length / buys.length);
});
