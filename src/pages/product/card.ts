import type { SurfaceModel, SurfaceProduct } from "../../surfaces/types.ts";
import { findHeadline } from "../headline.ts";
import { type Html, html, renderHtml } from "../html.ts";
import { priceRange } from "../parts.ts";
import { nameSubject } from "../subject.ts";
import { ENGLISH, showAge, showDollars } from "../words.ts";
import type { ProductFacts } from "./facts.ts";

/** Path of a product's picture for link previews. */
export const cardPath = ({ id }: Pick<SurfaceProduct, "id">): string => `/og/${id}.png`;
export const CARD_PIXELS = { width: 1200, height: 630 } as const;

const LINE_CHARS = 30;
const TITLE_LINES = 2;
const FIGURE_CHARS_MAX = 18;
const NAME_CHARS_MAX = 60;

const cut = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text);

/** Breaks a text between words into at most two lines. */
function wrap(text: string): readonly string[] {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + word.length >= LINE_CHARS) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  const [shown, more] = [lines.slice(0, TITLE_LINES), lines.length > TITLE_LINES];
  return shown.map((line, index) => cut(more && index === shown.length - 1 ? `${line} …` : line, LINE_CHARS + 4));
}

/**
 * A product as an SVG picture for link previews: its title, its newest free figure with subject and age, its price. A
 * product without a figure shows none.
 */
export function renderCard(model: SurfaceModel, product: SurfaceProduct, { sample }: ProductFacts): string {
  const figure = sample === null || product.plan ? null : findHeadline(sample, ENGLISH);
  const price = `${showDollars(product.price_usd, ENGLISH)} ${product.plan ? "once" : "a call"}`;
  const age = sample?.age_seconds;
  const told = age === undefined ? "free sample" : `free sample, ${showAge(age)} old`;
  const note = [figure?.name ?? "", told].filter((one) => one !== "").join(" · ");
  const subject = nameSubject(sample?.preview_of ?? {}, product.params);
  const lines = wrap(product.title);
  const figures =
    figure === null
      ? ""
      : html`${subject === "" ? "" : html`<text x="72" y="334" font-size="30" fill="#4a4e55">${subject}</text>`}
<text x="72" y="430" font-size="104" fill="#08545a">${cut(figure.value, FIGURE_CHARS_MAX)}</text>
<text x="72" y="482" font-size="30" fill="#4a4e55">${cut(note, NAME_CHARS_MAX)}</text>`;
  return frame(model, { lines, figures, foot: `${price}, in USDC` });
}

/** The frame of all pictures: the node's name, a title in lines, content below it, and a last line. */
function frame(
  { node, sandbox }: SurfaceModel,
  { lines, figures, foot }: { readonly lines: readonly string[]; readonly figures: Html | ""; readonly foot: string },
): string {
  const { width, height } = CARD_PIXELS;
  return renderHtml(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Inter"
font-weight="600"><rect width="${width}" height="${height}" fill="#fcfbf9"/><rect width="${width}" height="12"
fill="#08545a"/><text x="72" y="104" font-size="34" fill="#08545a">${cut(node.name, NAME_CHARS_MAX)}</text>${lines.map(
    (line, index) => html`<text x="72" y="${196 + index * 80}" font-size="68" fill="#1c1e21">${line}</text>`,
  )}${figures}<text x="72" y="570" font-size="36" fill="#1c1e21">${foot}</text>${
    sandbox ? html`<text x="1128" y="570" text-anchor="end" font-size="30" fill="#663e00">simulated</text>` : ""
  }</svg>`);
}

/** Path of the first page's picture. No product can have this id. */
export const HOME_CARD_PATH = "/og/-.png";
const HOME_FIGURES = 3;
const HOME_FIGURE_CHARS = 12;

/** A product in the first page's picture: its title and its newest free figure. */
export interface CardFigure {
  readonly title: string;
  readonly value: string;
}

/** The first page as a picture: what the node sells, three figures side by side, and the lowest price. */
export function renderHomeCard(model: SurfaceModel, figures: readonly CardFigure[]): string {
  const calls = model.products.filter(({ plan }) => plan === null);
  const range = priceRange(model.products);
  const shown = figures.slice(0, HOME_FIGURES).map(({ title, value }, index) => {
    const x = 72 + index * 364;
    return html`<text x="${x}" y="420" font-size="54" fill="#08545a">${cut(value, HOME_FIGURE_CHARS)}</text>
<text x="${x}" y="466" font-size="26" fill="#4a4e55">${cut(title, HOME_FIGURE_CHARS * 2)}</text>`;
  });
  const price = range === null ? "" : `, from ${showDollars(range.low, ENGLISH)} a call, in USDC`;
  return frame(model, {
    lines: wrap("Market data for agents, paid by the call"),
    figures: html`${shown}`,
    foot: `${calls.length} products${price}`,
  });
}
