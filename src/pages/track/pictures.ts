import { type Html, html } from "../html.ts";
import type { Words } from "../words.ts";
import { countReturns, type GradedSignal, type HitRate } from "./evidence.ts";

const [WIDTH, HEIGHT, FOOT, LEFT] = [340, 200, 22, 46];
const PLOT = HEIGHT - FOOT - 8;

const frame = (told: string, content: Html): Html =>
  html`<figure class="chart one"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img"
aria-label="${told}">${content}</svg></figure>`;

/** Share of hits per step of confidence, each with its interval. */
export function renderCalibration(rates: readonly HitRate[], { say, percent }: Words): Html {
  const y = (share: number) => Math.round(8 + PLOT * (1 - share));
  const step = (WIDTH - LEFT) / Math.max(1, rates.length);
  const shown = (share: number) => percent(share * 100, 0);
  const told = rates.map(({ key, rate, n }) => `${key}: ${shown(rate)} (${n})`).join(", ");
  return frame(
    `${say("Calibration")}: ${told}`,
    html`<g class="grid">${[0, 0.5, 1].map((share) => html`<path d="M${LEFT},${y(share)}H${WIDTH}"/>`)}</g>
<g class="side">${[0, 0.5, 1].map((share) => html`<text x="${LEFT - 6}" y="${y(share)}">${shown(share)}</text>`)}</g>
<g class="lines"><path class="l1" d="M${LEFT},${y(0.5)}H${WIDTH}"/></g>${rates.map(
      ({ key, rate, low, high }, index) => {
        const x = Math.round(LEFT + step * (index + 0.5));
        return html`<g class="lines"><path class="l0" d="M${x},${y(low)}V${y(high)}"/></g>
<circle class="point" cx="${x}"
cy="${y(rate)}" r="4"/><text x="${x}" y="${HEIGHT - 6}">${key}</text>`;
      },
    )}`,
  );
}

/** The number of signals that ended in each percent. */
export function renderHistogram(graded: readonly GradedSignal[], { say, percent }: Words): Html {
  const bins = countReturns(graded);
  const most = Math.max(1, ...bins.map(({ n }) => n));
  const step = (WIDTH - LEFT) / bins.length;
  const told = bins.filter(({ n }) => n > 0).map(({ from, to, n }) => `${from} – ${percent(to, 0)}: ${n}`);
  return frame(
    `${say("Results, net of costs")}. ${told.join(", ")}`,
    html`<g class="side"><text x="${LEFT - 6}" y="12">${most}</text></g>${bins.map(({ from, n }, index) => {
      const height = Math.round((PLOT * n) / most);
      return html`<rect class="${from < 0 ? "bad" : "good"}" x="${Math.round(LEFT + step * index) + 1}" y="${
        8 + PLOT - height
      }" width="${Math.round(step) - 2}" height="${height}"/>${
        from % 4 === 0
          ? html`<text x="${Math.round(LEFT + step * index) + 4}" y="${HEIGHT - 6}">${percent(from, 0)}</text>`
          : ""
      }`;
    })}`,
  );
}
