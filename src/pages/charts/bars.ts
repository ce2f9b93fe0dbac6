import type { Bars } from "../../catalog/chart.ts";
import { html } from "../html.ts";
import { sayKnown } from "../words.ts";
import { type ChartView, type Picture, round } from "./svg.ts";
import { showValue } from "./text.ts";

const WIDTH = { wide: 640, narrow: 340 } as const;
const LETTER_PX = 7.5;
/** Estimated widths: capitals are wider, East Asian letters and pictures twice as wide as Latin letters. */
const CAPITAL_PX = 9.5;
const WIDE_PX = 14;
const ROW_PX = 26;
const BAR_PX = 16;
const VALUE_MIN_PX = 64;
/** Smallest width of a bar that is not 0, so that it is visible. */
const BAR_MIN_PX = 1;

const measure = (name: string): number =>
  [...name].reduce(
    (sum, letter) => sum + (letter > "\u2e7f" ? WIDE_PX : /[A-Z@%…]/.test(letter) ? CAPITAL_PX : LETTER_PX),
    0,
  );

/**
 * One bar per row, with its name before and its value after it. Bars start at 0, so that lengths can be compared; bars
 * below 0 end at the line where the others start.
 */
export function drawBars({ title, bars, unit }: Bars, { size, words }: ChartView): Picture {
  const shown = bars.map(({ name, value }) => ({ name, value, text: showValue(value, { unit }, words) }));
  const left = round(Math.max(...shown.map(({ name }) => measure(name))) + 10);
  const value_px = Math.max(VALUE_MIN_PX, Math.max(...shown.map(({ text }) => text.length)) * LETTER_PX + 8);
  const room = Math.max(40, WIDTH[size] - left - value_px);
  const values = bars.map(({ value }) => value);
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const scale = lowest === highest ? 0 : room / (highest - lowest);
  const zero = round(left - lowest * scale);
  const lengthOf = (value: number): number => (value === 0 ? 0 : round(Math.max(BAR_MIN_PX, Math.abs(value) * scale)));
  const content = html`<g class="bars">${shown.map(({ name, value, text }, index) => {
    const middle = index * ROW_PX + ROW_PX / 2;
    const length = lengthOf(value);
    return html`<text class="side" x="${left - 8}" y="${middle}">${name}</text>
<rect${value < 0 ? html` class="below"` : ""} x="${round(value < 0 ? zero - length : zero)}" y="${
      middle - BAR_PX / 2
    }" width="${length}" height="${BAR_PX}" rx="2"/>
<text x="${round((value < 0 ? zero : zero + length) + 6)}" y="${middle}">${text}</text>`;
  })}</g>${lowest < 0 ? html`<path class="grid" d="M${zero},0V${bars.length * ROW_PX}"/>` : ""}`;
  return {
    width: Math.ceil(left + room + value_px),
    height: bars.length * ROW_PX,
    title: sayKnown(title, words),
    told: `${sayKnown(title, words)}: ${shown.map(({ name, text }) => `${name} ${text}`).join(", ")}.`,
    content,
  };
}
