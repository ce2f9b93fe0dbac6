import type { Offering } from "intel-node";
import { MARKETS } from "../markets/markets.ts";
import { SOURCES } from "./sources.ts";

/** The contents of a quote, after its exchanges. */
export const WHAT =
  "in local currency and US dollars, with range, volume, change and the session's clock of that market: lunch " +
  "breaks, half days, holidays. Markets without a source that may be resold are not offered.";
const NAMED_MAX = 3;

/**
 * Title and description of what this node sells while it has sources of some exchanges only.
 * @param codes of the exchanges it sells.
 */
export function describeSold(codes: readonly string[], node: Offering) {
  const sold = MARKETS.filter(({ code }) => codes.includes(code));
  const names = sold.map(({ name }) => name);
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : "";
  const list = `${names.slice(0, NAMED_MAX).join(", ")}${more}`;
  const where = sold.length === 1 ? `in ${list}` : `on one of ${sold.length} exchanges (${names.join(", ")})`;
  const is_running = SOURCES.some(
    ({ end_of_day, serves, provider }) => !end_of_day && sold.some(serves) && node.whyNot(provider) === null,
  );
  const kind = is_running ? "Price of a share" : "Last close of a share, a price of a whole day,";
  return { title: `Share quotes: ${list}`, description: `${kind} ${where} ${WHAT}` };
}
