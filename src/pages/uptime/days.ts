import { type Html, html } from "../html.ts";
import type { Words } from "../words.ts";
import type { StatusDay } from "./samples.ts";

const [STEP, HEIGHT] = [10, 40];

/** One bar per day. Failures are listed as text below, so the picture needs no description. */
export function renderDays(days: readonly StatusDay[], words: Words): Html {
  const { say } = words;
  const known = days.filter(({ up }) => up !== null);
  const bad = known.filter(({ up }) => up !== null && up < 1).length;
  const told = say("Sampled on {0} of {1} days; not up throughout on {2}.", known.length, days.length, bad);
  const bars = days.map(({ day_ms, up, sampled }, index) => {
    const x = index * STEP + 1;
    const title = `${words.day(day_ms)}: ${up === null ? say("not sampled") : words.percent(up * 100, 2)}`;
    const kind = up === null ? "none" : up < 1 ? "bad" : "good";
    const height = up === null ? HEIGHT - 2 : Math.max(6, Math.round((HEIGHT - 2) * sampled));
    return html`<rect class="${kind}" x="${x}" y="${HEIGHT - 1 - height}" width="${STEP - 3}" height="${height}"
><title>${title}</title></rect>`;
  });
  return html`<figure class="chart one days"><svg viewBox="0 0 ${days.length * STEP} ${HEIGHT}"
preserveAspectRatio="none" role="img" aria-label="${told}">${bars}</svg><figcaption>${told}</figcaption></figure>`;
}
