import { describe, expect, test } from "bun:test";
import { sampleCorrelation } from "simple-statistics";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { createCalendar, findExchange } from "../../../calendars/calendar.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { b3Closes } from "../../../upstream/series/b3-closes.ts";
import { closes } from "../../../upstream/series/share-closes.ts";
import { job as usClose } from "../../equities/jobs/us-close.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

type Points = readonly (readonly [date: string, close: number])[];

/** A walk of the days on which an exchange traded, newest on 30 September. */
function walkDays(mic: "XNYS" | "BVMF", { seed, days = 200 }: { readonly seed: number; readonly days?: number }) {
  const exchange = findExchange(mic);
  if (!exchange) throw new Error(`no calendar of ${mic}`);
  const calendar = createCalendar(exchange);
  const next = parkMiller(seed);
  let close = 100;
  return Array.from({ length: days }, (_, index) => new Date(NOW_MS - (days - index) * DAY_MS).toISOString())
    .map((text) => text.slice(0, 10))
    .filter((date) => calendar.isTradingDay(date))
    .map((date): [string, number] => {
      close *= Math.exp(0.03 * (next() - 0.5));
      return [date, close];
    });
}

async function storeUS(node: SimulatedNode, of: string, points: Points): Promise<void> {
  for (const [date, value] of points) {
    await closes.write(node.createContext(), value, { of, at_ms: Date.parse(date) });
  }
}

async function storeB3(node: SimulatedNode, symbol: string, points: Points): Promise<void> {
  const rows = points.map(([date, close], index) => {
    const before = points[index - 1]?.[1];
    return { symbol, date, close, change_pct: before === undefined ? null : 100 * (close / before - 1) };
  });
  await node.createContext().table(b3Closes).put(rows);
}

/** The rule by hand: only days that both have, and of those the last 91. */
function correlateByHand(a: Points, b: Points): number {
  const others = new Map(b);
  const common = a.filter(([date]) => others.has(date)).slice(-91);
  const returnsOf = (values: readonly number[]) =>
    values.slice(1).map((value, index) => Math.log(value / (values[index] ?? 1)));
  return sampleCorrelation(
    returnsOf(common.map(([, close]) => close)),
    returnsOf(common.map(([date]) => others.get(date) ?? 0)),
  );
}

const US = walkDays("XNYS", { seed: 3 });
const BRAZIL = walkDays("BVMF", { seed: 5 });

describe("shares at /correlation-matrix", () => {
  test("of two exchanges are compared on the days that both traded, as by hand", async () => {
    const node = createNode();
    await storeUS(node, "AAPL", US);
    await storeB3(node, "PETR4", BRAZIL);
    // Each exchange has its own days, else the test shows nothing.
    expect(US.map(([date]) => date)).not.toEqual(BRAZIL.map(([date]) => date));
    const { data, warnings } = await run(node, "symbols=aapl.us,PETR4.SA");
    expect([data.symbols, data.windows]).toEqual([[], []]);
    expect(data.macro).toMatchObject([{ a: "AAPL.US", b: "PETR4.SA", n: 90, asynchronous: false }]);
    expect(data.macro?.[0]?.pearson).toBeCloseTo(correlateByHand(US, BRAZIL), 4);
    expect(data.macro?.[0]?.common_end).toBe("2026-09-30");
    expect(warnings.filter((text) => text.startsWith("macro"))).toEqual([]);
  });

  test("appear beside coins, which trade on more days, and carry risk in a portfolio", async () => {
    const node = createNode();
    await storeUS(node, "AAPL", US);
    await storeB3(node, "PETR4", BRAZIL);
    const { data, warnings } = await run(node, "symbols=BTC,ETH,AAPL.US,PETR4.SA&weights=1,1,1,1");
    expect(data.symbols).toEqual(["BTC", "ETH"]);
    expect(data.macro).toHaveLength(6);
    expect(data.macro?.every(({ n, pearson }) => n === 90 && pearson !== null)).toBe(true);
    expect(data.portfolio?.parts.map(({ symbol }) => symbol)).toEqual(["BTC", "ETH", "AAPL.US", "PETR4.SA"]);
    expect(warnings).toContain("portfolio: PETR4.SA in BRL: exchange rates are in none of its figures");
  });

  test("the closes that a job stored name their source", async () => {
    const node = createNode({ now_ms: Date.UTC(2026, 8, 30, 20, 0, 20) });
    await storeUS(node, "AAPL", US.slice(0, -1));
    await usClose.run(node.createContext());
    const { sources } = await run(node, "symbols=BTC,AAPL.US");
    expect(sources.some(({ provider }) => provider === "rhj")).toBe(true);
  });

  test("a split ends the history, with a warning; B3's own change heals one", async () => {
    const node = createNode();
    const split = (points: Points): Points =>
      points.map(([date, close], index) => [date, index < 60 ? close : close / 10]);
    await storeUS(node, "AAPL", split(US));
    const rows = split(BRAZIL).map(([date, close], index) => {
      const [now, before] = [BRAZIL[index]?.[1] ?? 0, BRAZIL[index - 1]?.[1]];
      return { symbol: "PETR4", date, close, change_pct: before === undefined ? null : 100 * (now / before - 1) };
    });
    await node.createContext().table(b3Closes).put(rows);
    await storeB3(node, "VALE3", BRAZIL);
    const { data, warnings } = await run(node, "symbols=AAPL.US,PETR4.SA,VALE3.SA");
    const [day] = US[60] ?? [];
    expect(warnings).toContain(
      `macro: closes of AAPL.US before ${day} are left out, the price jumped on it as a split makes it`,
    );
    expect(data.macro?.find(({ a, b }) => a === "PETR4.SA" && b === "VALE3.SA")?.pearson).toBeCloseTo(1, 4);
    expect(data.macro?.find(({ b }) => b === "PETR4.SA")?.n).toBeLessThan(90);
  });

  test("a share without stored closes is not found where others are, and left out where none are", async () => {
    const node = createNode();
    const none = await run(node, "symbols=BTC,ETH,AAPL.US,PETR4.SA");
    expect(none.warnings.filter((text) => text.startsWith("macro"))).toEqual([
      "macro: no recent history of another market is stored",
    ]);
    await storeUS(node, "AAPL", US);
    await storeB3(node, "PETR4", BRAZIL);
    for (const [name, near] of [
      ["AAPX.US", "AAPL.US"],
      ["PETR3.SA", "PETR4.SA"],
    ] as const) {
      const error = await refusalOf(run(node, `symbols=BTC,ETH,${name}`));
      expect([error.status, error.options.details?.near]).toEqual([404, [near]]);
    }
  });

  test("closes that ended weeks ago are not a current history", async () => {
    const node = createNode();
    await storeUS(node, "AAPL", US.slice(0, -12));
    const { warnings } = await run(node, "symbols=BTC,ETH,AAPL.US");
    expect(warnings.some((text) => text.startsWith("macro"))).toBe(true);
  });
});
