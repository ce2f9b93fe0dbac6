import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ProductNode, startProductNode } from "../../../../test/helpers/product-node.ts";
import { PARTS, product } from "./product.ts";

/** The real node: a bundle is made of what it sells. */
let node: ProductNode;
beforeAll(async () => {
  node = await startProductNode({ seed_history: false, runs_jobs: true });
});
afterAll(() => node.stop());

interface Body {
  readonly data: { readonly items: { readonly path: string; readonly data: unknown }[]; readonly saving_pct: number };
  readonly sources: { readonly provider: string }[];
}

describe("GET /agent-composable", () => {
  test("sells the very data of its parts, and names their sources", async () => {
    const answer = await node.buy(product, { ...product.example.params, view: "full" });
    expect(answer.status).toBe(200);
    const { data, sources } = (await answer.json()) as Body;
    expect(data.items.map(({ path }) => path)).toEqual(PARTS.map(({ path }) => path));
    expect(data.saving_pct).toBeCloseTo(18.37, 2);
    const [part] = node.products.filter(({ path }) => path === "/fear-greed");
    if (!part) throw new Error("no /fear-greed");
    const whole = { ...part.example.params, view: "full" };
    const alone = (await (await node.buy(part, whole)).json()) as Body;
    expect(data.items[0]?.data).toEqual(alone.data);
    const named = new Set(sources.map(({ provider }) => provider));
    for (const { provider } of alone.sources) expect(named).toContain(provider);
  });

  test("an unavailable part makes it fail, named and uncharged", async () => {
    node.clock.set(node.clock.now() + 3_600_000);
    const settled = node.settlements();
    await node.control("/upstreams", { provider: "*", fault: "http500" });
    const key = await fetch(`${node.url}/admin/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${node.node.operator_token}`, "content-type": "application/json" },
      body: JSON.stringify({ command: "issue", credit_usd: "1" }),
    });
    const { api_key } = (await key.json()) as { readonly api_key: string };
    const answer = await fetch(`${node.url}${product.path}`, { headers: { "X-API-Key": api_key } });
    expect(answer.status).toBe(503);
    const problem = (await answer.json()) as { readonly detail: string; readonly charged: boolean };
    expect(problem.charged).toBe(false);
    expect(PARTS.some(({ path }) => problem.detail.includes(path.slice(1)))).toBe(true);
    expect(node.settlements()).toBe(settled);
  });
});
