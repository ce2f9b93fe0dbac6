import type { HeatMap } from "../../catalog/chart.ts";
import { type Html, html } from "../html.ts";
import { sayKnown, type Words } from "../words.ts";
import { type ChartView, type Picture, round } from "./svg.ts";

const WIDTH = { wide: 640, narrow: 340 } as const;
const LETTER_PX = 7.5;
const HEAD_PX = 22;
const GAP_PX = 2;
const CELL_MAX_PX = { wide: 64, narrow: 56 } as const;
/** Least width of a cell with two decimals. */
const CELL_TOLD_PX = 28;
const PAIRS_TOLD_MAX = 66;

/** Limits of the nine shades; the middle one is for values near 0. */
const SHADES = [-0.75, -0.5, -0.3, -0.1, 0.1, 0.3, 0.5, 0.75] as const;

const shadeOf = (value: number): number => SHADES.filter((end) => value >= end).length;

const TWO_DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

const show = (value: number | null, { number }: Words): string =>
  // A value rounded to 0 has no sign.
  value === null ? "\u2013" : number(Math.abs(value) < 0.005 ? 0 : value, TWO_DECIMALS);

/** Every pair once, in words. */
function tell({ labels, cells, title }: HeatMap, words: Words): string {
  const { say } = words;
  const pairs = labels.flatMap((a, row) =>
    labels.slice(row + 1).map((b, index) => {
      const value = cells[row]?.[row + 1 + index] ?? null;
      return say("{0} and {1} {2}", a, b, value === null ? say("unknown") : show(value, words));
    }),
  );
  const more = pairs.length > PAIRS_TOLD_MAX ? ` ${say("and {0} more", pairs.length - PAIRS_TOLD_MAX)}` : "";
  return `${sayKnown(title, words)}: ${pairs.slice(0, PAIRS_TOLD_MAX).join(", ")}${more}.`;
}

/** A square of cells, each with its value and a matching shade. */
export function drawHeatMap(chart: HeatMap, { size, words }: ChartView): Picture {
  const { labels, cells, title } = chart;
  const left = round(Math.max(...labels.map(({ length }) => length)) * LETTER_PX + 10);
  const cell = Math.floor(Math.min(CELL_MAX_PX[size], (WIDTH[size] - left) / labels.length));
  const side = Math.max(2, cell - GAP_PX);
  const at = (index: number) => index * cell;
  const renderCell = (value: number | null, row: number, column: number): Html => {
    const shade = value === null ? "none" : `s${shadeOf(value)}`;
    const [x, y] = [left + at(column), HEAD_PX + at(row)];
    const told =
      cell < CELL_TOLD_PX
        ? ""
        : html`<text class="on-${shade}"
x="${round(x + side / 2)}" y="${round(y + side / 2)}">${show(value, words)}</text>`;
    return html`<rect class="${shade}" x="${x}" y="${y}" width="${side}" height="${side}" rx="3"/>${told}`;
  };
  const content = html`<g class="cells">${labels.map(
    (label, index) =>
      html`<text class="side" x="${left - 8}" y="${round(HEAD_PX + at(index) + side / 2)}">${label}</text>
<text x="${round(left + at(index) + side / 2)}" y="${HEAD_PX - 10}">${label}</text>`,
  )}${cells.map((row, y) => row.map((value, x) => renderCell(value, y, x)))}</g>`;
  const width = Math.ceil(left + at(labels.length));
  return {
    width,
    height: HEAD_PX + at(labels.length),
    title: sayKnown(title, words),
    told: tell(chart, words),
    content,
  };
}
