import { afterEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createSimulatedNode } from "../../test/helpers/simulated-node.ts";
import { createStillClock, STILL_TIMERS } from "../../test/helpers/still-clock.ts";
import { openMarketDb } from "../stores/market-db.ts";
import { createCatalog } from "./catalog.ts";
import type { Chart } from "./chart.ts";
import { listSchemaFaults } from "./check-product.ts";
import { createPreviews, type PreviewSample } from "./previews.ts";
import { type AnyProduct, defineProduct } from "./product.ts";
import { createRunner } from "./runner.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);
const HOUR_MS = 3_600_000;

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const chartOf = (value: number): Chart => ({
  kind: "heat_map",
  title: "A number",
  about: "",
  labels: ["a"],
  cells: [[value]],
});

/** A product whose inputs are a number that can be set, an hour delayed, which gives away nothing but its chart. */
function createWorld(draw: "chart" | "nothing" | "faulty" | "undeclared" | "rows" = "chart") {
  const state = { n: 0.1 };
  const charts = ({ data, inputs }: { data: { n: number | null }; inputs: number }): readonly Chart[] => {
    if (draw === "nothing") return [];
    return [chartOf(draw === "faulty" ? 7 : data.n === inputs ? inputs : -1)];
  };
  // The number itself is not revealed.
  const rowCharts = ({ n }: { n: number | null }): readonly Chart[] => [chartOf(n === null ? 0.5 : -1)];
  const product = defineProduct({
    path: "/drawn",
    title: "Drawn",
    description: "A product with a chart.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ n: Type.Union([Type.Number(), Type.Null()]) }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [],
    requires: [],
    ttl: "0s",
    deadline_ms: 1_000,
    preview: {
      every: "1h",
      delay: "1h",
      redact: () => ({ n: null }),
      listed: ({ n }: { n: number | null }) => ({ n: n ?? 0, of: "rows" }),
      ...(draw === "undeclared" ? {} : draw === "rows" ? { rowCharts } : { charts }),
    },
    fetch: async () => state.n,
    compute: (n: number, { now_ms }) => ({ as_of_ms: now_ms, data: { n: n as number | null }, warnings: [] }),
  });
  const { sold, ...world } = createWorldOf(product);
  const cellOf = () => {
    const [chart] = world.previews.findCharts(sold)?.charts ?? [];
    return chart?.kind === "heat_map" ? chart.cells[0]?.[0] : null;
  };
  return { ...world, state, product: sold, cellOf };
}

/** A node that sells one product. */
function createWorldOf(product: AnyProduct) {
  const file = "product.ts";
  const plugin = { id: "p", title: "p", file, origin: "built-in" as const, jobs: [], simulators: [] };
  const [sold] = createCatalog({
    plugins: [{ ...plugin, products: [{ file, product }] }],
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: () => null,
  }).products;
  if (!sold) throw new Error("the product is not sold");
  const node = createSimulatedNode({ now_ms: NOW_MS });
  const store = openMarketDb(":memory:", { clock: createStillClock(NOW_MS), log: () => undefined });
  open.push(node, store);
  const { clock, history } = node;
  const common = { node_id: "test", sandbox: true, clock };
  const unheard = { onFailure: () => undefined, onSuccess: () => undefined };
  const runner = createRunner({ ...common, ...unheard, timers: STILL_TIMERS, history, createContext: node.createRun });
  const previews = createPreviews({ ...common, store, runner });
  return { clock, store, runner, previews, sold };
}

describe("the rows of a product's newest answer", () => {
  test("are counted of the whole answer, however young it is, and of each new one", async () => {
    const { state, clock, previews, product } = createWorld("nothing");
    expect(previews.findListed(product)).toBeNull();
    state.n = 3;
    await previews.refresh(product);
    // Nothing of it may be shown yet, and its rows are withheld then as well.
    expect(previews.find(product, product.previewRequests()[0])).toBeNull();
    expect(previews.findListed(product)).toEqual({ n: 3, of: "rows", as_of_ms: NOW_MS });
    clock.set(NOW_MS + HOUR_MS);
    state.n = 0;
    await previews.refresh(product);
    expect(previews.findListed(product)).toEqual({ n: 0, of: "rows", as_of_ms: NOW_MS + HOUR_MS });
  });

  test("are not counted where the product does not, or where the snapshot is of before it did", async () => {
    const { clock, previews, product, store } = createWorld();
    const key = product.previewRequests()[0].key;
    const body = JSON.stringify({ sources: [], warnings: [], data: { n: null } });
    const at = { as_of_ms: NOW_MS, taken_at_ms: NOW_MS, body };
    store.saveSnapshot({ product: product.id, params_key: key, ...at });
    expect(previews.findListed(product)).toBeNull();
    clock.set(NOW_MS + HOUR_MS);
    await previews.refresh(product);
    const { preview } = product.definition;
    const { listed: _, ...uncounted } = preview;
    const other = { ...product, definition: { ...product.definition, preview: uncounted } };
    expect([previews.findListed(product)?.of, previews.findListed(other)]).toEqual(["rows", null]);
  });
});

