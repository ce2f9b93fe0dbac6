import { type Html, html } from "./html.ts";

const [WIDTH, HEIGHT, EDGE] = [72, 20, 2];
const POINTS_MAX = 36;

/** Reduces values to the number that a small picture can show; the last one always stays. */
function thin(values: readonly number[]): readonly number[] {
  if (values.length <= POINTS_MAX) return values;
  const step = (values.length - 1) / (POINTS_MAX - 1);
  return Array.from({ length: POINTS_MAX }, (_, index) => values[Math.round(index * step)] ?? 0);
}

/** A line without axes. It decorates a written figure, so it is hidden from screen readers. */
export function renderSparkline(values: readonly number[]): Html {
  if (values.length < 2) return html``;
  const shown = thin(values);
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const x = (index: number) => ((WIDTH - 2 * EDGE) * index) / (shown.length - 1) + EDGE;
  const y = (value: number) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / (high - low || 1);
  const path = shown.map((value, index) => `${x(index).toFixed(0)},${y(value).toFixed(1)}`).join(" ");
  const last = shown.at(-1) ?? 0;
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"
preserveAspectRatio="none" aria-hidden="true"><polyline points="${path}"/>
<path d="M${WIDTH - EDGE},${y(last).toFixed(1)}h.01"/></svg>`;
}
