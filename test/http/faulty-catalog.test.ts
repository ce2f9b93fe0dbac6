import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { CatalogError } from "../../src/catalog/catalog.ts";
import type { LoadedPlugin } from "../../src/catalog/plugin.ts";
import { defineProduct } from "../../src/catalog/product.ts";
import { loadConfig } from "../../src/config/load.ts";
import { lockDataDirectory, openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { startNode } from "../../src/node/start-node.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { WALLETS } from "../helpers/money-node.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const folder = mkdtempSync(join(tmpdir(), "faulty-catalog-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The catalog is made while the books are being opened: neither may be left behind by the other's failure. */
test("a start that ends of a faulty built-in product gives books and folder back", async () => {
  const product = defineProduct({
    path: "/admin",
    title: "Taken",
    description: "Wants a path of the node's own.",
    category: "test",
    tags: [],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ n: Type.Number() }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [],
    requires: [],
    ttl: "1s",
    deadline_ms: 5_000,
    preview: { every: "1h", delay: "0s" },
    fetch: async () => 1,
    compute: (n: number, { now_ms }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] }),
  });
  const plugin: LoadedPlugin = {
    id: "test",
    title: "Test",
    simulators: [],
    origin: "built-in",
    file: "test",
    products: [{ file: "test/product.ts", product }],
    jobs: [],
  };
  const text = `[wallets.base]\npay_to = "${WALLETS.base}"\n[server]\nport = 0\n[data]\ndir = ${JSON.stringify(folder)}
[[facilitators]]\nkind = "remote"\nurl = "http://127.0.0.1:9"\n`;
  const loaded = loadConfig({ text, file: "test", env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const started = startNode({
    config: loaded.config,
    data_dir: folder,
    clock: createStillClock(),
    log: createLog({ level: "silent", format: "json", secrets: [] }),
    version: "0.0.0-test",
    sandbox: null,
    plugins: { plugins: [plugin], known: [plugin], faults: [] },
  });
  await expect(started).rejects.toBeInstanceOf(CatalogError);
  lockDataDirectory(folder)();
  openLedgerFile(join(folder, "ledger.db")).close();
});
