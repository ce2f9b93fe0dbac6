import { expect, test } from "bun:test";
import type { SoldProduct } from "intel-node";
import type { AnsweredPart } from "../bundles/parts.ts";
import { computeStarterPack } from "./compute.ts";
import { PARTS } from "./product.ts";
import { vector } from "./vector.ts";

const parts = vector.data.items.map(({ path, price_atomic, data, as_of }): AnsweredPart => {
  const [part] = PARTS.filter((one) => one.path === path);
  if (!part) throw new Error(path);
  return { ...part, price_atomic: BigInt(price_atomic), answer: { data, as_of_ms: Date.parse(as_of), warnings: [] } };
});
const sold = (path: `/${string}`, category: string, price_usd: string): SoldProduct => ({
  path,
  category,
  price_usd,
  price_atomic: BigInt(Math.round(Number(price_usd) * 1e6)),
  methods: ["GET"],
  title: path,
  tags: [],
  tiers: {},
  is_plan: false,
});

test("gives the example's sums: 52,000 of parts for 40,000 saves 23.08 %", () => {
  const { data } = computeStarterPack({ parts, price_atomic: 40_000n, sold: [], public_url: null });
  expect(data.saving_pct).toBeCloseTo(23.08, 2);
  expect(data.combined).toEqual(vector.data.combined);
  expect(data.next_steps).toEqual([]);
});

test("names the cheapest product of three categories that is not in the pack, cheapest first", () => {
  const list = [
    sold("/sanctions", "trust", "0.05"),
    sold("/wallet-scan", "trust", "0.06"),
    sold("/mempool", "crypto-market", "0.008"),
    sold("/sentiment", "crypto-market", "0.02"),
    sold("/stock-quote", "equities", "0.015"),
    sold("/br-macro", "brazil", "0.09"),
  ];
  const { data } = computeStarterPack({ parts, price_atomic: 40_000n, sold: list, public_url: "https://a.example" });
  expect(data.next_steps.map(({ path }) => path)).toEqual(["/stock-quote", "/sentiment", "/sanctions"]);
  expect(data.next_steps[0]?.call).toBe("GET https://a.example/stock-quote");
  expect(data.how_to_pay[0]).toBe("https://a.example/guide.md");
});

test("of what costs the same the first by path is named, in whatever order the catalog holds it", () => {
  const list = [
    sold("/c-dear", "trust", "0.09"),
    sold("/b-same", "trust", "0.05"),
    sold("/d-same", "trust", "0.05"),
    sold("/e-same", "macro", "0.05"),
    sold("/a-same", "equities", "0.05"),
  ];
  for (const order of [list, list.toReversed()]) {
    const { data } = computeStarterPack({ parts, price_atomic: 40_000n, sold: order, public_url: null });
    expect(data.next_steps.map(({ path }) => path)).toEqual(["/a-same", "/b-same", "/e-same"]);
  }
});
