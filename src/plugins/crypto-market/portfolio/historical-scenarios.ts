/** A dated fall of the market, by asset. */
export interface HistoricalScenario {
  readonly id: string;
  /** Days (UTC) whose closes are compared. */
  readonly from: string;
  readonly to: string;
  /** Change from close to close, percent. An asset that was not listed, or lacks data, has no change. */
  readonly shocks_pct: Readonly<Record<string, number>>;
}

const ASSETS = ["BTC", "ETH", "SOL", "BNB", "XRP", "ADA", "DOGE", "AVAX", "LINK", "LTC"] as const;

function scenario(id: string, [from, to]: readonly [string, string], row: string): HistoricalScenario {
  const cells = row.trim().split(/\s+/);
  if (cells.length !== ASSETS.length) throw new RangeError(`${id} has ${cells.length} cells`);
  const shocks = ASSETS.flatMap((asset, index) => (cells[index] === "-" ? [] : [[asset, Number(cells[index])]]));
  return { id, from, to, shocks_pct: Object.fromEntries(shocks) as Record<string, number> };
}

/**
 * Closes of Binance's daily USDT candles (data.binance.vision, /api/v3/klines), from which each cell can be computed
 * again; SOL in 2022 from Coin Metrics' reference rates at 00:00 UTC (coinmetrics/data, csv/sol.csv), where the cell of
 * bear_2021_22 starts with Binance and ends with them. "-": not listed yet, or no data.
 * The last one is the low of USDC within 2023-03-11, 0.878874 USD, as CoinGecko gave it to the press.
 */
export const HISTORICAL_SCENARIOS: readonly HistoricalScenario[] = [
  // Cells in the order of ASSETS: BTC ETH SOL BNB XRP ADA DOGE AVAX LINK LTC.
  scenario("covid_2020_03_12", ["2020-03-11", "2020-03-12"], "-39.5 -44.6 - -44.1 -34.9 -41.3 - - -47.8 -38.5"),
  scenario("china_2021_05_19", ["2021-05-18", "2021-05-19"], "-14.4 -27.7 -37.5 -34.1 -33.5 -26.8 - -37.5 -38.4 -36.8"),
  scenario("may_2021", ["2021-05-11", "2021-05-23"], "-38.8 -49.8 -44.9 -61.2 -46.6 -25.5 - -57.6 -59.4 -62.3"),
  scenario("terra_2022_05", ["2022-05-04", "2022-05-12"], "-26.9 -33.3 -51.9 -33.2 -40.3 -47.3 - -54.9 -46.2 -39.3"),
  scenario("celsius_2022_06", ["2022-06-09", "2022-06-18"], "-37.0 -44.4 -20.7 - -23.2 -28.1 - -39.2 -36.1 -21.8"),
  scenario("ftx_2022_11", ["2022-11-05", "2022-11-09"], "-25.2 -32.2 -62.2 - -32.4 -25.5 - -34.2 -28.1 -26.8"),
  scenario(
    "yen_unwind_2024_08",
    ["2024-07-31", "2024-08-05"],
    "-16.4 -25.2 -24.4 -19.5 -21.5 -19.7 -22.6 -24.0 -26.0 -20.0",
  ),
  scenario(
    "liquidation_2025_10_10",
    ["2025-10-09", "2025-10-10"],
    "-7.3 -12.3 -14.7 -12.2 -15.4 -22.1 -22.1 -27.1 -21.3 -23.1",
  ),
  scenario(
    "selloff_2026_02",
    ["2026-01-28", "2026-02-05"],
    "-29.6 -39.3 -37.5 -32.6 -36.4 -31.5 -29.2 -31.1 -33.1 -26.8",
  ),
  scenario("bear_2021_22", ["2021-11-08", "2022-11-21"], "-76.6 -77.0 -95.2 - -71.6 -85.7 - -87.0 -82.9 -73.2"),
  scenario("bear_2025_26", ["2025-10-06", "2026-02-05"], "-49.5 -61.0 -66.3 -50.3 -59.4 -71.8 -66.7 -72.8 -66.1 -57.1"),
  {
    id: "usdc_depeg_2023_03",
    from: "2023-03-11",
    to: "2023-03-11",
    shocks_pct: { ...Object.fromEntries(ASSETS.map((asset) => [asset, 0])), USDC: -12.1 },
  },
];

/** Stablecoins that a portfolio may hold; they move only in their own scenario. */
export const STABLECOINS: readonly string[] = ["USDC", "USDT", "DAI", "FDUSD", "USDE", "PYUSD"];

export const isStablecoin = (asset: string): boolean => STABLECOINS.includes(asset);
