import { addDays, type Chart, type ChartBand, toLocal } from "intel-node";
import { calendarOf } from "../markets/session.ts";
import type { WorldQuoteInputs } from "./fetch.ts";
import type { WorldQuoteData } from "./schema.ts";

const DAYS = 7;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** When the exchange trades in the week after the quote: 1 while it does, lunch breaks and holidays in colour. */
export function drawSessions({
  data,
  inputs: { exchange },
}: {
  readonly data: WorldQuoteData;
  readonly inputs: Pick<WorldQuoteInputs, "exchange">;
}): readonly Chart[] {
  const calendar = calendarOf(exchange);
  const today = toLocal(calendar.zone, Date.parse(data.quote_time)).date;
  const points: [number, number][] = [];
  const bands: ChartBand[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const date = addDays(today, day);
    const sessions = calendar.sessionsOf(date);
    for (const { open_ms, close_ms } of sessions)
      points.push([open_ms - MINUTE_MS, 0], [open_ms, 1], [close_ms - MINUTE_MS, 1], [close_ms, 0]);
    const [morning, afternoon] = sessions;
    if (morning && afternoon)
      bands.push({ name: "lunch", tone: "neutral", from_ms: morning.close_ms, to_ms: afternoon.open_ms });
    const weekday = new Date(date).getUTCDay();
    const from_ms = Date.parse(date);
    if (sessions.length === 0 && weekday % 6 !== 0)
      bands.push({ name: `${date} holiday`, tone: "bad", from_ms, to_ms: from_ms + DAY_MS });
  }
  if (points.length === 0) return [];
  return [
    {
      kind: "time",
      title: `Sessions of ${data.market}`,
      unit: "number",
      step_ms: 10 * DAY_MS,
      filled: true,
      about:
        `1 while ${data.mic} trades, 0 while it does not, by its calendar (${data.session.calendar_confidence}). ` +
        "Lunch breaks and holidays are in colour.",
      lines: [{ name: "trading", points }],
      bands,
    },
  ];
}
