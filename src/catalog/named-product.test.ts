import { expect, test } from "bun:test";
import type { CatalogProduct } from "./catalog.ts";
import { findNamed } from "./named-product.ts";

const create = (path: string, id = path.slice(1)) => ({ path, id }) as CatalogProduct;
const PRODUCTS = [create("/fear-greed"), create("/job/token-research"), create("/brand/mood", "mood")];

test("a product is named by its path, with or without its slash, and by the name of its tool, in any case", () => {
  const find = (given: string) => findNamed(given, PRODUCTS)?.path;
  expect(["/fear-greed", "fear-greed", "fear_greed", " Fear_Greed "].map(find)).toEqual(Array(4).fill("/fear-greed"));
  expect(find("job_token_research")).toBe("/job/token-research");
  expect([find("mood"), find("brand_mood")]).toEqual(["/brand/mood", "/brand/mood"]);
  expect(["", "/", "fear", "__proto__", "/fear-greed/"].map(find)).toEqual(Array(5).fill(undefined));
});

test("a path goes before every name, and a name shared by two products finds neither", () => {
  const twins = [create("/a/b"), create("/a-b")];
  expect(["/a/b", "a/b", "/a-b", "a-b"].map((given) => findNamed(given, twins)?.path)).toEqual([
    "/a/b",
    "/a/b",
    "/a-b",
    "/a-b",
  ]);
  expect(findNamed("a_b", twins)).toBeUndefined();
});
