import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { checkFunding, type FundingReading, RATE_PATTERN } from "../funding-reading.ts";
import { DecimalText } from "../quote.ts";
import { bybit } from "./provider.ts";

const Ticker = Type.Object({
  symbol: Type.String(),
  markPrice: DecimalText,
  fundingRate: Type.String({ pattern: RATE_PATTERN }),
  fundingIntervalHour: Type.String({ pattern: "^[1-9][0-9]?$" }),
  /** One side, in coins. `openInterest` beside it counts both sides, and did not always: it is not used. */
  singleOpenInterest: DecimalText,
});
/** The result of an error is an empty object. */
const Answer = Type.Object({
  retCode: Type.Integer(),
  result: Type.Object({ list: Type.Optional(Whole("one", Ticker, { maxItems: 1 })) }),
});

/**
 * Funding and open interest of the perpetual future of BASE/USDT; a USDT counts as a dollar. The rate stated is of a
 * whole interval, whose length differs from coin to coin.
 * @throws UpstreamError
 */
export function fetchBybitFunding(context: Pick<FetchContext, "get">, base: string): Promise<FundingReading> {
  const symbol = `${base}USDT`;
  return context.get(bybit, {
    path: `/v5/market/tickers?category=linear&symbol=${symbol}`,
    schema: Answer,
    ttl_ms: 10_000,
    read({ retCode, result }) {
      if (retCode !== 0) return unusable(`error code ${retCode}`);
      const ticker = result.list?.[0];
      if (!ticker || ticker.symbol !== symbol) return unusable("no ticker of this symbol");
      return checkFunding({
        symbol: base,
        rate_1h_frac: Number(ticker.fundingRate) / Number(ticker.fundingIntervalHour),
        open_interest_usd: Number(ticker.singleOpenInterest) * Number(ticker.markPrice),
      });
    },
  });
}
