import type { Bars } from "../../catalog/chart.ts";
import { html } from "../html.ts";
import { sayKnown } from "../words.ts";
import { type Picture, round, type View } from "./svg.ts";
import { showValue } from "./text.ts";

const WIDTH = { wide: 640, narrow: 340 } as const;
const LETTER_PX = 7.5;
const ROW_PX = 26;
const BAR_PX = 16;
const VALUE_PX = 64;
/** What is not 0 is seen. */
const BAR_MIN_PX = 1;

/** One bar a row, each with its name before and its value behind it; from 0, so that lengths can be compared. */
export function drawBars({ title, bars, unit }: Bars, { size, words }: View): Picture {
  const left = round(Math.max(...bars.map(({ name }) => name.length)) * LETTER_PX + 10);
  const room = Math.max(40, WIDTH[size] - left - VALUE_PX);
  const largest = Math.max(...bars.map(({ value }) => value));
  const lengthOf = (value: number): number =>
    value === 0 || largest === 0 ? 0 : round(Math.max(BAR_MIN_PX, (value / largest) * room));
  const shown = bars.map(({ name, value }) => ({ name, value, text: showValue(value, { unit }, words) }));
  const content = html`<g class="bars">${shown.map(({ name, value, text }, index) => {
    const middle = index * ROW_PX + ROW_PX / 2;
    return html`<text class="side" x="${left - 8}" y="${middle}">${name}</text>
<rect x="${left}" y="${middle - BAR_PX / 2}" width="${lengthOf(value)}" height="${BAR_PX}" rx="2"/>
<text x="${round(left + lengthOf(value) + 6)}" y="${middle}">${text}</text>`;
  })}</g>`;
  return {
    width: Math.ceil(left + room + VALUE_PX),
    height: bars.length * ROW_PX,
    title: sayKnown(title, words),
    told: `${sayKnown(title, words)}: ${shown.map(({ name, text }) => `${name} ${text}`).join(", ")}.`,
    content,
  };
}