describe("charts of a product", () => {
  test("are shown when the snapshot they were made with is old enough, not before", async () => {
    const { state, clock, previews, product, cellOf } = createWorld();
    await previews.refresh(product);
    clock.set(NOW_MS + HOUR_MS - 1);
    expect(cellOf()).toBeNull();
    clock.set(NOW_MS + HOUR_MS);
    expect(cellOf()).toBe(0.1);
    state.n = 0.2;
    await previews.refresh(product);
    expect(cellOf()).toBe(0.1);
    clock.set(NOW_MS + 2 * HOUR_MS);
    expect(cellOf()).toBe(0.2);
    expect(previews.findCharts(product)?.as_of_ms).toBe(NOW_MS + HOUR_MS);
  });

  test("are in no answer: neither in the preview nor in what is sold", async () => {
    const { clock, previews, product, runner } = createWorld();
    await previews.refresh(product);
    clock.set(NOW_MS + HOUR_MS);
    expect(JSON.stringify(previews.get(product, product.params.defaults))).not.toContain("heat_map");
    expect(previews.get(product, product.params.defaults).data).toEqual({ n: null });
    expect((await runner.produce(product, product.params.defaults)).body).not.toContain("heat_map");
  });

  test("are the same object for as long as they are the same, so that each is drawn once", async () => {
    const { state, clock, previews, product } = createWorld();
    await previews.refresh(product);
    clock.set(NOW_MS + HOUR_MS);
    const first = previews.findCharts(product);
    expect(previews.findCharts(product)).toBe(first);
    state.n = 0.2;
    await previews.refresh(product);
    clock.set(NOW_MS + 2 * HOUR_MS);
    expect(previews.findCharts(product)).not.toBe(first);
  });

  test("are absent when a product draws nothing, declares none, or drew none at the time of the snapshot", async () => {
    for (const draw of ["nothing", "undeclared"] as const) {
      const { clock, previews, product } = createWorld(draw);
      await previews.refresh(product);
      clock.set(NOW_MS + HOUR_MS);
      expect(previews.findCharts(product)).toBeNull();
    }
    const { clock, previews, product, store } = createWorld();
    const snapshot = { product: product.id, params_key: product.params.defaults.key, as_of_ms: NOW_MS };
    store.saveSnapshot({ ...snapshot, taken_at_ms: NOW_MS, body: '{"sources":[],"warnings":[],"data":{"n":null}}' });
    clock.set(NOW_MS + HOUR_MS);
    expect(previews.findCharts(product)).toBeNull();
  });

  test("of rows are drawn from the free part only", async () => {
    const { clock, previews, product, cellOf } = createWorld("rows");
    await previews.refresh(product);
    clock.set(NOW_MS + HOUR_MS);
    expect(cellOf()).toBe(0.5);
  });

  test("that break the rules are a fault of the product: no snapshot is stored", async () => {
    const { clock, previews, product } = createWorld("faulty");
    await expect(previews.refresh(product)).rejects.toThrow("its own fault");
    clock.set(NOW_MS + HOUR_MS);
    expect(previews.find(product, product.params.defaults)).toBeNull();
  });
});

