import { expect, test } from "bun:test";
import { PRODUCTS } from "../../test/helpers/catalog-world.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { createMemoryRecords } from "../records/memory-records.ts";
import { loadOpenings } from "./openings.ts";

test("a product is asked when it opens until it has data, and never again", async () => {
  const clock = createStillClock(1_000);
  const [product] = PRODUCTS;
  if (!product) throw new Error("no product");
  const says: (number | null)[] = [5_000, 5_000, 6_000, null];
  let asked = 0;
  const findOpening = async () => {
    asked += 1;
    return says[asked - 1] ?? null;
  };
  const waiting = { ...product, definition: { ...product.definition, findOpening } };
  const openings = await loadOpenings({ products: [waiting], records: createMemoryRecords(clock.now), clock });
  const seen = [[true, openings.get(product.path)]];
  for (const _ of says) seen.push([await openings.refresh(), openings.get(product.path)]);
  expect(seen).toEqual([
    [true, 5_000],
    [false, 5_000],
    [true, 6_000],
    [true, null],
    [false, null],
  ]);
  expect(asked).toBe(4);
});
