import { expect, test } from "bun:test";
import { createSimulatedNode } from "../../../../../test/helpers/simulated-node.ts";
import type { FetchContext } from "../../../../catalog/context.ts";
import { fetchSmartMoney } from "../../smart-money/fetch.ts";
import { PIECE_ROWS, readRows, readTrades } from "./store.ts";
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
    ...{ chain: "base", tx: `0x${index}`, log_index: index % 7, pool: "0xp", wallet: `0x${(index * 31) % WALLETS}` },
    ...{ token: `0x${String(index % 12).padStart(40, "1")}`, is_buy: index % (2 * WALLETS) < WALLETS },
    ...{ qty: 1 + (index % 5), usd: 1_000 + (index % 997), block: 1_000 + index },
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
  // Reading, sorting out and describing each take a dozen turns; only the sort by block is one.
  expect(turns.length).toBeGreaterThan((3 * 24_000) / PIECE_ROWS);
  expect(turns.filter((count) => count > PIECE_ROWS)).toEqual([24_000]);
  expect(JSON.stringify(inputs).length).toBeLessThan(150_000);
  node.close();
});

test("a scan with more trades than a page is read whole, and each trade once", async () => {
  const rows = makeRows(3 * PIECE_ROWS, 2.5 * PIECE_ROWS);
  const node = await createStore(rows);
  const read = await readRows(node.createContext(), WINDOW, 60_000);
  expect(read).toEqual({ rows: [...rows], is_cut: false });
  node.close();
});

test("more trades than may be read: the newest ones, and that is said", async () => {
  const node = await createStore(makeRows(5 * PIECE_ROWS, 100));
  const { rows, is_cut } = await readRows(node.createContext(), WINDOW, 2 * PIECE_ROWS);
  expect(is_cut).toBe(true);
  expect(rows.length).toBeGreaterThanOrEqual(2 * PIECE_ROWS);
  expect(rows.at(-1)?.block).toBe(1_000 + 5 * PIECE_ROWS - 1);
  const { stored } = await readTrades(node.createContext(), { days: 30, chain: "base" });
  expect(stored).toMatchObject({ trades: 5 * PIECE_ROWS, is_cut: false });
  node.close();
});
