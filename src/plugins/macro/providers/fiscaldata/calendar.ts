import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows, toInstant, type Unusable, unusable } from "intel-node";
import type { ScheduledEvent } from "../../releases/kinds.ts";
import { fiscaldata } from "./provider.ts";

const Answer = Type.Object({
  data: Rows(
    Type.Object({
      security_type: Type.String({ maxLength: 40 }),
      security_term: Type.String({ maxLength: 40 }),
      auction_date: Type.String({ maxLength: 20 }),
      issue_date: Type.Optional(Type.Unknown()),
    }),
    { maxItems: 200 },
  ),
});
/** Original terms that are listed. */
const YEARS = [10, 30] as const;
const TERM = /^(\d{1,2})-Year(?: (\d{1,2})-Month)?$/;
/** Nominal notes and bonds are sold again one and two months after they were first sold. */
const MONTHS_NOMINAL_MIN = 10;
/** They are issued on the 15th or the business day after, indexed ones on the last business day of the month. */
const [ISSUE_FROM, ISSUE_TO] = [10, 20];

/** What is sold: the original term in years, whether the security was sold before, whether inflation indexes it. */
export interface AuctionedSecurity {
  readonly years: (typeof YEARS)[number];
  readonly is_reopened: boolean;
  readonly is_indexed: boolean;
}

function isIssuedAtMonthEnd(issue_date: unknown): boolean {
  const [, day] = /^\d{4}-\d\d-(\d\d)$/.exec(String(issue_date)) ?? [];
  return day !== undefined && (Number(day) < ISSUE_FROM || Number(day) > ISSUE_TO);
}

/**
 * A security that is sold again is named by what is left of its term: "9-Year 10-Month" is a note of 10 years. The type
 * of an indexed one does not always say so: a bond of "29-Year 6-Month" is one, since no nominal bond is sold again
 * half a year later, and so is what is issued at the end of a month.
 * @returns null for bills, floating ones and other terms.
 */
export function readSecurity(
  security_type: string,
  security_term: string,
  issue_date?: unknown,
): AuctionedSecurity | null {
  const [, whole, months] = TERM.exec(security_term) ?? [];
  if (whole === undefined || !/^(?:TIPS )?(?:Note|Bond)$|^TIPS$/.test(security_type)) return null;
  const term = months === undefined ? Number(whole) : Number(whole) + 1;
  const years = YEARS.find((one) => one === term);
  if (years === undefined) return null;
  const is_left_over = months !== undefined && Number(months) < MONTHS_NOMINAL_MIN;
  const is_indexed = security_type.startsWith("TIPS") || is_left_over || isIssuedAtMonthEnd(issue_date);
  return { years, is_reopened: months !== undefined, is_indexed };
}

function nameAuction({ years, is_reopened, is_indexed }: AuctionedSecurity): string {
  const what = `${years}-year ${is_indexed ? "TIPS (inflation-indexed)" : years === 30 ? "bond" : "note"}`;
  return `Treasury auction, ${what}${is_reopened ? ", sold again" : ""}`;
}
/** Bids close at 13:00 New York. */
const TIME = "13:00";
const TTL_MS = 3_600_000;
const TABLE = "/services/api/fiscal_service/v1/accounting/od/upcoming_auctions";

/**
 * Auctions of notes and bonds of 10 and 30 years that are announced, nominal and indexed. The table
 * keeps rows of years ago: the newest are asked for first.
 * @throws UpstreamError
 */
export function fetchAuctions(context: Pick<FetchContext, "get">): Promise<readonly ScheduledEvent[]> {
  return context.get(fiscaldata, {
    path: `${TABLE}?format=json&sort=-auction_date&page[size]=100`,
    schema: Answer,
    ttl_ms: TTL_MS,
    read: ({ data }, _, eachRow) =>
      eachRow(
        data,
        ({ security_type, security_term, auction_date, issue_date }): readonly ScheduledEvent[] | Unusable => {
          const security = readSecurity(security_type, security_term, issue_date);
          if (!security) return [];
          if (!/^\d{4}-\d\d-\d\d$/.test(auction_date) || Number.isNaN(Date.parse(auction_date)))
            return unusable("no day");
          const at_ms = toInstant("America/New_York", auction_date, TIME);
          return [
            {
              at_ms,
              all_day: false,
              status: "scheduled",
              window_days: null,
              source: fiscaldata.id,
              kind: security.is_indexed ? "tips_auction" : "auction",
              detail: { id: `${security.years}y`, title: nameAuction(security) },
            },
          ];
        },
      ).flat(),
  });
}
