import { describe, expect, test } from "bun:test";
import { createTestModel } from "../../test/helpers/surface-model.ts";
import { createCatalog } from "../catalog/catalog.ts";
import type { ChartSample } from "../catalog/previews.ts";
import { registry } from "../plugins/registry.gen.ts";
import { createPaymentPage } from "./page-routes.ts";

const model = createTestModel();
const [product] = createCatalog({
  plugins: registry,
  prices: {},
  preview_delay_ms: 0,
  reserved_paths: [],
  whyNot: () => null,
}).products.filter(({ id }) => id === "correlation-matrix");
if (!product) throw new Error("no product to show");

const sample = (labels: readonly string[]): ChartSample => ({
  as_of_ms: 0,
  sources: [],
  charts: [
    { kind: "heat_map", title: "Heat", about: "", labels: [...labels], cells: labels.map(() => labels.map(() => 1)) },
  ],
});

describe("the page of a 402", () => {
  test("shows the charts there are now, and none when there are none", async () => {
    let current: ChartSample | null = sample(["AAA"]);
    const page = createPaymentPage({ model: () => model, findCharts: () => current, onFault: () => undefined });
    expect(await page.render(product, "req_1", null)).toContain(">AAA<");
    current = sample(["BBB"]);
    expect(await page.render(product, "req_2", null)).toContain(">BBB<");
    expect(await page.render(product, "req_2", null)).not.toContain(">AAA<");
    current = null;
    expect(await page.render(product, "req_3", null)).not.toContain("<figure");
  });

  test("comes whole without charts when they cannot be had, and the fault is told", async () => {
    const faults: unknown[] = [];
    const findCharts = () => {
      throw new Error("broken store");
    };
    const page = createPaymentPage({ model: () => model, findCharts, onFault: (_, error) => faults.push(error) });
    const text = await page.render(product, "req_1", null);
    expect(text).toContain("Payment required");
    expect(text).toContain("req_1");
    expect(text).not.toContain("<figure");
    expect(faults.map(String)).toEqual(["Error: broken store"]);
  });
});
