import type { Chart } from "intel-node";
import type { EventPlaybookInputs } from "./fetch.ts";
import type { EventPlaybookData } from "./schema.ts";

const DAY_MS = 86_400_000;
const POINTS = 260;
const CHARTS_MAX = 2;
/** d5, in calendar days. */
const WINDOW_DAYS = 7;
/** Over a long weekend. */
const STEP_MS = 4 * DAY_MS;
const TONES = { up: "good", down: "bad", volatile: "bad", none: "neutral" } as const;

/** The last year of the instruments shown, with the days after each event in colour. */
export function drawEventWindows({
  data,
  inputs,
}: {
  readonly data: EventPlaybookData;
  readonly inputs: EventPlaybookInputs;
}): readonly Chart[] {
  return inputs.series.slice(0, CHARTS_MAX).flatMap((series): Chart[] => {
    const points = series.points.slice(-POINTS).map(({ at_ms, value }): [number, number] => [at_ms, value]);
    const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
    if (points.length < 2) return [];
    const label = data.playbook.find(({ asset }) => asset === series.id)?.label ?? "none";
    return [
      {
        kind: "time",
        title: `${series.id} around ${data.title}`.slice(0, 80),
        unit: "number",
        step_ms: STEP_MS,
        about:
          `${series.title}. Bands: the ${WINDOW_DAYS} days after each ${data.title}. What all of them together ` +
          `support is "${label}"; one picture supports nothing.`,
        lines: [{ name: series.id, points }],
        bands: inputs.events
          .filter(({ at_ms }) => at_ms >= first && at_ms <= last)
          .map(({ at_ms: from_ms }) => ({
            name: data.event,
            tone: TONES[label],
            from_ms,
            to_ms: Math.min(from_ms + WINDOW_DAYS * DAY_MS, last),
          })),
      },
    ];
  });
}
