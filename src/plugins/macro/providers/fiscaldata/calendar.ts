import { Type } from "@sinclair/typebox";
import { type FetchContext, toInstant } from "intel-node";
import type { ScheduledEvent } from "../../shared/kinds.ts";
import { fiscaldata } from "./provider.ts";

const Answer = Type.Object({
  data: Type.Array(
    Type.Object({
      security_type: Type.String({ maxLength: 40 }),
      security_term: Type.String({ maxLength: 40 }),
      auction_date: Type.String({ maxLength: 20 }),
    }),
    { maxItems: 200 },
  ),
});
const TERMS = ["10-Year", "30-Year"];
/** Bids close at 13:00 New York. */
const TIME = "13:00";
const TTL_MS = 3_600_000;

/** Auctions of notes and bonds of 10 and 30 years that are announced; none when none is. @throws UpstreamError */
export function fetchAuctions(context: Pick<FetchContext, "get">): Promise<readonly ScheduledEvent[]> {
  return context.get(fiscaldata, {
    path: "/services/api/fiscal_service/v1/accounting/od/upcoming_auctions?format=json&page[size]=100",
    schema: Answer,
    ttl_ms: TTL_MS,
    read: ({ data }) =>
      data
        .filter(
          ({ security_term, auction_date }) => TERMS.includes(security_term) && /^\d{4}-\d\d-\d\d$/.test(auction_date),
        )
        .map(({ auction_date }): ScheduledEvent => {
          const at_ms = toInstant("America/New_York", auction_date, TIME);
          return {
            ...{ kind: "auction", at_ms, all_day: false, status: "scheduled", window_days: null },
            source: fiscaldata.id,
          };
        }),
  });
}
