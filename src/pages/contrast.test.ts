import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Contrast of text as WCAG 2.2 measures it: 7 to 1 is level AAA (1.4.6), 4.5 to 1 is AA (1.4.3). */
const AAA = 7;
const AA = 4.5;
/** Outlines of controls, 1.4.11. */
const OUTLINE = 3;

const CSS = readFileSync(join(import.meta.dir, "page.css"), "utf8");
const DARK = /@media \(prefers-color-scheme: dark\) \{[\s\S]*?\n\}\n/g;
type Colours = Readonly<Record<string, string>>;

/** Relative luminance of "#rgb" or "#rrggbb" (WCAG 2.2, from the sRGB transfer function). */
function getLuminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replaceAll(/[0-9a-f]/gi, "$&$&") : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const share = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function getContrast(one: string, other: string): number {
  const [low = 0, high = 0] = [getLuminance(one), getLuminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Custom properties of a part of the style sheet, and the fills of its chart cells. */
const readColours = (text: string): Colours => ({
  ...Object.fromEntries(
    [...text.matchAll(/--([a-z-]+): (#[0-9a-f]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  ),
  ...Object.fromEntries(
    [...text.matchAll(/\.chart \.((?:on-)?s\d) \{\s*fill: (#[0-9a-f]+);/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  ),
});

const SCHEMES: readonly (readonly [scheme: string, colours: Colours])[] = [
  ["light", readColours(CSS.replaceAll(DARK, ""))],
  ["dark", readColours((CSS.match(DARK) ?? []).join(""))],
];
const TEXTS = ["text", "soft", "accent", "good", "bad", "note"];
const GROUNDS = ["bg", "raised", "sunk"];
/** Middle steps of a heat map's scale, where a darker shade could not be told from its neighbour. */
const MIDDLE = ["light s1", "light s7"];

test("contrast is measured as in the standard", () => {
  expect(getContrast("#000", "#ffffff")).toBeCloseTo(21, 10);
  expect(getContrast("#777777", "#fff")).toBeCloseTo(4.478, 3);
});

describe.each(SCHEMES)("in the %s scheme", (scheme, colours) => {
  const contrast = (text: string, ground: string) => getContrast(colours[text] ?? "none", colours[ground] ?? "none");

  test.each(TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)))(
    "%s on %s has the contrast of level AAA",
    (text, ground) => {
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(AAA);
    },
  );

  test("the banner's text has enough contrast too", () => {
    expect(contrast("note", "note-bg")).toBeGreaterThanOrEqual(AAA);
  });

  test.each(Array.from({ length: 9 }, (_, step) => `s${step}`))("figures on cell %s of a heat map have it", (cell) => {
    const least = MIDDLE.includes(`${scheme} ${cell}`) ? AA : AAA;
    expect(contrast(`on-${cell}`, cell)).toBeGreaterThanOrEqual(least);
  });

  test("a search field's outline has enough contrast to the page", () => {
    const [, outline = "none"] = /border: 1px solid (#[0-9a-f]+)/.exec(CSS) ?? [];
    expect(getContrast(outline, colours.bg ?? "none")).toBeGreaterThanOrEqual(OUTLINE);
  });
});
