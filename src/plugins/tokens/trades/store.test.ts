import { expect, test } from "bun:test";
import { listPlans } from "../../../../test/helpers/query-plans.ts";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import type { FetchContext } from "../../../catalog/context.ts";
import { fetchCopytrade } from "../copytrade/fetch.ts";
import { fetchSmartMoney } from "../smart-money/fetch.ts";
import { PIECE_ROWS } from "./pieces.ts";
import { readRows, readTrades } from "./store.ts";
import { type TradeRow, tradeScans, trades } from "./tables.ts";
import { listTraders, rankTraders } from "./traders.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);
const MINUTE_MS = 60_000;
const SCAN_MS = 30 * MINUTE_MS;
const WALLETS = 700;
const WINDOW = { chain: "base", from_ms: 0 } as const;

/** Trades of a few days, so many to a scan. */
const makeRows = (count: number, per_scan: number): readonly TradeRow[] =>
  Array.from({ length: count }, (_, index) => ({
    chain: "base",
    tx: `0x${index}`,
    log_index: index % 7,
    pool: "0xp",
    wallet: `0x${(index * 31) % WALLETS}`,
    token: `0x${String(index % 12).padStart(40, "1")}`,
    is_buy: index % (2 * WALLETS) < WALLETS,
    qty: 1 + (index % 5),
    usd: 1_000 + (index % 997),
    block: 1_000 + index,
    at_ms: NOW_MS - SCAN_MS * (1 + Math.floor((count - 1 - index) / per_scan)),
  }));

async function createStore(rows: readonly TradeRow[]) {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  for (let from = 0; from < rows.length; from += 1_000) await node.table(trades).put(rows.slice(from, from + 1_000));
  const scan = { chain: "base", from_block: 1, to_block: 2, to_hash: "0x1", pools: 1, at_ms: NOW_MS - MINUTE_MS };
  await node.table(tradeScans).insert([scan]);
  return node;
}

/** A run that notes how many rows each turn of the thread brought. */
function noteTurns(context: FetchContext) {
  const turns: number[] = [];
  const inTurn: FetchContext["inTurn"] = async (piece) => {
    const made = piece();
    const rows: unknown = await made;
    turns.push(Array.isArray(rows) ? rows.length : 0);
    return made;
  };
  return { context: { ...context, inTurn }, turns };
}

test("tens of thousands of trades are read and ranked a few at a time, and no answer is handed them", async () => {
  const rows = makeRows(24_000, 150);
  const node = await createStore(rows);
  const { context, turns } = noteTurns(node.createContext());
  const inputs = await fetchSmartMoney(context, { days: 30, min_closed: 5, chain: "base" });
  const whole = rankTraders(await listTraders(rows));
  expect(whole.ranked.length).toBeGreaterThan(50);
  expect(inputs.best.map(({ address, score }) => [address, score])).toEqual(
    whole.ranked.slice(0, 50).map(({ trader, score }) => [trader.address, score]),
  );
  expect(inputs.left_out).toEqual(whole.left_out);
  expect(inputs.trades).toBe(24_000);
  // Reading, sorting out and describing each take a dozen turns, and none is for all of them.
  expect(turns.length).toBeGreaterThan((3 * 24_000) / PIECE_ROWS);
  expect(turns.filter((count) => count > PIECE_ROWS)).toEqual([]);
  expect(JSON.stringify(inputs).length).toBeLessThan(150_000);
  node.close();
});

test("trades come in the order of an index, of a chain and of a wallet: no statement sorts", async () => {
  const rows = makeRowsOf(PIECE_ROWS + 5, () => "0xa");
  const plansOf = (whose: { readonly chain: "base"; readonly wallet?: string }) =>
    listPlans({ table: trades, rows }, (context) =>
      readRows({ ...context, now_ms: NOW_MS }, { ...whose, from_ms: 0 }, 60_000),
    );
  expect(await plansOf({ chain: "base" })).toEqual([
    "SEARCH tokens/trades USING INDEX tokens/trades by chain block log_index (chain=?)",
    "SEARCH tokens/trades USING INDEX tokens/trades by chain block log_index (chain=? AND block<?)",
  ]);
  const by_wallet = "SEARCH tokens/trades USING INDEX tokens/trades by chain wallet block log_index";
  expect(await plansOf({ chain: "base", wallet: "0xa" })).toEqual([
    `${by_wallet} (chain=? AND wallet=?)`,
    `${by_wallet} (chain=? AND wallet=? AND block<?)`,
  ]);
});

/** Some trades of one wallet, or each of another wallet. */
const makeRowsOf = (count: number, walletOf: (index: number) => string): readonly TradeRow[] =>
  makeRows(count, 150).map((row, index) => ({ ...row, wallet: walletOf(index), is_buy: index < count / 2 }));

