import { type Static, Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { UpstreamError } from "../../../core/errors.ts";
import type { Bar, BarsContext, BarsRequest } from "../bars.ts";
import { defineCandles } from "../candle-row.ts";
import { DecimalText } from "../quote.ts";
import { fetchHyperliquidCoins } from "./coins.ts";
import { hyperliquid } from "./provider.ts";

const Answer = Whole(
  "series",
  Type.Object({
    t: Type.Integer({ minimum: 0 }),
    s: Type.String(),
    i: Type.Union([Type.Literal("1h"), Type.Literal("4h"), Type.Literal("1d")]),
    o: DecimalText,
    h: DecimalText,
    l: DecimalText,
    c: DecimalText,
    v: DecimalText,
  }),
  { minItems: 1, maxItems: 5_000 },
);

/** It keeps the newest 5,000 bars of each length, the open one included. */
export const HYPERLIQUID_BARS_MAX = 4_999;

/** Coins that have been there for years. Whether others are listed is looked up: asking for them is an error there. */
const KNOWN: readonly string[] =
  "BTC ETH SOL BNB XRP ADA DOGE AVAX LINK LTC TRX DOT BCH SUI NEAR UNI AAVE ARB OP APT".split(" ");

interface Listing {
  /** The venue's name of the coin. */
  readonly coin: string;
  /** How many of the coin one of the venue's is. */
  readonly units: number;
}

/** Coins of a tiny price are listed by the thousand: kPEPE is 1,000 PEPE. */
async function getListing(context: BarsContext, base: string): Promise<Listing> {
  if (KNOWN.includes(base)) return { coin: base, units: 1 };
  const coins = await fetchHyperliquidCoins(context);
  if (coins.has(base)) return { coin: base, units: 1 };
  if (coins.has(`k${base}`)) return { coin: `k${base}`, units: 1_000 };
  throw new UpstreamError("upstream_not_found", hyperliquid.id, `${hyperliquid.id}: ${base} is not listed`);
}

const toBar = (row: Static<typeof Answer>[number], units: number): Bar => ({
  t_ms: row.t,
  open: Number(row.o) / units,
  high: Number(row.h) / units,
  low: Number(row.l) / units,
  close: Number(row.c) / units,
  volume: Number(row.v) * units,
});

const fetchListed = ({ coin, units }: Listing) =>
  defineCandles(hyperliquid, {
    page_bars: null,
    ask: ({ interval }, { from_ms, to_ms, step_ms }) => ({
      path: "/info",
      body: { type: "candleSnapshot", req: { coin, interval, startTime: from_ms, endTime: to_ms + step_ms - 1 } },
    }),
    schema: Answer,
    read: (rows, { interval }) =>
      rows.some(({ s, i }) => s !== coin || i !== interval)
        ? unusable("the answer is about another coin or length")
        : rows.map((row) => toBar(row, units)),
  });

/**
 * Bars of a coin's perpetual future, in USD; volume in the coin. Its middle price is within a few basis points of spot.
 * Bars before May 2023 are an index without volume.
 * @throws UpstreamError
 */
export async function fetchHyperliquidBars(context: BarsContext, request: BarsRequest): Promise<Bar[]> {
  const listing = await getListing(context, request.base);
  return fetchListed(listing)(context, request);
}
