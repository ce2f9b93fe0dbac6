import { renderChart } from "../charts/figures.ts";
import type { Html } from "../html.ts";
import type { Phrase, Words } from "../words.ts";
import type { StatusDay } from "./samples.ts";

const DAY_MS = 86_400_000;
const TITLE: Phrase = "Median time of a paid call, ms";
const ABOUT: Phrase = "The median of each day's samples; a day without one is a gap.";

/** Chart of each day's median, once there are two. It has its own file, so that drawing code is loaded late. */
export function renderLatency(days: readonly StatusDay[], words: Words): Html | "" {
  const points = days.map(({ day_ms, latency_ms }): [number, number | null] => [day_ms, latency_ms]);
  if (points.filter(([, ms]) => ms !== null).length < 2) return "";
  const lines = [{ name: "ms", points }];
  const chart = {
    ...({ kind: "time", title: TITLE, about: ABOUT } as const),
    unit: "number" as const,
    step_ms: DAY_MS,
  };
  return renderChart({ ...chart, lines }, "latency", words);
}
