import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { isUnusable, type Unusable, unusable } from "../../../catalog/unusable.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { checkFunding, type FundingReading, RATE_PATTERN } from "../funding-reading.ts";
import { DecimalText, TimeText } from "../quote.ts";
import { okx } from "./provider.ts";

const Rate = Type.Object({
  instId: Type.String(),
  fundingRate: Type.String({ pattern: RATE_PATTERN }),
  /** End of the running interval and of the next one: their difference is how long an interval is. */
  fundingTime: TimeText,
  nextFundingTime: TimeText,
});
const Interest = Type.Object({ instId: Type.String(), oiUsd: DecimalText, ts: TimeText });
/** An error has a code other than "0" and no data. */
const answerOf = <S extends typeof Rate | typeof Interest>(row: S) =>
  Type.Object({ code: Type.String(), data: Whole("one", row, { maxItems: 1 }) });
const Rates = answerOf(Rate);
const Interests = answerOf(Interest);

const TTL_MS = 10_000;
const HOUR_MS = 3_600_000;
const INTERVAL_HOURS_MAX = 24;
/** Open interest is renewed every few seconds. */
const AGE_MAX_MS = 600_000;

type FundingContext = Pick<FetchContext, "get" | "now_ms">;

/** The one row of an answer, or why there is none. */
function readRow<R extends { readonly instId: string }>(
  { code, data: [row] }: { readonly code: string; readonly data: readonly R[] },
  future: string,
): R | Unusable {
  if (code !== "0") return unusable(`error code ${code.slice(0, 20)}`);
  return row?.instId === future ? row : unusable("the answer is about another future");
}

/** Funding per hour. */
function readRate(row: Static<typeof Rate>, now_ms: number): { readonly rate_1h_frac: number } | Unusable {
  const hours = (Number(row.nextFundingTime) - Number(row.fundingTime)) / HOUR_MS;
  if (!(hours >= 1 && hours <= INTERVAL_HOURS_MAX)) return unusable("the interval of funding cannot be told");
  if (Number(row.fundingTime) < now_ms - CLOCK_SKEW_MAX_MS) return unusable("the interval is over");
  return { rate_1h_frac: Number(row.fundingRate) / hours };
}

/**
 * Funding and open interest of the perpetual future of BASE/USDT, from two calls at once.
 * @throws UpstreamError
 */
export async function fetchOkxFunding(context: FundingContext, base: string): Promise<FundingReading> {
  const future = `${base}-USDT-SWAP`;
  const [{ rate_1h_frac }, { oiUsd }] = await Promise.all([
    context.get(okx, {
      path: `/api/v5/public/funding-rate?instId=${future}`,
      schema: Rates,
      ttl_ms: TTL_MS,
      read(answer) {
        const row = readRow(answer, future);
        return isUnusable(row) ? row : readRate(row, context.now_ms);
      },
    }),
    context.get(okx, {
      path: `/api/v5/public/open-interest?instType=SWAP&instId=${future}`,
      schema: Interests,
      ttl_ms: TTL_MS,
      read(answer) {
        const row = readRow(answer, future);
        if (isUnusable(row)) return row;
        return context.now_ms - Number(row.ts) > AGE_MAX_MS ? unusable("the open interest is older than 10 min") : row;
      },
    }),
  ]);
  const funding = checkFunding({ symbol: base, rate_1h_frac, open_interest_usd: Number(oiUsd) });
  if (isUnusable(funding)) throw new UpstreamError("upstream_bad_response", okx.id, funding.why);
  return funding;
}
