import { type Html, html } from "../html.ts";
import type { Words } from "../words.ts";

/** Coordinates are rounded so that equal data gives equal bytes, and no more of them than an eye can see. */
export const round = (coordinate: number): number => Math.round(coordinate * 10) / 10;

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** What it shows, in words: for who cannot see it. */
  readonly told: string;
  readonly content: Html;
}

/** Which of two sizes: each is shown where the other does not fit, so that letters keep their size. */
export type Size = "wide" | "narrow";

/** How a chart is drawn, and for whom. */
export interface ChartView {
  readonly size: Size;
  readonly words: Words;
}

/** `id` is unique on the page. Styled by classes alone: the policy of pages lets no style stand in markup. */
export const renderSVG = (picture: Picture, { id, size }: { readonly id: string; readonly size: Size }): Html =>
  html`<svg class="${size}" role="img" aria-labelledby="${id}-title ${id}-told" width="${picture.width}"
height="${picture.height}" viewBox="0 0 ${picture.width} ${picture.height}">
<title id="${id}-title">${picture.title}</title><desc id="${id}-told">${picture.told}</desc>${picture.content}</svg>`;
