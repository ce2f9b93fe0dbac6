import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { definePlugin } from "../../src/catalog/plugin.ts";
import { type AnyProduct, defineProduct } from "../../src/catalog/product.ts";
import { loadConfig } from "../../src/config/load.ts";
import { createSettableClock } from "../../src/core/clock.ts";
import { startNode } from "../../src/node/start-node.ts";
import { createLog } from "../../src/telemetry/log.ts";

const product = (path: `/${string}`, produce: () => unknown) =>
  defineProduct({
    path,
    title: path,
    description: "A product of the tests.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ n: Type.Number() }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [],
    requires: [],
    ttl: "0s",
    deadline_ms: 5_000,
    preview: { every: "24h" },
    fetch: async () => {
      await produce();
      return 1;
    },
    compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n: Number(n) }, warnings: [] }),
  });

export interface EngineNodeHooks {
  /** Called while a product is made: after a payment was verified, before it is settled. */
  readonly produce?: () => unknown;
  /** Gets every line of the log. */
  readonly write?: (text: string) => void;
  /** Sold besides its own two. */
  readonly products?: readonly AnyProduct[];
}

/** The real node, not in sandbox mode, that sells /one and /two with the wallets and chains a test configures. */
export async function startEngineNode(more: string, hooks: EngineNodeHooks = {}) {
  const { produce = () => undefined, write, products = [] } = hooks;
  const data = mkdtempSync(join(tmpdir(), "engine-node-"));
  const text = `
[server]
port = 0
[data]
dir = ${JSON.stringify(data)}
[limits]
loopback_exempt = true
${more}
`;
  const clock = createSettableClock();
  const loaded = loadConfig({ text, file: "test", env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const file = "test";
  const plugin = definePlugin({
    id: "test",
    title: "Test",
    products: [product("/one", produce), product("/two", produce), ...products],
  });
  const entry = {
    ...plugin,
    file,
    origin: "built-in" as const,
    products: (plugin.products ?? []).map((one) => ({ file, product: one })),
    jobs: [],
    simulators: [],
  };
  const node = await startNode({
    config: loaded.config,
    data_dir: data,
    clock,
    log: createLog({ level: write ? "info" : "silent", format: "json", secrets: [], ...(write ? { write } : {}) }),
    version: "0.0.0-test",
    sandbox: null,
    plugins: { plugins: [entry], known: [entry], faults: [] },
  });
  await node.settled;
  return {
    url: node.url,
    node,
    data,
    clock,
    async stop() {
      await node.stop(() => undefined);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
