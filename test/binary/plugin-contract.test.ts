import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, newFolder, newPayer, payingFetch, startDemo } from "../helpers/demo-node.ts";

afterAll(cleanUp);

/** One folder outside the repository: two products, one of which asks the other and one of the node's own. */
const PLUGIN = `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct, NodeError } from "intel-node";
const base = {
  category: "test", tags: [], providers: [], requires: [], ttl: "1h", deadline_ms: 9000,
  preview: { every: "1h", delay: "0s" },
};
const wallet = defineProduct({
  ...base,
  path: "/own-wallet", methods: ["POST", "GET"], title: "Own wallet", description: "The wallet asked about.",
  price_usd: "0.001", uses_payer: true,
  tiers: { param: "depth", prices: { deep: "0.002" } },
  params: Type.Object({
    address: Type.Optional(Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", description: "an address" })),
    depth: Type.Union([Type.Literal("quick"), Type.Literal("deep")], { default: "quick", description: "how much" }),
  }),
  data: Type.Object({ address: Type.String(), depth: Type.String(), rows: Type.Array(Type.Number()) }),
  long: ["rows"],
  example: {
    params: { address: "0x90F79bf6EB2c4f870365E785982E1f101E93b906", depth: "quick" },
    as_of: "2026-01-01T00:00:00Z", data: { address: "0x", depth: "quick", rows: [1] },
  },
  fetch: async ({ payer }, { address, depth }) => {
    const asked = address ?? payer?.address;
    if (asked === undefined) throw new NodeError("invalid_parameter", "Name an address.", { param: "address" });
    return { address: asked.toLowerCase(), depth, rows: [1, 2, 3] };
  },
  compute: (data, { now_ms }) => ({ as_of_ms: now_ms, data, warnings: [] }),
});
const mood = defineProduct({
  ...base,
  path: "/own-mood", title: "Own mood", description: "The node's index, read through.", price_usd: "0.001",
  asks: { "/fear-greed": "needed" },
  params: Type.Object({}),
  data: Type.Object({ value: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { value: 50 } },
  fetch: async (context) => context.ask("/fear-greed", {}, Type.Object({ value: Type.Number() })),
  compute: ({ data, as_of_ms }) => ({ as_of_ms, data: { value: data.value }, warnings: [] }),
});
export default definePlugin({ id: "own", title: "Own", products: [wallet, mood] });
`;

test("a plugin in a folder of its own uses the whole contract in the compiled binary", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "own"));
  writeFileSync(join(folder, "own", "index.ts"), PLUGIN);
  const node = await startDemo({ args: ["--plugins", folder] });
  const account = newPayer();
  const pay = payingFetch(account);
  const dataOf = async (response: Response) => {
    expect(response.status).toBe(200);
    return (await response.json()) as { data: Record<string, unknown>; sources: { provider: string }[] };
  };

  const address = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ address, view: "brief" });
  const posted = await dataOf(await pay(`${node.url}/own-wallet`, { method: "POST", headers, body }));
  expect(posted.data).toEqual({ address: address.toLowerCase(), depth: "quick" });

  const own = await dataOf(await pay(`${node.url}/own-wallet?depth=deep`));
  expect(own.data).toMatchObject({ address: account.address.toLowerCase(), depth: "deep" });
  const challenge = (await (await node.get("/own-wallet?depth=deep")).json()) as { accepts: { amount: string }[] };
  expect(challenge.accepts[0]?.amount).toBe("2000");

  const mood = await dataOf(await pay(`${node.url}/own-mood`));
  const sold = await dataOf(await pay(`${node.url}/fear-greed`));
  expect(mood.data.value).toBe(sold.data.value);
  expect(mood.sources.length).toBeGreaterThan(0);
});
