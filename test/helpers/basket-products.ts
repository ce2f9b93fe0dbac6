import { Type } from "@sinclair/typebox";
import { type AnyProduct, defineProduct } from "../../src/catalog/product.ts";
import { NodeError } from "../../src/core/errors.ts";

/** What the products of a basket's tests do: `silent` are the paths that have no data now. */
export interface BasketWorld {
  readonly products: readonly AnyProduct[];
  readonly silent: Set<string>;
  /** Runs by path. */
  readonly runs: Map<string, number>;
}

export const ITEM_PATHS: readonly `/${string}`[] = Array.from({ length: 20 }, (_, n) => `/item-${n + 1}` as const);
/** Atomic: item n costs n tenths of a cent. */
export const priceOf = (path: string): bigint => BigInt(path.replace("/item-", "")) * 1_000n;

type Options = Partial<AnyProduct>;

/** Twenty products of different prices, one of which has a dearer tier, and one of each kind that no basket holds. */
export function createBasketWorld(): BasketWorld {
  const silent = new Set<string>();
  const runs = new Map<string, number>();
  const product = (path: `/${string}`, price_usd: string, more: Options = {}): AnyProduct =>
    defineProduct({
      path,
      title: path,
      description: "A product of the tests.",
      category: "test",
      tags: ["test"],
      price_usd,
      params: Type.Object({
        word: Type.Optional(Type.String({ maxLength: 20, pattern: "^[a-z]+$" })),
        depth: Type.Union([Type.Literal("quick"), Type.Literal("deep")], { default: "quick" }),
      }),
      normalise: (params) => (params.word === undefined ? params : { ...params, word: params.word.toLowerCase() }),
      data: Type.Object({
        word: Type.String(),
        depth: Type.String(),
        tiny: Type.Number(),
        rows: Type.Array(Type.Number()),
      }),
      long: ["rows"],
      example: {
        params: { depth: "quick" },
        as_of: "2026-01-01T00:00:00Z",
        data: { word: "none", depth: "quick", tiny: 1e-7, rows: [1, 2] },
      },
      providers: [],
      requires: [],
      ttl: "1m",
      deadline_ms: 5_000,
      preview: { every: "24h" },
      fetch: async (_, params) => {
        runs.set(path, (runs.get(path) ?? 0) + 1);
        if (silent.has(path)) throw new NodeError("upstream_unavailable", `${path} has no data now.`);
        return params;
      },
      compute: ({ word = "none", depth }, { now_ms }) => ({
        as_of_ms: now_ms,
        data: { word, depth, tiny: 1e-7, rows: [1, 2] },
        warnings: [],
      }),
      ...more,
    });
  const items = ITEM_PATHS.map((path) =>
    product(path, (Number(priceOf(path)) / 1e6).toString(), {
      ...(path === "/item-1" ? { tiers: { param: "depth", prices: { deep: "0.05" } } } : {}),
    }),
  );
  const kept_out = [
    product("/stranger", "0.01", { stranger_of: () => "example.com" }),
    product("/passing", "0.01", { passed_on: () => null }),
    product("/slow", "0.01", { deadline_ms: 60_000 }),
  ];
  return { products: [...items, ...kept_out], silent, runs };
}
