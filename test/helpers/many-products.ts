import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./demo-node.ts";

/** What would break out of markup that forgot to escape it. */
export const HOSTILE = `</title></script><script>document.title='broken'</script><img src=x onerror=alert(1)>"'\`&amp;`;

const plugin = (count: number): string => `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
const hostile = ${JSON.stringify(HOSTILE)};
const fields = Object.fromEntries(Array.from({ length: 10 }, (_, n) => ["reading_" + n,
  Type.Number({ description: "Reading " + n + " of this product, in US dollars" })]));
const data = Object.fromEntries(Array.from({ length: 10 }, (_, n) => ["reading_" + n, n * 1.5]));
const make = (n, texts) => defineProduct({
  path: "/many-" + n, category: "group-" + (n % 9), tags: ["market-data"], price_usd: "0.0" + ((n % 9) + 1), ...texts,
  params: Type.Object({
    symbol: Type.String({ default: "BTC", pattern: "^[A-Z]{2,6}$", description: texts.description.slice(0, 90) }),
    days: Type.Integer({ default: 30, minimum: 1, maximum: 365, description: "Days of history" }),
  }),
  data: Type.Object({ note: Type.String({ description: texts.title }), ...fields }),
  example: { params: { symbol: "BTC" }, as_of: "2026-01-01T00:00:00Z", data: { note: texts.title, ...data } },
  providers: [], requires: [], ttl: "60s", deadline_ms: 1000, preview: { every: "1h", delay: "0s" },
  fetch: async () => 1,
  compute: (_, { now_ms }) => ({ as_of_ms: now_ms, data: { note: texts.title, ...data }, warnings: [] }),
});
const products = Array.from({ length: ${count} }, (_, n) => make(n, n === 0
  ? { title: hostile, description: hostile }
  : { title: "Product number " + n, description: "Rates and spreads of the market number " + n +
      ", sampled from several venues at once, with the share of those that answered and a verdict about them." }));
export default definePlugin({ id: "many", title: "Many", products });
`;

/** A folder with a plugin of `count` products /many-0, /many-1, …; the texts of the first are hostile. */
export function newManyProducts(count: number): string {
  const folder = newFolder();
  writeFileSync(join(folder, "many.ts"), plugin(count));
  return folder;
}
