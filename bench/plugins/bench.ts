import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct, NodeError } from "intel-node";

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

const asked = {
  category: "bench",
  tags: ["bench"],
  price_usd: "0.001",
  providers: [],
  requires: [],
  params: Type.Object({ q: Type.Optional(Type.String({ maxLength: 20 })) }),
  data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  ttl: "0s",
  deadline_ms: 5_000,
  preview: { every: "24h" },
} as const;

/** What ends uncharged, and costs what was done for it. */
const nothing = defineProduct({
  ...asked,
  path: "/bench-nothing",
  title: "Nothing",
  description: "Of whatever it is asked nobody knows anything.",
  fetch: async (_context, { q }) => {
    if (q === undefined) return 1;
    await Bun.sleep(20);
    throw new NodeError("subject_not_found", "Nobody knows it. Nothing was charged.");
  },
  compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] }),
});

/** Some milliseconds of the serving thread, as the heaviest products take. */
const heavy = defineProduct({
  ...asked,
  path: "/bench-heavy",
  title: "Heavy",
  description: "Adds numbers for a while.",
  fetch: async () => 4_000_000,
  compute: (times, { now_ms }) => {
    let n = 0;
    for (let step = 0; step < times; step += 1) n = (n * 31 + step) % 1_000_003;
    return { as_of_ms: now_ms, data: { n }, warnings: [] };
  },
});

export default definePlugin({ id: "bench", title: "Benchmark", products: [product, nothing, heavy] });
