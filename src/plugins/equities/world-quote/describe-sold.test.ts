import { expect, test } from "bun:test";
import { createCatalog } from "../../../catalog/catalog.ts";
import type { ProviderDefinition } from "../../../catalog/provider.ts";
import { registry } from "../../registry.gen.ts";
import { MARKETS } from "../markets/markets.ts";

/** The product as a node sells it that may use these providers alone. */
function findSold(usable: (provider: ProviderDefinition) => boolean) {
  const { products } = createCatalog({
    plugins: registry.filter(({ id }) => id === "equities"),
    prices: {},
    preview_delay_ms: 900_000,
    reserved_paths: [],
    whyNot: (provider) => (usable(provider) ? null : `${provider.id} needs a licence`),
  });
  const sold = products.find(({ path }) => path === "/world-quote");
  if (!sold) throw new Error("it is not sold");
  return sold.definition;
}

test("a node without licences says that it sells closes of Taiwan, and promises no other exchange", () => {
  const { title, description } = findSold(({ terms }) => terms.class !== "restricted");
  expect(title).toBe("Share quotes: Taiwan");
  expect(description).toStartWith("Last close of a share, a price of a whole day, in Taiwan in local currency");
  expect(description).not.toContain(String(MARKETS.length));
});

test("one vendor's licence names the exchanges it opens, and all of them are the world's", () => {
  const some = findSold(({ id, terms }) => terms.class !== "restricted" || id === "cnbc");
  expect(some.title).toBe("Share quotes: London, Xetra Frankfurt, Euronext Paris and 12 more");
  expect(some.description).toStartWith("Price of a share on one of 15 exchanges (London, ");
  expect(some.description).not.toContain("Korea");
  const all = findSold(() => true);
  expect(all.title).toBe("Quotes of the world's exchanges");
  expect(all.description).toContain(`one of ${MARKETS.length} exchanges`);
});