test("one wallet's tens of thousands of trades, and as many wallets of one, are gone through in pieces", async () => {
  const count = 12 * PIECE_ROWS;
  for (const rows of [makeRowsOf(count, () => "0xb07"), makeRowsOf(count, (index) => `0x${index}`)]) {
    const pieces: number[] = [];
    let touched = 0;
    const watched = rows.map(
      (row) =>
        new Proxy(row, {
          get(target, name) {
            if (name === "block") touched += 1;
            return Reflect.get(target, name);
          },
        }),
    );
    const traders = await listTraders(watched, async (piece) => {
      touched = 0;
      const made = piece();
      pieces.push(touched);
      return made;
    });
    expect(traders.map(({ trades: own }) => own.length).reduce((sum, one) => sum + one)).toBe(count);
    expect(traders).toEqual(await listTraders(rows));
    // A block is looked at three times at most.
    expect(Math.max(...pieces)).toBeLessThanOrEqual(3 * PIECE_ROWS);
  }
});

test("pages of one chain walk over no rows of another, and of a token asked for all are its own", async () => {
  const rows = makeRows(3 * PIECE_ROWS, 100);
  const others = rows.map((row) => ({ ...row, chain: "solana" }));
  const node = await createStore([...others, ...rows.slice(0, 10)]);
  const { context, turns } = noteTurns(node.createContext());
  expect((await readRows(context, WINDOW, 60_000)).rows).toEqual(rows.slice(0, 10));
  expect(turns).toEqual([10]);
  const token = rows[0]?.token ?? "";
  const of_token = await readRows(context, { ...WINDOW, chain: "solana", tokens: [token] }, 60_000);
  expect(of_token.rows).toEqual(others.filter((row) => row.token === token));
  expect(Math.max(...turns)).toBe(PIECE_ROWS);
  node.close();
});

test("what is older than the window is not walked over, and nothing newer is left out", async () => {
  const rows = makeRows(20 * PIECE_ROWS, 100);
  const node = await createStore(rows);
  const { context, turns } = noteTurns(node.createContext());
  const from_ms = NOW_MS - 20 * SCAN_MS;
  const read = await readRows(context, { chain: "base", from_ms }, 60_000);
  expect(read).toEqual({ rows: rows.filter(({ at_ms }) => at_ms >= from_ms), is_cut: false });
  expect(turns.length).toBeLessThan(6);
  node.close();
});

test("of a block of more trades than a page all are read, once", async () => {
  const rows = makeRows(4 * PIECE_ROWS, 500).map((row, index) => ({
    ...row,
    block: index > 500 ? 5_000 : row.block,
    log_index: index,
  }));
  const node = await createStore(rows);
  expect(await readRows(node.createContext(), WINDOW, 60_000)).toEqual({ rows, is_cut: false });
  node.close();
});

test("a copied wallet is handed on with its newest trades alone, however many it made", async () => {
  const rows = makeRowsOf(4 * PIECE_ROWS, () => "0xb07");
  const node = await createStore(rows);
  const { context, turns } = noteTurns(node.createContext());
  const inputs = await fetchCopytrade(context, { wallet: "0xb07", days: 30, haircut_bps: 50 });
  expect(inputs.wallet.trades_seen).toBe(rows.length);
  expect(inputs.wallet.recent).toEqual(rows.slice(-10).reverse());
  expect(JSON.stringify(inputs).length).toBeLessThan(20_000);
  expect(Math.max(...turns)).toBe(PIECE_ROWS);
  node.close();
});

test("a scan with more trades than a page is read whole, and each trade once", async () => {
  const rows = makeRows(3 * PIECE_ROWS, 2.5 * PIECE_ROWS);
  const node = await createStore(rows);
  const read = await readRows(node.createContext(), WINDOW, 60_000);
  expect(read).toEqual({ rows: [...rows], is_cut: false });
  node.close();
});

test("more trades than the limit: the newest ones are read, and the answer says so", async () => {
  const node = await createStore(makeRows(5 * PIECE_ROWS, 100));
  const { rows, is_cut } = await readRows(node.createContext(), WINDOW, 2 * PIECE_ROWS);
  expect(is_cut).toBe(true);
  expect(rows.length).toBeGreaterThanOrEqual(2 * PIECE_ROWS);
  expect(rows.at(-1)?.block).toBe(1_000 + 5 * PIECE_ROWS - 1);
  const { stored } = await readTrades(node.createContext(), { days: 30, chain: "base" });
  expect(stored).toMatchObject({ trades: 5 * PIECE_ROWS, is_cut: false });
  node.close();
});
