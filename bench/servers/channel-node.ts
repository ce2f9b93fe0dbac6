import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { startMoneyNode } from "../../test/helpers/money-node.ts";

/** A node with channels, on sandbox money, whose product is answered from memory. Prints its address and a key. */
const product = defineProduct({
  path: "/bench",
  title: "Bench",
  description: "Answered from memory.",
  category: "test",
  tags: ["test"],
  price_usd: "0.001",
  params: Type.Object({}),
  data: Type.Object({ message: Type.String(), numbers: Type.Array(Type.Number()) }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { message: "hello", numbers: [1, 2, 3] } },
  providers: [],
  requires: [],
  ttl: "1h",
  deadline_ms: 5_000,
  preview: { every: "24h" },
  fetch: async () => "hello",
  compute: (message, { now_ms }) => ({ as_of_ms: now_ms, data: { message, numbers: [1, 2, 3] }, warnings: [] }),
});
const CONFIG =
  '[payments.channels]\nenabled = true\nclaim_sum = "1000"\nunclaimed_max = "1000"\n[preview]\ndelay = "0s"\n';

const limits = "key_per_minute = 100000000\n";
const { url, node } = await startMoneyNode(CONFIG, undefined, { products: [product], limits, timeout: "5s" });
await node.runChannels();
const issued = await fetch(`${url}/admin/keys`, {
  method: "POST",
  headers: { Authorization: `Bearer ${node.operator_token}`, "Content-Type": "application/json" },
  body: JSON.stringify({ command: "issue", credit_usd: "1000" }),
});
const { api_key } = (await issued.json()) as { readonly api_key: string };
console.log(JSON.stringify({ url, api_key }));
