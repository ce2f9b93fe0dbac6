import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { listAuthorNotes } from "./author-notes.ts";
import type { Bars } from "./chart.ts";
import type { LoadedPlugin } from "./plugin.ts";
import { type AnyProduct, defineProduct, type PreviewPolicy } from "./product.ts";
import { defineProvider } from "./provider.ts";
import { defineSimulator } from "./simulator.ts";

const provider = (id: string, url = "https://a.example") =>
  defineProvider({
    id,
    title: id,
    docs_url: "https://a.example",
    base_urls: [url],
    terms: { class: "open", note: "test" },
    limits: { rate_per_s: 1, burst: 1, timeout_ms: 1, attempts: 1, body_bytes_max: 1 },
  });
const tides = provider("tides");
const simulate = (id: string) => defineSimulator({ provider: id, respond: () => ({ json: 1 }) });

const productOf = (change: Partial<AnyProduct>): AnyProduct =>
  defineProduct({
    path: "/own",
    title: "Own",
    description: "Own.",
    category: "test",
    tags: [],
    price_usd: "0.001",
    params: Type.Object({ station: Type.String({ description: "which" }) }),
    data: Type.Object({ n: Type.Number() }),
    example: { params: { station: "a" }, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [tides],
    requires: [],
    ttl: "0s",
    deadline_ms: 1_000,
    preview: { every: "1h" },
    fetch: async () => 1,
    compute: () => ({ as_of_ms: 0, data: { n: 1 }, warnings: [] }),
    ...change,
  });

const pluginOf = (change: Partial<AnyProduct>, more: Partial<LoadedPlugin> = {}): LoadedPlugin => ({
  id: "own",
  title: "Own",
  file: "own.ts",
  origin: "operator",
  jobs: [],
  simulators: [simulate("tides")],
  products: [{ file: "own.ts", product: productOf(change) }],
  ...more,
});
const notesOf = (...plugins: readonly LoadedPlugin[]) => listAuthorNotes(plugins).map(({ message }) => message);
const drawing = (preview: Partial<PreviewPolicy<unknown, { n: number }, { m: number }>>): LoadedPlugin =>
  pluginOf({ preview: { every: "1h", ...preview } });

test("a whole plugin has no note, and the node's own are not read", () => {
  expect(notesOf(pluginOf({}))).toEqual([]);
  expect(notesOf(pluginOf({ params: Type.Object({ x: Type.String() }) }, { origin: "built-in" }))).toEqual([]);
});

test("a probable mistake is reported with its line", () => {
  expect(notesOf(pluginOf({ params: Type.Object({ x: Type.String() }) }))).toEqual([
    '/own: parameter "x" has no description: buyers and models read it',
  ]);
  expect(notesOf(pluginOf({ providers: [] }, { products: [], simulators: [] }))).toEqual([
    'plugin "own" has no products, routes, jobs or datasets',
  ]);
  expect(notesOf(pluginOf({ providers: [provider("tides", "http://tides.example/v1")] }))).toEqual([
    'provider "tides": anybody on the way may change what http://tides.example/v1 says',
  ]);
  expect(notesOf(pluginOf({ providers: [provider("tides", "http://127.0.0.1:80")] }))).toEqual([]);
  const [note] = listAuthorNotes([pluginOf({ params: Type.Object({ x: Type.String() }) })]);
  expect(note).toMatchObject({ file: import.meta.path, line: expect.any(Number) });
});

test("a provider without a simulator and a simulator without a provider", () => {
  expect(notesOf(pluginOf({}, { simulators: [simulate("tidse")] }))).toEqual([
    'provider "tides" has no simulator: a demo answers every call of it with "no such subject"',
    'simulator of "tidse": no product or job names that provider',
  ]);
  // The sandbox plays what built-in products name.
  const built_in = pluginOf({}, { id: "built-in", origin: "built-in" });
  expect(notesOf(built_in, pluginOf({}, { simulators: [] }))).toEqual([]);
});

test("charts that fail for the example, unless they need what only a run has", () => {
  const chart: Bars = { kind: "bars", title: "Own", about: "", unit: "m" as never, bars: [{ name: "a", value: 1 }] };
  const told = "fails for the example, and so would each preview: charts[0].unit must be";
  expect(notesOf(drawing({ charts: () => [chart] }))).toEqual([expect.stringContaining(`preview.charts ${told}`)]);
  expect(notesOf(drawing({ rowCharts: () => [chart] }))).toEqual([expect.stringContaining(`rowCharts ${told}`)]);
  expect(notesOf(drawing({ charts: ({ inputs }) => [{ ...chart, title: String(inputs.m) }] }))).toEqual([]);
  expect(notesOf(drawing({ charts: ({ data }) => [{ ...chart, unit: "usd", title: String(data.n) }] }))).toEqual([]);
  expect(
    notesOf(drawing({ redact: (data) => ({ n: data.n + 1 }), rowCharts: ({ n }) => (n === 2 ? [] : [chart]) })),
  ).toEqual([]);
});
