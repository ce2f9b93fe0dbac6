import { defineJob, toLocal } from "intel-node";
import { closes } from "intel-node/series/share-closes";
import { readCalendar } from "../markets/session.ts";
import { rhj } from "../providers/rhj/provider.ts";
import { fetchShareQuotes } from "../providers/rhj/shares.ts";

/** A run that starts later than this after the close missed it. */
const LATE_MS = 120_000;
/** At the close a share's book is narrow; a wider one has no price to keep. */
const SPREAD_BPS_MAX = 50;
const AGE_MAX_MS = 120_000;

/**
 * Stores what each share closed at in New York: the middle of its quote at 16:00 New York, 13:00 on half days. In UTC
 * that is one of five hours, so it looks every one of them and works at the close alone.
 */
export const job = defineJob({
  id: "us-close",
  schedule: "0 17-21 * * 1-5",
  providers: [rhj],
  at_start: false,
  deadline_ms: 60_000,
  sandbox_days: 40,
  async run(context) {
    const calendar = readCalendar(context, "XNYS");
    const { date } = toLocal(calendar.zone, context.now_ms);
    const close_ms = calendar.sessionsOf(date).at(-1)?.close_ms;
    if (close_ms === undefined || context.now_ms < close_ms || context.now_ms - close_ms > LATE_MS) return;
    const at_ms = Date.parse(date);
    for (const { symbol, bid, ask, at_ms: quoted_ms, halted } of await fetchShareQuotes(context)) {
      const mid = (bid + ask) / 2;
      const is_price = ((ask - bid) / mid) * 10_000 <= SPREAD_BPS_MAX && close_ms - quoted_ms <= AGE_MAX_MS;
      if (is_price && halted !== true) await closes.write(context, mid, { of: symbol, at_ms });
    }
  },
});
