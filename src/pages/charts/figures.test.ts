import { describe, expect, test } from "bun:test";
import type { Chart, HeatMap, TimeChart } from "../../catalog/chart.ts";
import { STYLE } from "../assets.gen.ts";
import { renderHtml } from "../html.ts";
import { ENGLISH } from "../words.ts";
import { type ChartFigureOptions, renderCharts } from "./figures.ts";
import { showTicks, showValue } from "./text.ts";

const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2026, 0, 1);
const HOSTILE = `</title></svg><script>x</script><img src=x onerror="alert(1)">'\``;

type Value = number | null;
const points = (values: readonly Value[], step_ms = DAY_MS): [number, Value][] =>
  values.map((value, index) => [FROM_MS + index * step_ms, value]);
const time = (values: readonly Value[], changes: Partial<TimeChart> = {}): TimeChart => ({
  kind: "time",
  title: "Price",
  about: "What it is.",
  unit: "usd",
  step_ms: DAY_MS,
  lines: [{ name: "BTC", points: points(values) }],
  ...changes,
});
const heat: HeatMap = {
  kind: "heat_map",
  title: "Correlation",
  about: "",
  labels: ["BTC", "ETH"],
  cells: [
    [1, -0.004],
    [null, 1],
  ],
};
const show = (charts: readonly Chart[], changes: Partial<ChartFigureOptions> = {}): string => {
  const sample = { preview_of: {}, as_of_ms: FROM_MS, sources: [], charts };
  const made = renderCharts({ sample, sandbox: false, preview_delay_s: 86_400, ...changes });
  return made === "" ? "" : renderHtml(made);
};
/** Paths of the lines in the wide picture. */
const pathsOf = (text: string): string[] =>
  [...(/<svg class="wide".*?<\/svg>/s.exec(text)?.[0] ?? "").matchAll(/class="l\d" d="([^"]*)"/g)].map(
    ([, path]) => path ?? "",
  );
const count = (text: string, part: string): number => text.split(part).length - 1;

describe("lines", () => {
  test("are joined from point to point", () => {
    const [path = ""] = pathsOf(show([time([1, 2, 3])]));
    expect(count(path, "M")).toBe(1);
    expect(count(path, "L")).toBe(2);
  });

  test("break at an unknown value, and never bridge the gap", () => {
    const [path = ""] = pathsOf(show([time([1, 2, null, 4, 5])]));
    expect([count(path, "M"), count(path, "L")]).toEqual([2, 2]);
  });

  test("break where days are missing", () => {
    const whole = points([1, 2, 3, 4, 5]);
    const lines = [{ name: "BTC", points: whole.filter((_, index) => index !== 2) }];
    const [path = ""] = pathsOf(show([time([], { lines })]));
    expect([count(path, "M"), count(path, "L")]).toEqual([2, 2]);
  });

  test("an area breaks where its line does", () => {
    const text = show([time([-1, null, -2, -3], { filled: true, unit: "percent" })]);
    const [, fill = ""] = /class="fill" d="([^"]*)"/.exec(text) ?? [];
    expect(count(fill, "M")).toBe(2);
    expect(text).toContain(">0 %<");
  });

  test("a value between others is drawn between them, and a later one further right", () => {
    const [path = ""] = pathsOf(show([time([10, 30, 20])]));
    const places = path
      .slice(1)
      .split("L")
      .map((place) => place.split(",").map(Number));
    const [xs, ys] = [places.map(([x = 0]) => x), places.map(([, y = 0]) => y)];
    expect([...xs].sort((a, b) => a - b)).toEqual(xs);
    expect(ys[1] ?? 0).toBeLessThan(ys[2] ?? 0);
    expect(ys[2] ?? 0).toBeLessThan(ys[0] ?? 0);
    // Even steps in value are even steps in height.
    expect((ys[0] ?? 0) - (ys[2] ?? 0)).toBeCloseTo((ys[2] ?? 0) - (ys[1] ?? 0), 0);
  });

  test.each<[string, Value[]]>([
    ["one point", [5]],
    ["a constant", [5, 5, 5]],
    ["zero", [0, 0]],
    ["very small values", [1e-9, 2e-9]],
    ["very large values", [1e15, -1e15]],
  ])("of %s are drawn with finite places", (_, values) => {
    const text = show([time(values)]);
    expect(text).toContain('class="l0"');
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });

  test("several lines have a key, a single one does not", () => {
    const lines = ["a", "b"].map((name) => ({ name, points: points([1, 2]) }));
    expect(show([time([], { lines })])).toContain('class="keys"');
    expect(show([time([1, 2])])).not.toContain('class="keys"');
  });
});

