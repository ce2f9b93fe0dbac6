import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, newFolder, startDemo } from "../helpers/demo-node.ts";

afterAll(cleanUp);

/** Takes a while and is never kept, so that every call needs a produce slot. */
const SLOW = `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
let order = 0;
const product = defineProduct({
  path: "/slow", title: "Slow", description: "Takes its time.", category: "test", tags: [], price_usd: "0.001",
  params: Type.Object({ n: Type.Optional(Type.String()) }), data: Type.Object({ order: Type.Integer() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { order: 1 } },
  providers: [], requires: [], ttl: "0s", deadline_ms: 60000, preview: { every: "24h", delay: "0s" },
  fetch: async () => { await new Promise((done) => setTimeout(done, 3)); order += 1; return order; },
  compute: (order, { now_ms }) => ({ as_of_ms: now_ms, data: { order }, warnings: [] }),
});
export default definePlugin({ id: "slow", title: "Slow", products: [product] });
`;

const PLANS = { standard: "day_pass", pro: "subscribe_pro", max: "subscribe_whale", dedicated: "enterprise" } as const;
type Level = keyof typeof PLANS;
const LEVELS = Object.keys(PLANS) as Level[];
const CALLS = 150;
/** Of every class: one holder has only so many calls worked on at once, and they have to fill the node. */
const KEYS = 30;

test("on a full node the classes are served in proportion to their shares, and nobody starves", async () => {
  const plugins = newFolder("slow-plugin-");
  writeFileSync(join(plugins, "slow.ts"), SLOW);
  const node = await startDemo({ args: ["--plugins", plugins], history: true });
  const issue = async (plan: string): Promise<string> => {
    const response = await fetch(`${node.url}/admin/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${node.operator_token}`, "content-type": "application/json" },
      body: JSON.stringify({ command: "issue", plan }),
    });
    return String(((await response.json()) as { api_key: unknown }).api_key);
  };
  const served: { level: Level; order: number }[] = [];
  // The same number of calls of every class at once, far more than there are slots; each is another request, so that
  // none can share another's run.
  const calls = await Promise.all(
    LEVELS.map(async (level) => {
      const api_keys = await Promise.all(Array.from({ length: KEYS }, () => issue(PLANS[level])));
      return Array.from({ length: CALLS }, (_, n) => async () => {
        const response = await node.get(`/slow?n=${level}${n}`, { "x-api-key": api_keys[n % KEYS] ?? "" });
        expect(response.status).toBe(200);
        const { data } = (await response.json()) as { data: { order: number } };
        served.push({ level, order: data.order });
      });
    }),
  );
  const mixed = Array.from({ length: CALLS }, (_, n) => calls.map((list) => list[n])).flat();
  await Promise.all(mixed.map((call) => call?.()));
  expect(served).toHaveLength(CALLS * LEVELS.length);

  served.sort((a, b) => a.order - b.order);
  const meanPlace = (level: Level): number => {
    const places = served.flatMap((one, place) => (one.level === level ? [place] : []));
    return places.reduce((sum, place) => sum + place, 0) / places.length;
  };
  const [standard, pro, max, dedicated] = LEVELS.map(meanPlace) as [number, number, number, number];
  expect(max).toBeLessThan(pro);
  expect(pro).toBeLessThan(standard);
  expect(dedicated).toBeLessThan(standard);
  // The lowest class had its turns from the start on: it did not have to wait until the others were done.
  const first_half = served.slice(0, served.length / 2).filter((one) => one.level === "standard").length;
  expect(first_half).toBeGreaterThan(5);
  // What costs nothing is not held up by all of this.
  expect((await node.get("/slow?preview=1")).status).toBe(200);
});
