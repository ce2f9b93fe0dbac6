import { type Html, html } from "../html.ts";
import type { Words } from "../words.ts";

/** Rounds a coordinate to what an eye can see, so that equal data gives equal bytes. */
export const round = (coordinate: number): number => Math.round(coordinate * 10) / 10;

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** A description in words for screen readers. */
  readonly told: string;
  readonly content: Html;
}

/** One of two sizes. A page shows the one that fits, so that letters keep their size. */
export type Size = "wide" | "narrow";

/** The settings to draw a chart. */
export interface ChartView {
  readonly size: Size;
  readonly words: Words;
}

/** `id` is unique on the page. Style comes only from classes, because the policy of pages forbids style in markup. */
export const renderSVG = (picture: Picture, { id, size }: { readonly id: string; readonly size: Size }): Html =>
  html`<svg class="${size}" role="img" aria-labelledby="${id}-title ${id}-told" width="${picture.width}"
height="${picture.height}" viewBox="0 0 ${picture.width} ${picture.height}">
<title id="${id}-title">${picture.title}</title><desc id="${id}-told">${picture.told}</desc>${picture.content}</svg>`;