describe("bands", () => {
  const bands: TimeChart["bands"] = [
    { name: "up", tone: "good", from_ms: FROM_MS - DAY_MS, to_ms: FROM_MS + DAY_MS },
    { name: "down", tone: "bad", from_ms: FROM_MS + DAY_MS, to_ms: FROM_MS + 9 * DAY_MS },
    { name: "later", tone: "neutral", from_ms: FROM_MS + 20 * DAY_MS, to_ms: FROM_MS + 30 * DAY_MS },
  ];
  const text = show([time([1, 2, 3], { bands })]);

  test("are inside the plot, each tone in its own lane", () => {
    const [wide = ""] = /<svg class="wide".*?<\/svg>/s.exec(text) ?? [];
    const lanes = [...wide.matchAll(/class="lane (\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)];
    expect(lanes.map(([, tone]) => tone)).toEqual(["good", "bad"]);
    expect(new Set(lanes.map(([, , , y]) => y)).size).toBe(2);
    for (const [, , x, , width] of lanes) expect(Number(x) + Number(width)).toBeLessThanOrEqual(760);
    expect(Number(lanes[0]?.[2]) + Number(lanes[0]?.[4])).toBeCloseTo(Number(lanes[1]?.[2]), 1);
  });

  test("are described in words too", () => {
    expect(text).toContain("up 2025-12-31 to 2026-01-02, down 2026-01-02 to 2026-01-10");
  });
});

describe("a heat map", () => {
  test("shows every known value, and a dash for an unknown one", () => {
    const text = show([heat]);
    expect(text).toContain(">1.00</text>");
    // A value rounded to 0 has no sign.
    expect(text).toContain(">0.00</text>");
    expect(text).toContain(">\u2013</text>");
    expect(text).toContain('class="none"');
    expect(text).toContain("Correlation: BTC and ETH 0.00.");
  });

  test("has its shades in order", () => {
    const labels = ["a", "b", "c"];
    const cells = [
      [-1, -0.6, -0.4],
      [-0.2, 0, 0.2],
      [0.4, 0.6, 1],
    ];
    const [wide = ""] = /<svg class="wide".*?<\/svg>/s.exec(show([{ ...heat, labels, cells }])) ?? [];
    const shades = [...wide.matchAll(/<rect class="s(\d)"/g)].map(([, shade]) => Number(shade));
    expect(shades).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("with twenty coins fits a phone", () => {
    const labels = Array.from({ length: 20 }, (_, index) => `COIN${index}`);
    const text = show([{ ...heat, labels, cells: labels.map(() => labels.map(() => 0.5)) }]);
    const [, width] = /<svg class="narrow"[^>]* width="(\d+)"/.exec(text) ?? [];
    expect(Number(width)).toBeLessThanOrEqual(340);
  });
});

describe("bars", () => {
  const bars = (values: readonly number[]): Chart => ({
    kind: "bars",
    title: "Holders",
    about: "",
    unit: "percent",
    bars: values.map((value, index) => ({ name: `top ${index + 1}`, value })),
  });
  const widthsOf = (text: string): number[] =>
    [...(/<svg class="wide".*?<\/svg>/s.exec(text)?.[0] ?? "").matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(
      ([, width]) => Number(width),
    );

  test("are as long as their values, from 0, and every value other than 0 is visible", () => {
    const [whole = 0, half = 0, little = 0, none = -1] = widthsOf(show([bars([80, 40, 0.001, 0])]));
    expect(half).toBeCloseTo(whole / 2, 0);
    expect([little, none]).toEqual([1, 0]);
  });

  test("below 0 end at the line where the others start", () => {
    const text = /<svg class="wide".*?<\/svg>/s.exec(show([bars([30, -10, 0])]))?.[0] ?? "";
    const at = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, x, width]) => [Number(x), Number(width)]);
    const [[zero = 0] = []] = at(/<path class="grid" d="M([\d.]+),0V/g);
    const [up = [], down = []] = at(/<rect[^>]* x="([\d.]+)"[^>]*width="([\d.]+)"/g);
    expect(up[0]).toBe(zero);
    expect((down[0] ?? 0) + (down[1] ?? 0)).toBeCloseTo(zero, 0);
    expect((up[1] ?? 0) / (down[1] ?? 1)).toBeCloseTo(3, 0);
  });

  test("are described in words, and escape markup in names", () => {
    expect(show([bars([80, 40])])).toContain("Holders: top 1 80 %, top 2 40 %.");
    const text = show([{ ...bars([1]), bars: [{ name: HOSTILE.slice(0, 32), value: 1 }] } as Chart]);
    expect(text).not.toContain("<script");
  });
});

describe("around the charts", () => {
  test("charts without a value are not shown", () => {
    expect(show([time([])])).toBe("");
    expect(show([time([null, null])])).toBe("");
    const both = show([time([null]), heat]);
    expect(count(both, "<figure")).toBe(1);
  });

  test("subject, time, delay and source of the data are stated, and the sandbox is named", () => {
    const source = { url: "https://a.example", fetched_at: "2026-01-01T00:00:00Z" };
    const attribution = { text: "Data by A <b>", url: "https://a.example/terms" };
    const sources = [
      { ...source, provider: "venue-a", ok: true, attribution },
      { ...source, provider: "venue-b", ok: false },
    ];
    const sample = { preview_of: { coins: "<BTC>" }, as_of_ms: FROM_MS, sources, charts: [heat] };
    const text = show([], { sample, sandbox: true });
    expect(text).toContain("Sample of <code>coins=&lt;BTC&gt;</code>. ");
    const moment = '<time datetime="2026-01-01T00:00:00Z"><span class="whole">2026-01-01</span> 00:00 UTC</time>';
    expect(text).toContain(`Sandbox: simulated data, as of ${moment}.`);
    expect(text).toContain("at least 1 day old");
    expect(text).toContain("Data: venue-a.");
    expect(text).not.toContain("venue-b");
    expect(text).toContain('<a href="https://a.example/terms">Data by A &lt;b&gt;</a>');
    expect(show([heat])).not.toContain("andbox");
  });

  test("no link leads where a provider's attribution should not", () => {
    const attribution = { text: "A", url: "javascript:alert(1)" };
    const sources = [{ provider: "a", url: "", fetched_at: "", ok: true, attribution }];
    expect(show([], { sample: { preview_of: {}, as_of_ms: FROM_MS, sources, charts: [heat] } })).not.toContain("href");
  });

  test("every picture is an image with its own name and description", () => {
    const text = show([time([1, 2]), heat]);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? "");
    expect(new Set(ids).size).toBe(ids.length);
    const named = [...text.matchAll(/role="img" aria-labelledby="([^"]+)"/g)].flatMap(([, all = ""]) => all.split(" "));
    expect(named).toHaveLength(8);
    for (const id of named) expect(ids).toContain(id);
    expect(text).toContain("BTC: $1 on 2026-01-01, $2 on 2026-01-02, lowest $1, highest $2");
  });

  test("text of a product is escaped everywhere", () => {
    const bands: TimeChart["bands"] = [{ name: HOSTILE, tone: "good", from_ms: FROM_MS, to_ms: FROM_MS + DAY_MS }];
    const lines = [{ name: HOSTILE, points: points([1, 2]) }];
    const text = show([
      time([], { title: HOSTILE, about: HOSTILE, lines, bands }),
      { ...heat, title: HOSTILE, about: HOSTILE, labels: [HOSTILE, HOSTILE] },
    ]);
    expect(text).not.toMatch(/<script|<img|<\/title><\/svg>/);
    expect(text).toContain("&lt;script&gt;");
  });

  test("the markup has no style, script or handler", () => {
    expect(show([time([1, 2], { filled: true }), heat])).not.toMatch(/ (?:style|on[a-z]+)=|<style|<script|href="data/);
  });

  test("equal charts give equal bytes", () => {
    const charts = [time([1, 2, 1.5], { filled: true }), heat];
    expect(show(charts)).toBe(show(structuredClone(charts)));
  });

  test("a year of days is a small picture", () => {
    const values = Array.from({ length: 1_000 }, (_, index) => Math.sin(index / 9) * 50_000);
    expect(show([time(values)]).length).toBeLessThan(40_000);
  });
});

describe("text on axes", () => {
  test.each([
    [64_012.5, "usd", 2, "$64,013"],
    [-0.25, "usd", 2, "-$0.25"],
    [-12.5, "percent", 1, "-12.5 %"],
    [-0.001, "percent", 2, "0 %"],
    [0.00012, "number", 8, "0.00012"],
  ] as const)("%p as %s", (value, unit, decimals, text) => {
    expect(showValue(value, { unit, decimals }, ENGLISH)).toBe(text);
  });

  test("ticks name months, days or hours, depending on their distance", () => {
    expect(showTicks([new Date(FROM_MS), new Date(Date.UTC(2026, 3, 1))], ENGLISH)).toEqual(["Jan 2026", "Apr 2026"]);
    expect(showTicks([new Date(FROM_MS), new Date(FROM_MS + DAY_MS)], ENGLISH)).toEqual(["1 Jan", "2 Jan"]);
    expect(showTicks([new Date(FROM_MS), new Date(FROM_MS + DAY_MS / 4)], ENGLISH)).toEqual(["00:00", "06:00"]);
  });
});

describe("the colours of cells", () => {
  /** Relative luminance and contrast as WCAG 2.2 defines them. */
  const luminance = (colour: string): number => {
    const long = colour.length === 4 ? colour.replaceAll(/[0-9a-f]/g, "$&$&") : colour;
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(long.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a: string, b: string): number => {
    const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  const rules = [...STYLE.matchAll(/\.chart \.s(\d)\{fill:(#[0-9a-f]+)\}\.chart \.on-s\1\{fill:(#[0-9a-f]+)\}/g)];

  test("leave the text on them readable, in both schemes", () => {
    expect(rules).toHaveLength(18);
    for (const [, shade, fill = "", letters = ""] of rules) {
      expect({ shade, readable: contrast(fill, letters) >= 4.5 }).toEqual({ shade, readable: true });
    }
  });
});
