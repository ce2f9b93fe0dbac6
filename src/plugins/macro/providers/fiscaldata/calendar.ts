import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows, toInstant } from "intel-node";
import type { ScheduledEvent } from "../../shared/kinds.ts";
import { fiscaldata } from "./provider.ts";

const Answer = Type.Object({
  data: Rows(
    Type.Object({
      security_type: Type.String({ maxLength: 40 }),
      security_term: Type.String({ maxLength: 40 }),
      auction_date: Type.String({ maxLength: 20 }),
    }),
    { maxItems: 200 },
  ),
});
/** A bond that is sold again a month or two later is named by what is left of it: two sales of three are such. */
const TERM = /^(?:10-Year|30-Year|(?:9|29)-Year 1[01]-Month)$/;
/** Indexed and floating ones, where the type says so. */
const OTHER = /^(?:TIPS|FRN) /;
/** Bids close at 13:00 New York. */
const TIME = "13:00";
const TTL_MS = 3_600_000;
const TABLE = "/services/api/fiscal_service/v1/accounting/od/upcoming_auctions";

/**
 * Auctions of notes and bonds of 10 and 30 years that are announced; none when none is. The table keeps rows of years
 * ago: the newest are asked for first.
 * @throws UpstreamError
 */
export function fetchAuctions(context: Pick<FetchContext, "get">): Promise<readonly ScheduledEvent[]> {
  return context.get(fiscaldata, {
    path: `${TABLE}?format=json&sort=-auction_date&page[size]=100`,
    schema: Answer,
    ttl_ms: TTL_MS,
    read: ({ data }, _, eachRow) =>
      eachRow(data, ({ security_type, security_term, auction_date }): readonly ScheduledEvent[] | string => {
        if (!TERM.test(security_term) || OTHER.test(security_type)) return [];
        if (!/^\d{4}-\d\d-\d\d$/.test(auction_date) || Number.isNaN(Date.parse(auction_date))) return "no day";
        const at_ms = toInstant("America/New_York", auction_date, TIME);
        return [
          {
            ...{ kind: "auction", at_ms, all_day: false, status: "scheduled", window_days: null },
            source: fiscaldata.id,
          },
        ];
      }).flat(),
  });
}
