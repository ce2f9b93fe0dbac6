import { expect, test } from "bun:test";
import { DAY_MS } from "intel-node/providers/bars";
import { drawPortfolio } from "./charts.ts";
import type { StressInputs } from "./fetch.ts";

const seriesOf = (symbol: string, closes: readonly (number | null)[]): StressInputs["series"][number] => ({
  symbol,
  interval: "1d",
  provider: "a",
  fetched_at_ms: 0,
  bars: closes.flatMap((close, day) =>
    close === null ? [] : [{ t_ms: day * DAY_MS, open: close, high: close, low: close, close, volume: 1 }],
  ),
});

test("the same quantities are worth what their closes say, on the days that all of them have", () => {
  const inputs: StressInputs = {
    prices: new Map(),
    volumes_usd: new Map(),
    unread: [],
    errors: [],
    cell_faults: [],
    positions: [
      { asset: "BTC", quantity: 2 },
      { asset: "ETH", quantity: -1 },
      { asset: "USDC", quantity: 100 },
    ],
    series: [seriesOf("BTC", [10, 20, 30]), seriesOf("ETH", [5, null, 7])],
  };
  const [chart] = drawPortfolio({ inputs });
  expect(chart?.kind === "time" ? chart.lines[0]?.points : null).toEqual([
    [0, 15],
    [2 * DAY_MS, 53],
  ]);
  expect(drawPortfolio({ inputs: { ...inputs, series: [] } })).toEqual([]);
});
