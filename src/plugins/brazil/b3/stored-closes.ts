import type { ISODate, JobContext } from "intel-node";
import { config } from "../config.ts";
import { indexMembers } from "../documents/stored.ts";
import type { DayClose } from "../providers/b3-files/read-trade-file.ts";
import { table as closes } from "../tables/closes.ts";
import { table as lastCloses } from "../tables/last-closes.ts";

/** Without the list of members the most traded symbols are followed. */
const FOLLOWED_MAX = 120;
const ALWAYS_FOLLOWED = ["BOVA11"];

/** Which symbols keep a history. */
async function pickFollowed(context: JobContext, day: readonly DayClose[]): Promise<ReadonlySet<string>> {
  const members = await indexMembers.read(context);
  if (members) return new Set([...members.value.map(([symbol]) => symbol), ...ALWAYS_FOLLOWED]);
  const busiest = day.toSorted((a, b) => (b.turnover ?? 0) - (a.turnover ?? 0)).slice(0, FOLLOWED_MAX);
  return new Set([...busiest.map(({ symbol }) => symbol), ...ALWAYS_FOLLOWED]);
}

/** Stores a day's closes: all of them as the last ones, unless the day is past, and those that keep a history. */
export async function storeCloses(
  context: JobContext,
  { date, day, is_newest }: { readonly date: ISODate; readonly day: readonly DayClose[]; readonly is_newest: boolean },
): Promise<void> {
  const follows_all = context.config(config).equity_universe === "all";
  const followed = follows_all ? null : await pickFollowed(context, day);
  const rows = day.filter(({ symbol }) => followed?.has(symbol) ?? true);
  await context.table(closes).put(rows.map(({ symbol, close, change_pct }) => ({ symbol, date, close, change_pct })));
  if (is_newest) await context.table(lastCloses).put(day.map((row) => ({ ...row, date })));
}
