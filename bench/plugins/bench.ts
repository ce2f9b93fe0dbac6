import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";

/** A product without upstreams, so that the benchmark measures the node and nothing else. */
const product = defineProduct({
  path: "/bench",
  title: "Benchmark",
  description: "A product of the benchmark; it computes nothing worth paying for.",
  category: "bench",
  tags: ["bench"],
  price_usd: "0.001",
  params: Type.Object({}),
  data: Type.Object({ message: Type.String(), numbers: Type.Array(Type.Number()) }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { message: "hello", numbers: [1, 2, 3] } },
  providers: [],
  requires: [],
  ttl: "1h",
  deadline_ms: 1_000,
  preview: { every: "1h", delay: "0s" },
  fetch: async (context) => context.now_ms,
  compute: (now_ms) => ({ as_of_ms: now_ms, data: { message: "hello", numbers: [1, 2, 3] }, warnings: [] }),
});

export default definePlugin({ id: "bench", title: "Benchmark", products: [product] });
