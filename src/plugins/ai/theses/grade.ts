import { type JobContext, logOutcomes, outcomeOf, renderTime } from "intel-node";
import { type Bar, HOUR_MS } from "intel-node/providers/bars";
import { loadBars } from "intel-node/series/load-bars";
import { readThesis, type StoredThesis, THESES, type ThesisOutcomeData } from "./records.ts";

/** The horizon of 90 days, a week in which bars can be late, and the day of the entry. */
const BARS = 100;
const UNSCORABLE_AFTER_MS = 168 * HOUR_MS;
const OPEN_MAX = 1_000;

/** Entry is the first hour after the record was written, exit the horizon later, both at the open. */
function getSpan({ emitted_at, horizon_h }: { readonly emitted_at: string; readonly horizon_h: number }) {
  const entry_ms = (Math.floor(Date.parse(emitted_at) / HOUR_MS) + 1) * HOUR_MS;
  return { entry_ms, exit_ms: entry_ms + horizon_h * HOUR_MS };
}

/** One decimal, half away from zero, without "-0.0": as the verifier writes it. */
const renderBps = (value: number): string => value.toFixed(1).replace(/^-(0\.0)$/, "$1");
const renderPrice = (price: number): string => String(Number(price.toPrecision(12)));

/** What became of a thesis by daily bars of one venue; null when they do not hold both its days. */
export function gradeThesis(
  { record, record_hash }: Pick<StoredThesis, "record" | "record_hash">,
  { provider, bars }: { readonly provider: string; readonly bars: readonly Pick<Bar, "t_ms" | "open">[] },
): ThesisOutcomeData | null {
  const { entry_ms, exit_ms } = getSpan(record);
  const openAt = (t_ms: number) => bars.find((bar) => bar.t_ms === t_ms)?.open;
  const [entry, exit] = [openAt(entry_ms), openAt(exit_ms)];
  if (entry === undefined || exit === undefined || record.side === "none") return null;
  const [entry_price, exit_price] = [renderPrice(entry), renderPrice(exit)];
  const change = Number(exit_price) / Number(entry_price) - 1;
  const gross_bps = renderBps((record.side === "long" ? 1 : -1) * change * 10_000);
  const net_bps = renderBps(Number(gross_bps) - Number(record.cost_bps));
  return {
    v: 1,
    seq: record.seq,
    record_hash,
    status: "scored",
    entry_at: renderTime(entry_ms),
    entry_price,
    exit_at: renderTime(exit_ms),
    exit_price,
    price_source: `${provider}:${record.symbol}:1d`,
    gross_bps,
    net_bps,
    hit: Number(net_bps) > 0,
    in_1sigma: Number(exit_price) >= Number(record.minus1) && Number(exit_price) <= Number(record.plus1),
  };
}

/** States what became of every thesis whose last day has begun; of those without a side, that there is nothing. */
export async function gradeTheses(context: JobContext): Promise<void> {
  const { records, now_ms } = context;
  const open = (await records.read(THESES, { open: true, limit: OPEN_MAX })).map(readThesis);
  // A day's bar is read once it has closed: its open can then no longer be corrected.
  const due = open.filter(({ record }) => getSpan(record).exit_ms + 24 * HOUR_MS <= now_ms);
  const series = new Map(
    await Promise.all(
      [...new Set(due.map(({ record }) => record.symbol))].map(async (symbol) => {
        const request = { symbol, interval: "1d", count: BARS, count_min: 2, grace: true } as const;
        return [symbol, await outcomeOf(loadBars(context, request))] as const;
      }),
    ),
  );
  for (const thesis of due) {
    const { seq, symbol, side } = thesis.record;
    const bars = series.get(symbol);
    const outcome = bars?.ok ? gradeThesis(thesis, bars.value) : null;
    const is_late = now_ms - getSpan(thesis.record).exit_ms >= UNSCORABLE_AFTER_MS;
    if (outcome) await records.settle({ chain: THESES, seq, outcome });
    else if (side === "none" || is_late) {
      const reason = side === "none" ? "it named no direction" : "no daily bars of one venue for both its days";
      const { record_hash } = thesis;
      await records.settle({ chain: THESES, seq, outcome: { v: 1, seq, record_hash, status: "unscorable", reason } });
    }
  }
  await logOutcomes(records, THESES);
}