describe("previews of a product that needs a parameter", () => {
  const product = (preview: { params?: { n: number }[] }) =>
    defineProduct({
      path: "/asks",
      title: "Asks",
      description: "A product with a parameter that has no default.",
      category: "test",
      tags: ["test"],
      price_usd: "0.01",
      params: Type.Object({ n: Type.Number({ description: "a number" }) }),
      data: Type.Object({ n: Type.Number() }),
      example: { params: { n: 7 }, as_of: "2026-01-01T00:00:00Z", data: { n: 7 } },
      providers: [],
      requires: [],
      ttl: "0s",
      deadline_ms: 1_000,
      preview: { every: "1h", delay: "1h", ...preview },
      fetch: async (_, { n }) => n,
      compute: (n: number, { now_ms }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] }),
    });

  test("are taken with its listed parameters, else with those of its example", async () => {
    for (const { preview, shown } of [
      { preview: {}, shown: 7 },
      { preview: { params: [{ n: 1 }, { n: 2 }] }, shown: 1 },
    ]) {
      const { sold, previews, clock } = createWorldOf(product(preview));
      await previews.refresh(sold);
      clock.set(NOW_MS + HOUR_MS);
      const shown_now = previews.get(sold, sold.params.defaults);
      expect(shown_now).toMatchObject({ preview_of: { n: shown }, data: { n: shown } });
      expect(Object.keys(shown_now)[0]).toBe("preview_of");
    }
    const { sold, previews, clock } = createWorldOf(product({ params: [{ n: 1 }, { n: 2 }] }));
    await previews.refresh(sold);
    clock.set(NOW_MS + HOUR_MS);
    const second = previews.get(sold, sold.params.fromBody({ n: 2 }));
    expect(second).toMatchObject({ preview_of: { n: 2 }, data: { n: 2 } });
  });

  test("of anything else are refused with what is kept and what the question costs, ready or not", async () => {
    const { sold, previews, clock } = createWorldOf(product({ params: [{ n: 1 }, { n: 2 }] }));
    const ask = () => previews.get(sold, sold.params.fromBody({ n: 99 }));
    const expectRefused = (): void => {
      expect(previews.find(sold, sold.params.fromBody({ n: 99 }))).toBeNull();
      expect(ask).toThrow("kept for n=1; or n=2");
      try {
        ask();
      } catch (error) {
        expect(error).toMatchObject({
          code: "preview_not_kept",
          status: 404,
          options: {
            details: {
              preview_of: { n: 1 },
              previews_kept: [{ n: 1 }, { n: 2 }],
              preview_path: "/asks?preview=1",
              price_usd: "0.01",
            },
          },
        });
      }
    };
    expectRefused();
    await previews.refresh(sold);
    clock.set(NOW_MS + HOUR_MS);
    expectRefused();
  });

  test("that are not taken yet are waited for: another one never takes their place", async () => {
    const { sold, previews, clock, store } = createWorldOf(product({ params: [{ n: 1 }, { n: 2 }] }));
    const first = sold.params.fromBody({ n: 1 });
    const body = '{"sources":[],"warnings":[],"data":{"n":1}}';
    store.saveSnapshot({ product: sold.id, params_key: first.key, as_of_ms: NOW_MS, taken_at_ms: NOW_MS, body });
    clock.set(NOW_MS + HOUR_MS);
    expect(previews.get(sold, first).data).toEqual({ n: 1 });
    expect(() => previews.get(sold, sold.params.fromBody({ n: 2 }))).toThrow("old enough to be free yet");
  });

  test("that list what the product would refuse are a fault of it", () => {
    expect(listSchemaFaults(product({ params: [{ m: 1 } as unknown as { n: number }] }))).toEqual([
      expect.stringContaining('preview.params[0]: Unknown parameter "m"'),
    ]);
  });
});

describe("the past of a product's previews", () => {
  test("is a month of what was shown, redacted as it was, without what is too young", async () => {
    const { state, clock, previews, product } = createWorld("nothing");
    const [request] = product.previewRequests();
    for (let hour = 0; hour < 31 * 24; hour += 1) {
      state.n = hour;
      clock.set(NOW_MS + hour * HOUR_MS);
      await previews.refresh(product);
    }
    const last_ms = NOW_MS + (31 * 24 - 1) * HOUR_MS;
    const past: PreviewSample[] = [];
    for (let next = previews.nextPast(product, request, 0); next !== null; ) {
      past.push(next);
      next = previews.nextPast(product, request, next.as_of_ms);
    }
    expect(past.every(({ data }) => Bun.deepEquals(data, { n: null }))).toBe(true);
    expect(past.at(-1)?.as_of_ms).toBe(last_ms - HOUR_MS);
    // One of each six hours, and the newest twelve.
    expect(past.length).toBe(129);
    expect((last_ms - (past[0]?.as_of_ms ?? 0)) / (24 * HOUR_MS)).toBeCloseTo(30, 0);
  });
});
