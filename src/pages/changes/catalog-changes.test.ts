import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { type TObject, Type } from "@sinclair/typebox";
import { readAtom } from "../../../test/helpers/atom-rules.ts";
import { createTestModel } from "../../../test/helpers/surface-model.ts";
import type { CatalogProduct } from "../../catalog/catalog.ts";
import { createHistory, SERIES_SCHEMA } from "../../stores/history.ts";
import { ENGLISH } from "../words.ts";
import { createCatalogChanges } from "./catalog-changes.ts";
import { renderChangesFeed, renderChangesPage } from "./page.ts";

const START_MS = Date.UTC(2026, 10, 1);
const FIELDS = Type.Object({ value: Type.Number() });
const product = (id: string, price_usd: string, fields: TObject = FIELDS): CatalogProduct =>
  ({
    id,
    price_usd,
    definition: { title: `The <${id}>`, params: Type.Object({}), data: fields },
  }) as unknown as CatalogProduct;

/** A node that restarts with each catalog, on one file. */
function createRecorder() {
  const db = new Database(":memory:");
  db.run(SERIES_SCHEMA);
  const history = createHistory(db);
  let now_ms = START_MS;
  const open = (products: readonly CatalogProduct[], methods: Readonly<Record<string, string>>) => {
    const catalog = { products };
    return createCatalogChanges({
      catalog: () => catalog,
      history,
      methods: () => methods,
      clock: { now: () => now_ms },
    });
  };
  return {
    async start(products: readonly CatalogProduct[], methods: Readonly<Record<string, string>> = { risk: "aa" }) {
      now_ms += 60_000;
      const changes = open(products, methods);
      await changes.note();
      await changes.note();
      return (await changes.read()).map((one) => one.changes);
    },
    setClock: (to_ms: number) => {
      now_ms = to_ms;
    },
    read: () => open([], {}).read(),
  };
}

test("only a difference from the last record is recorded, and once, even over restarts", async () => {
  const node = createRecorder();
  const [a, b] = [product("a", "0.01"), product("b", "0.02")];
  expect(await node.start([a, b])).toEqual([[{ kind: "recorded", products: 2 }]]);
  expect(await node.start([product("a", "0.01"), b])).toHaveLength(1);
  const wider = product("a", "0.03", Type.Object({ value: Type.Number(), more: Type.String() }));
  const [newest] = await node.start([wider, product("c", "1")], { risk: "bb", regime: "cc" });
  expect(newest).toEqual([
    { kind: "price", product: "a", from_usd: "0.01", to_usd: "0.03" },
    { kind: "contract", product: "a" },
    { kind: "removed", product: "b", title: "The <b>" },
    { kind: "added", product: "c", title: "The <c>", price_usd: "1" },
    { kind: "method", method: "regime", from: null, to: "cc" },
    { kind: "method", method: "risk", from: "aa", to: "bb" },
  ]);
});

test("after the clock is set back, no change comes before its predecessor", async () => {
  const node = createRecorder();
  await node.start([product("a", "1")]);
  node.setClock(START_MS - 86_400_000);
  await node.start([product("a", "2")]);
  const [newest, first] = await node.read();
  expect(newest?.changes).toEqual([{ kind: "price", product: "a", from_usd: "1", to_usd: "2" }]);
  expect(newest?.at_ms).toBeGreaterThan(first?.at_ms ?? Number.POSITIVE_INFINITY);
});

test("the changes are a valid feed and a page that names each", async () => {
  const node = createRecorder();
  await node.start([product("a", "1")]);
  await node.start([product("a", "2"), product("b", "3")]);
  const model = createTestModel();
  const noted = await node.read();
  const feed = readAtom(renderChangesFeed(model.node, noted, START_MS));
  expect(feed.id).toBe("https://node.example.com/changes.atom");
  expect(feed.entry.map(({ title }) => title)).toEqual([
    "intel-node: 2 changes",
    "intel-node: The record of changes begins; products then: 1.",
  ]);
  expect(feed.entry[0]?.content).toContain("/a costs $2; before, $1.");
  const page = renderChangesPage({ model, noted, words: ENGLISH });
  for (const { at_ms } of noted) expect(page).toContain(`id="${at_ms}"`);
  expect(page).toContain("New: The &lt;b&gt; (/b), $3.");
  expect(readAtom(renderChangesFeed(model.node, [], START_MS)).entry).toEqual([]);
});
