import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { parseCharts } from "../catalog/chart.ts";
import { createAsking } from "../catalog/failover.ts";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import { unusable } from "../catalog/unusable.ts";
import { createHistory, SERIES_SCHEMA } from "../stores/history.ts";
import { openMarketDb } from "../stores/market-db.ts";
import { openStores } from "../stores/stores.ts";
import { loadOperatorPlugins } from "./load-plugins.ts";

/**
 * Every program text of docs/plugin-author.md, put into one plugin file as an operator would put it, loaded by the
 * node and run. A text that shows the inside of a definition or of a function is wrapped in that, and nothing else
 * of it is changed. One that is added to the page and not run here fails the last test.
 */
const PAGE = readFileSync(join(import.meta.dir, "../../docs/plugin-author.md"), "utf8");
const BLOCKS = [...PAGE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
const NOW_MS = Date.UTC(2026, 10, 21, 6);

/** Which of them were asked for. */
const used = new Set<string>();
/** The one that begins so. */
function take(start: string): string {
  const found = BLOCKS.filter((text) => text.startsWith(start));
  if (found.length !== 1) throw new Error(`${found.length} program texts of the page begin with ${start}`);
  used.add(found[0] ?? "");
  return found[0] ?? "";
}

/** What stands above the first comment "in a job" or "in a product", and what stands below it. */
function split(text: string): readonly [string, string] {
  const at = text.search(/^\/\/ in a /m);
  return [text.slice(0, at), text.slice(at)];
}

// A file has one default export; the page shows two.
const asConst = (text: string, name: string) => text.replace("export default", `export const ${name} =`);
const [settings, use_settings] = split(take("export const settings"));
const [heights, use_heights] = split(take("const heights"));
const [versions, use_versions] = split(take("const versions"));

const SOURCE = `
import { Type } from "@sinclair/typebox";
import { column, defineFreeRoute, definePlugin, defineSeries, defineTable, Rows, unusable, Whole } from "intel-node";
import { loadAbi } from "intel-node/chains";
const Price = Type.Number();
const quote = undefined as never;
const withoutNoise = (body: unknown, own: unknown) => [body, own];
${take("export const models")}
${asConst(settings, "desk").replace("products: [quote]", "products: []")}
${heights}
${asConst(versions, "bank_codes")}
export const draw = (at_ms: number) => {
  ${take("const height: Chart")}
  return [height, alike, highest];
};
const Level = Type.Tuple([Type.Number(), Type.Number()]);
const toPrice = ({ usd }: any) => usd;
export const listed: any = { ${take("schema: Type.Object({\n  prices")} };
export const formed = { ${take("form: {")} };
export const getQuote = async (context: any, venue: any, symbol: string) => {
  ${take("const quote = await context.get")}
  return quote;
};
export const getParts = async (context: any, { a, b, askA, askB, fetchFunding, fetchFees, symbol }: any) => {
  ${take("const { values, warnings } = await context.each")}
  return { values, warnings };
};
export const getBalance = async (holder: string, result: string) => {
  ${take("const erc20")}
  return { data, balance };
};
export const readSettings = (context: any, venue: any) => {
  ${use_settings}
  return { fee_bps, taker_bps };
};
export const sample = async (context: any, height: number) => {
  ${use_heights}
  return { month, newest, yesterday };
};
export const keep = async (context: any, { version, rows, since_ms }: any) => {
  ${use_versions.replace(/\/\/ in a product or a job\nawait/, "return await")}
};
export default definePlugin({ id: "whole", title: "Whole", routes: [models] });
`;

const folder = mkdtempSync(join(tmpdir(), "intel-node-page-"));
afterAll(() => rmSync(folder, { recursive: true }));
// biome-ignore lint/suspicious/noExplicitAny: the plugin is made here, from texts.
let page: any;
beforeAll(async () => {
  const file = join(folder, "own.ts");
  writeFileSync(file, SOURCE);
  const { plugins, faults } = await loadOperatorPlugins(folder);
  expect([faults, plugins.map(({ id, routes = [] }) => [id, routes.length])]).toEqual([[], [["whole", 1]]]);
  page = await import(pathToFileURL(file).href);
});

test("rows that are read one by one", () => {
  const { schema, read } = page.listed;
  expect(Value.Check(schema, { prices: [{ symbol: "A", usd: 1 }], bids: [[1, 2]] })).toBe(true);
  const verdicts: unknown[] = [];
  const eachRow = (rows: readonly unknown[], readRow: (row: unknown) => unknown) => verdicts.push(...rows.map(readRow));
  read({ prices: [{ usd: 5 }, { usd: 2e9 }] }, {}, eachRow);
  expect(verdicts).toEqual([5, unusable("absurd")]);
});

test("the form of raw answers", () => {
  const { render, readBody, renderError, toEvents, in_402 } = page.formed.form;
  expect(render({ data: { a: 1 }, sandbox: true, delayed: false })).toEqual({ a: 1, note: "simulated" });
  expect(readBody("body", { config: () => "own" })).toEqual(["body", "own"]);
  const told = { code: "not_found", status: 404, message: "none", param: "q" };
  const error = { message: "none", code: "not_found", param: "q" };
  expect(renderError(told)).toEqual({ status: 404, body: { error } });
  expect([toEvents({ stream: true }, { a: 1 }), toEvents({}, { a: 1 })]).toEqual([['{"a":1}', "[DONE]"], null]);
  expect(in_402).toEqual({ unsupported: ["tools"] });
});

test("charts of every kind", () => {
  const charts = page.draw(NOW_MS);
  expect(parseCharts(charts)).toEqual(charts);
  expect(charts.map(({ kind }: { kind: string }) => kind)).toEqual(["time", "heat_map", "bars"]);
});

test("a free route", async () => {
  expect(await page.models.answer({}, { owner: "me" })).toEqual({ object: "list", data: [] });
});

test("a request that checks and reads", async () => {
  type Asked = { path: string; schema: TSchema; read: (value: unknown) => unknown };
  const answering = (body: object) => ({
    get: async (_: unknown, { path, schema, read }: Asked) => [path, Value.Check(schema, body), read(body)],
  });
  const good = await page.getQuote(answering({ bid: 1, ask: 2, time: 3 }), null, "BTC");
  expect(good).toEqual(["/ticker?symbol=BTC", true, { bid: 1, ask: 2, at_ms: 3 }]);
  const crossed = await page.getQuote(answering({ bid: 2, ask: 1, time: 3 }), null, "BTC");
  expect(crossed[2]).toEqual(unusable("the book is crossed"));
});

test("several things at once: the second provider, a part that fails", async () => {
  const context = createAsking({ usable: () => true, signal: new AbortController().signal });
  const failing = () => Promise.reject(new Error("down"));
  const { values, warnings } = await page.getParts(context, {
    a: { id: "a" },
    b: { id: "b" },
    askA: failing,
    askB: async () => 7,
    fetchFunding: async () => 0.01,
    fetchFees: failing,
    symbol: "BTC",
  });
  expect(values).toEqual({ price: 7, funding: 0.01, fees: null });
  expect(warnings).toEqual([expect.stringContaining("costs.fees: no venue states them")]);
});

test("a contract's view, coded and decoded", async () => {
  const word = (digits: string) => digits.padStart(64, "0");
  const holder = "0x52908400098527886e0f7030069857d2e4169ee7";
  const { data, balance } = await page.getBalance(holder, `0x${word("2a")}`);
  expect(data.toLowerCase()).toBe(`0x70a08231${word(holder.slice(2))}`);
  expect(balance).toBe(42n);
});

test("its own settings", () => {
  const context = { config: (of: unknown) => (of === page.settings ? { fee_bps: 5 } : { taker_bps: 10 }) };
  expect(page.readSettings(context, {})).toEqual({ fee_bps: 5, taker_bps: 10 });
  expect(page.desk.config).toBe(page.settings);
});

test("a series, written and read back", async () => {
  const db = new Database(":memory:", { strict: true });
  db.run(SERIES_SCHEMA);
  const context = { history: createHistory(db), now_ms: NOW_MS, sources: () => [] };
  const { month, newest, yesterday } = await page.sample(context, 900_000);
  expect(month).toEqual([{ at_ms: NOW_MS, value: 900_000, sources: [] }]);
  expect([newest, yesterday]).toEqual([month[0], null]);
});

test("a table, written and found again", async () => {
  const clock = { now: () => NOW_MS };
  const market = openMarketDb(":memory:", { clock });
  const { id, title, tables } = page.bank_codes;
  const plugin: LoadedPlugin = {
    id,
    title,
    tables,
    file: "own.ts",
    origin: "operator",
    products: [],
    jobs: [],
    simulators: [],
  };
  const stores = openStores({
    kept_file: ":memory:",
    datasets_folder: join(folder, "sets"),
    market,
    plugins: [plugin],
  });
  const context = { table: stores.table, now_ms: NOW_MS };
  const rows = await page.keep(context, { version: "v1", rows: 3, since_ms: 0 });
  expect(rows).toEqual([{ version: "v1", seen_at_ms: NOW_MS, banks: 3 }]);
  stores.close();
  market.close();
});

test("no program text of the page is left out", () => {
  // It needs a demo that sells: test/binary/plugins.test.ts runs it, and the page's commands.
  take("// pay.ts");
  expect(BLOCKS.filter((text) => !used.has(text))).toEqual([]);
});
