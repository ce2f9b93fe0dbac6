import { expect, test } from "bun:test";
import { ISSUER_TOKENS } from "../../../upstream/providers/issuer-tokens.ts";
import { getLastWhole } from "../trades/scan.ts";
import { readSwap, SWAP_TOPICS } from "../trades/swaps.ts";
import type { TradePoolRow, TradeRow } from "../trades/tables.ts";
import { describeTrader, isBot, listTraders, rankTraders, scoreTrader } from "../trades/traders.ts";
import { getFlows } from "./compute.ts";
import { describeFollowed } from "./fetch.ts";

const NOW_MS = 1_790_000_000_000;
const TOKEN = ISSUER_TOKENS.find(({ symbol }) => symbol === "stETH")?.address.toLowerCase() ?? "";
const row = (changes: Partial<TradeRow>): TradeRow => ({
  chain: "ethereum",
  tx: "0x1",
  log_index: 0,
  pool: "0xp",
  token: TOKEN,
  wallet: "0xa",
  is_buy: true,
  qty: 1,
  usd: 1_000,
  block: 100,
  at_ms: NOW_MS,
  ...changes,
});
const pool: TradePoolRow = {
  chain: "ethereum",
  pool: "0xp",
  token: "0xt",
  symbol: "T",
  decimals: 18,
  is_token_0: true,
  quote: "USDC",
  quote_decimals: 6,
  liquidity_usd: 1e6,
  pool_created_at_ms: null,
  chosen_at_ms: 0,
};
const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, "0");
const log = (topic: string, ...words: readonly bigint[]) => ({
  address: "0xp",
  topics: [topic],
  data: `0x${words.map(word).join("")}`,
  block_number: 1,
  block_hash: "0x",
  transaction_hash: "0x",
  log_index: 1,
});

test("the published vector: 18,400 US dollars, 14 of 18 won, 7 tokens make 70.8", () => {
  const { score } = scoreTrader({ realized_pnl_usd: 18_400, win_rate_lower95: 0.5478, tokens: 7 });
  expect(score).toBeCloseTo(70.8, 1);
});

test("swaps of all four events are read from the pool's side; odd ones are dropped", () => {
  const [v2 = ""] = SWAP_TOPICS.in_out;
  const [v3 = ""] = SWAP_TOPICS.signed;
  const [two, thousand] = [2n * 10n ** 18n, 3_000_000_000n];
  expect(readSwap(log(v2, 0n, thousand, two, 0n), pool, null)).toEqual({ is_buy: true, qty: 2, usd: 3_000 });
  expect(readSwap(log(v3, -two, thousand, 1n, 1n, 1n), pool, null)).toEqual({ is_buy: true, qty: 2, usd: 3_000 });
  const turned = { ...pool, is_token_0: false, quote: "WETH", quote_decimals: 18 };
  expect(readSwap(log(v3, -two, two, 1n, 1n, 1n), turned, 2_500)).toEqual({ is_buy: false, qty: 2, usd: 5_000 });
  expect(readSwap(log(v3, -two, two, 1n, 1n, 1n), turned, null)).toBeNull();
  expect(readSwap(log(v3, two, thousand, 1n, 1n, 1n), pool, null)).toBeNull();
  expect(readSwap(log(v2, 0n, 999_000_000n, two, 0n), pool, null)).toBeNull();
  expect(readSwap(log("0x00", 0n, thousand, two, 0n), pool, null)).toBeNull();
});

test("programs are left out: both ways in one block, too fast, too often", () => {
  const both = [row({}), row({ is_buy: false, usd: 1_100, log_index: 1 })];
  const slow = [row({}), row({ is_buy: false, usd: 1_100, block: 200 })];
  const busy = Array.from({ length: 501 }, (_, index) => row({ block: index * 10, log_index: index }));
  const isBotOf = (rows: readonly TradeRow[]) => {
    const trader = describeTrader(rows);
    return trader ? isBot(trader) : null;
  };
  expect([isBotOf(both), isBotOf(slow), isBotOf(busy)]).toEqual([true, false, true]);
});

const wallet = (address: string, gain: number): readonly TradeRow[] =>
  [0, 1, 2, 3, 4].flatMap((index) => [
    row({ wallet: address, token: `0x${index}`, block: 100 + index, log_index: index }),
    row({
      wallet: address,
      token: `0x${index}`,
      block: 200 + index,
      is_buy: false,
      usd: 1_000 * gain,
      log_index: index,
    }),
  ]);

test("shuffled wallets leak nothing into one another, doubled prices keep the order", async () => {
  const rows = [...wallet("0xa", 1.2), ...wallet("0xb", 1.5), ...wallet("0xc", 0.9)];
  const { ranked, left_out } = rankTraders(await listTraders(rows));
  expect(ranked.map(({ trader }) => [trader.address, trader.realized_pnl_usd])).toEqual([
    ["0xb", expect.closeTo(2_500, 6)],
    ["0xa", expect.closeTo(1_000, 6)],
  ]);
  expect(left_out).toEqual({ too_few: 0, no_profit: 1, bots: 0 });
  const mixed = rankTraders(await listTraders(rows.toSorted((a, b) => a.block - b.block)));
  expect(mixed.ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score));
  const doubled = rankTraders(await listTraders(rows.map((one) => ({ ...one, usd: one.usd * 2 }))));
  expect(doubled.ranked.map(({ trader }) => trader.realized_pnl_usd)).toEqual(
    [5_000, 2_000].map((usd) => expect.closeTo(usd, 6)),
  );
});

