import { createPack, type FactDraft, type SentenceWriter, type WritingPlan } from "intel-node";
import type { MarketPack } from "./schema.ts";

const WORDS_MAX = 180;
/** The brief has the prices of the first coins; the pack has all of them. */
const COINS_TOLD = 2;
const PLAIN = { unsigned: true } as const;

/** What is of no single coin, and of Bitcoin alone. */
function listMarket(pack: MarketPack, own: { readonly from: string; readonly as_of: string }): readonly FactDraft[] {
  const { market, regime, fear_greed, volatility, derivatives, breadth, fees, signals } = pack;
  const whole = market?.total_of === "market" ? market.total_cap_usd : null;
  return [
    { ...own, name: "market_cap", label: "value of all coins", unit: "usd", value: whole },
    { ...own, from: "/regime", name: "regime_score", label: "regime score", unit: "number", value: regime?.score },
    {
      ...own,
      from: "/regime",
      name: "breadth",
      label: "coins above their 50-day average",
      unit: "ratio",
      value: breadth?.above_sma50_frac,
    },
    {
      ...own,
      from: "/fear-greed",
      name: "fear_greed",
      label: "fear and greed",
      unit: "index",
      value: fear_greed?.value,
    },
    {
      ...own,
      from: "/regime",
      name: "btc_vol",
      label: "BTC volatility of 30 days",
      unit: "pct",
      about: "BTC",
      value: volatility?.btc_rv30_pct,
    },
    {
      ...own,
      name: "btc_funding",
      label: "BTC funding, percent per year",
      unit: "pct",
      kind: "change",
      about: "BTC",
      value: derivatives?.btc_funding_apr_pct,
    },
    {
      ...own,
      from: "/mempool",
      name: "btc_fee",
      label: "fee of a Bitcoin transfer, satoshi per vB",
      unit: "number",
      value: fees?.btc_fastest_sat_vb,
    },
    { ...own, from: "/sinais", name: "signals", label: "active signals", unit: "count", value: signals?.active_n },
  ];
}

/** The numbers of the pack that the brief may show, as facts. */
function createFacts(pack: MarketPack, as_of: string) {
  const { regime, fear_greed, movers } = pack;
  const symbols = new Set([...pack.prices, ...movers.up, ...movers.down].map(({ symbol }) => symbol));
  const builder = createPack({
    days: regime ? [{ name: "regime_since", label: "regime, since", from: "/regime", date: regime.since }] : [],
    windows: ["24h", "7d", "30d", "50d"],
    subjects: Object.fromEntries([...symbols].map((symbol) => [symbol, []])),
    identifiers: [
      ...(fear_greed ? [fear_greed.classification, fear_greed.attribution?.text ?? ""] : []),
      ...(pack.sectors?.leading ?? []),
    ].filter((text) => text !== ""),
  });
  const own = { from: "/market-brief", as_of };
  for (const { symbol: about, price_usd, chg_24h_pct, chg_7d_pct } of pack.prices.slice(0, COINS_TOLD)) {
    const change = { ...own, unit: "pct", kind: "change", about } as const;
    builder.addAll([
      { ...own, name: `${about}_price`, label: `${about} price`, unit: "usd", about, value: price_usd },
      { ...change, name: `${about}_24h`, label: `${about} change, 24h`, window: "24h", value: chg_24h_pct },
      { ...change, name: `${about}_7d`, label: `${about} change, 7d`, window: "7d", value: chg_7d_pct },
    ]);
  }
  for (const [name, one] of [
    ["gainer", movers.up[0]],
    ["loser", movers.down[0]],
  ] as const) {
    if (!one) continue;
    const label = `${one.symbol} change, 24h, the most of twenty coins`;
    const about = one.symbol;
    builder.add({ ...own, name, label, unit: "pct", kind: "change", about, window: "24h", value: one.chg_24h_pct });
  }
  builder.addAll(listMarket(pack, own));
  return builder.build();
}

const sayMarket = (write: SentenceWriter, pack: MarketPack): void => {
  const { say, show, bySign } = write;
  for (const { symbol } of pack.prices.slice(0, COINS_TOLD)) {
    const [day, week] = [`${symbol}_24h`, `${symbol}_7d`];
    const moved = (name: string) => bySign(name, ["up", "down", "changed by"]);
    say`${symbol} closed the last full hour at ${show(`${symbol}_price`)}, ${moved(day)} ${show(day, PLAIN)} in
      24h and ${moved(week)} ${show(week, PLAIN)} in 7d.`;
  }
  say`All coins are worth ${show("market_cap")}.`;
  const { regime, fear_greed } = pack;
  if (regime) say`The regime is ${regime.regime} with a score of ${show("regime_score")}, since ${regime.since}.`;
  say`The share of coins above their 50-day average is ${show("breadth")}.`;
  if (fear_greed) {
    const by = fear_greed.attribution ? ` (${fear_greed.attribution.text})` : " (the index of this node)";
    say`Fear and greed stands at ${show("fear_greed")}, ${fear_greed.classification}${by}.`;
  }
};

const sayRest = ({ say, show }: SentenceWriter, pack: MarketPack): void => {
  say`The volatility of BTC over 30 days is ${show("btc_vol")} a year.`;
  say`Funding of its perpetual runs at ${show("btc_funding")} a year.`;
  const { movers, sectors, anomalies_top } = pack;
  if (movers.up[0]) say`${movers.up[0].symbol} gained the most, ${show("gainer", PLAIN)}.`;
  if (movers.down[0]) say`${movers.down[0].symbol} lost the most, ${show("loser", PLAIN)}.`;
  if (sectors && sectors.leading.length > 0) say`Leading sectors: ${sectors.leading.join(", ")}.`;
  if (anomalies_top && anomalies_top.length > 0) {
    const odd = anomalies_top.map(({ type, symbol }) => `${type.replaceAll("_", " ")} of ${symbol}`);
    say`Odd just now: ${odd.join(", ")}.`;
  }
  say`A Bitcoin transfer in the next block costs ${show("btc_fee")} satoshi per vB.`;
  say`This node counts ${show("signals")} active signals.`;
};

/** The brief to be written of a pack. */
export const planBrief = (pack: MarketPack, as_of: string): WritingPlan => ({
  pack: createFacts(pack, as_of),
  locale: "en",
  task: "You write the brief of a crypto market data service, for software agents.",
  blocks: [
    {
      id: "brief",
      about: "the whole market in one paragraph",
      words_max: WORDS_MAX,
      template: (write) => {
        sayMarket(write, pack);
        sayRest(write, pack);
      },
    },
  ],
});
