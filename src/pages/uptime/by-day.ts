import { type Html, html } from "../html.ts";
import type { Words } from "../words.ts";
import { type CallCount, DAYS_SHOWN, type DayCounts } from "./samples.ts";

/** Up to this share of failures a day still counts as good: failover handles a source's short trouble. */
const BAD_SHARE_MIN = 0.05;

type DayKind = "good" | "bad" | "none";
const judge = (day: CallCount | null): DayKind => {
  if (day === null) return "none";
  return day.failed / Math.max(1, day.answered + day.failed) > BAD_SHARE_MIN ? "bad" : "good";
};

/** Draws consecutive days of one kind as one stroke, because a table has some hundred of these pictures. */
function drawRuns(kinds: readonly DayKind[], wanted: DayKind): string {
  const strokes: string[] = [];
  for (let from = kinds.indexOf(wanted); from >= 0; ) {
    let to = from;
    while (kinds[to] === wanted) to += 1;
    strokes.push(`M${from} 5h${to - from}`);
    from = kinds.indexOf(wanted, to);
  }
  return strokes.join("");
}

/** 90 days as one line of good and bad days; days without calls stay empty. */
export function renderDayLine(counts: DayCounts | undefined, { say }: Words): Html {
  const kinds = (counts?.days ?? []).map(judge);
  const called = kinds.filter((kind) => kind !== "none").length;
  const bad = kinds.filter((kind) => kind === "bad").length;
  const told = say("Called on {0} of {1} days; failing on {2}.", called, DAYS_SHOWN, bad);
  return html`<svg class="line" viewBox="0 0 ${DAYS_SHOWN} 10" preserveAspectRatio="none" role="img"
aria-label="${told}"><title>${told}</title>${(["good", "bad"] as const).map((kind) => {
    const path = drawRuns(kinds, kind);
    return path === "" ? "" : html`<path class="${kind}" d="${path}"/>`;
  })}</svg>`;
}