test("flows are bought less sold within a day, by token", () => {
  const trader = describeTrader([
    row({ usd: 5_000 }),
    row({ usd: 2_000, is_buy: false, block: 101 }),
    row({ usd: 9_000, at_ms: NOW_MS - 2 * 86_400_000 }),
  ]);
  if (!trader) throw new Error("no trader");
  const followed = describeFollowed({ trader, ...scoreTrader(trader) }, NOW_MS);
  const { accumulating, distributing } = getFlows([followed], { tokens: new Map(), verdicts: new Map() });
  expect(accumulating).toMatchObject([
    { net_usd_24h: 3_000, buyers: 1, sellers: 0, symbol: null, launch_verdict: null },
  ]);
  expect(distributing).toEqual([]);
});

test("a day is 24 hours back, their first moment with it; what came to nothing is neither", () => {
  const DAY_MS = 86_400_000;
  const of = (wallets: readonly (readonly Partial<TradeRow>[])[]) => {
    const traders = wallets.map((trades) => {
      const trader = describeTrader(trades.map(row));
      if (!trader) throw new Error("no trader");
      return describeFollowed({ trader, ...scoreTrader(trader) }, NOW_MS);
    });
    const { accumulating, distributing } = getFlows(traders, { tokens: new Map(), verdicts: new Map() });
    const told = ({ net_usd_24h, buyers, sellers }: (typeof accumulating)[number]) => [net_usd_24h, buyers, sellers];
    return [accumulating.map(told), distributing.map(told)];
  };
  const at = (age_ms: number, usd = 1_000) => [{ usd, at_ms: NOW_MS - age_ms }];
  expect([DAY_MS - 1, DAY_MS, DAY_MS + 1].map((age_ms) => of([at(age_ms)]))).toEqual([
    [[[1_000, 1, 0]], []],
    [[[1_000, 1, 0]], []],
    [[], []],
  ]);
  // 5,000 bought by one less 7,000 sold by another; then 2,000 both ways, by a wallet that is neither.
  const sale = (usd: number, block = 101) => ({ usd, is_buy: false, block });
  expect(of([[{ usd: 5_000 }], [{ usd: 1_000, at_ms: 0, block: 1 }, sale(7_000)]])).toEqual([[], [[-2_000, 1, 1]]]);
  expect(of([[{ usd: 5_000 }], [{ usd: 2_000 }, sale(2_000)]])).toEqual([[[5_000, 1, 0]], []]);
  expect(of([[{ usd: 2_000 }, sale(2_000)]])).toEqual([[], []]);
  // Separate tokens: the most bought and the most sold come first.
  const bought = (usd: number, digit: string) => ({ usd, token: `0x${digit.repeat(40)}` });
  const sold = (usd: number, digit: string) => [bought(1_000, digit), { ...bought(usd, digit), is_buy: false }];
  expect(of([[bought(2_000, "1"), bought(9_000, "2"), bought(5_000, "3")]])).toEqual([
    [9_000, 5_000, 2_000].map((usd) => [usd, 1, 0]),
    [],
  ]);
  expect(of([[...sold(3_000, "1"), ...sold(9_000, "2"), ...sold(5_000, "3")]])).toEqual([
    [],
    [-8_000, -4_000, -2_000].map((usd) => [usd, 0, 1]),
  ]);
});

test("a run ends between two blocks when there are too many senders to ask for", () => {
  const swaps = [1, 1, 2, 2, 3].map((block, index) => ({ tx: `0x${index}`, block }));
  expect(getLastWhole(swaps, 9, 5)).toBe(9);
  expect(getLastWhole(swaps, 9, 3)).toBe(1);
  expect(getLastWhole(swaps, 9, 1)).toBe(1);
});

/**
 * First in, first out by another way: what was bought and what was sold of a token are two rulers of quantity laid side
 * by side; where they overlap, a sale closes a buy. The gaps at which sales found nothing move the second ruler on.
 */
function matchByRulers(rows: readonly TradeRow[]): {
  readonly pnl: number;
  readonly wins: number;
  readonly closed: number;
} {
  let [pnl, wins, closed] = [0, 0, 0];
  for (const token of new Set(rows.map((one) => one.token))) {
    const bought: { readonly from: number; readonly to: number; readonly unit: number }[] = [];
    let [filled, sold] = [0, 0];
    for (const { is_buy, qty, usd } of rows.filter((one) => one.token === token)) {
      if (is_buy) {
        bought.push({ from: filled, to: filled + qty, unit: usd / qty });
        filled += qty;
        continue;
      }
      const [from, to] = [sold, Math.min(sold + qty, filled)];
      if (to <= from) continue;
      const cost = bought.reduce(
        (sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)) * one.unit,
        0,
      );
      const gain = (usd / qty) * (to - from) - cost;
      [pnl, closed, wins, sold] = [pnl + gain, closed + 1, wins + (gain > 0 ? 1 : 0), to];
    }
  }
  return { pnl, wins, closed };
}

test("profits of worlds of wallets, tokens and three chains come to the same by rulers laid side by side", async () => {
  let seed = 5;
  const draw = (most: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let world = 0; world < 40; world += 1) {
    const rows = Array.from({ length: 200 }, (_, index) =>
      row({
        chain: ["ethereum", "base", "solana"][draw(3)] ?? "",
        wallet: `0x${draw(4)}`,
        token: `0x${draw(4)}`,
        tx: `0x${index}`,
        block: 100 + index,
        is_buy: draw(2) === 0,
        qty: 1 + draw(1_000),
        usd: 1_001 + draw(9_000),
      }),
    );
    const traders = await listTraders(rows);
    expect(traders.length).toBeGreaterThan(6);
    for (const { chain, address, realized_pnl_usd, wins, closed } of traders) {
      const again = matchByRulers(rows.filter((one) => one.chain === chain && one.wallet === address));
      expect(realized_pnl_usd).toBeCloseTo(again.pnl, 4);
      expect([wins, closed]).toEqual([again.wins, again.closed]);
    }
  }
});
