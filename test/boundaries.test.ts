import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ALLOWED_IMPORTS, WIRING_FOLDERS } from "../src/tools/import-rules.ts";
import { findBoundaryViolations } from "./helpers/boundaries.ts";
import { listProjectFiles, readFiles, scanImports } from "./helpers/source-files.ts";

const check = (path: string, text: string) => findBoundaryViolations(new Map([[path, text]]));

test("no file of src imports what its folder may not", () => {
  const sources = listProjectFiles().filter((path) => path.startsWith("src/") && path.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(100);
  expect(findBoundaryViolations(readFiles(sources))).toEqual([]);
});

describe("the checker refuses", () => {
  test.each([
    ["core importing the catalog", "src/core/money.ts", 'import { x } from "../catalog/catalog.ts";'],
    ["core importing a type of ours", "src/core/money.ts", 'import type { X } from "../catalog/catalog.ts";'],
    ["a re-export across a border", "src/core/money.ts", 'export { x } from "../ledger/ledger.ts";'],
    ["a plugin importing core by its path", "src/plugins/fx/a/fetch.ts", 'import { c } from "../../../core/clock.ts";'],
    ["a plugin importing the ledger", "src/plugins/fx/a/fetch.ts", 'import { l } from "../../../ledger/ledger.ts";'],
    ["a plugin importing another domain", "src/plugins/fx/a/fetch.ts", 'import { p } from "../../web/index.ts";'],
    ["a lazy import across a border", "src/surfaces/mcp.ts", 'const x = await import("../http/app.ts");'],
    ["a type query across a border", "src/ledger/a.ts", 'let x: import("../payments/types.ts").Payment;'],
    ["payments using more than catalog types", "src/payments/gate/a.ts", 'import { c } from "../../catalog/a.ts";'],
    ["http importing a domain", "src/http/app.ts", 'import { registry } from "../plugins/registry.gen.ts";'],
    ["http importing jobs", "src/http/app.ts", 'import { j } from "../jobs/scheduler.ts";'],
    ["production code running the sandbox", "src/commands/run.ts", 'import { s } from "../sandbox/index.ts";'],
    ["a folder nobody wrote rules for", "src/extra/a.ts", 'import { m } from "../core/money.ts";'],
    ["production code importing test helpers", "src/http/app.ts", 'import { f } from "../../test/helpers/fake.ts";'],
    ["viem outside its fence", "src/http/app.ts", 'import { isAddress } from "viem";'],
    ["a member of viem outside its fence", "src/payments/challenge.ts", 'import { base } from "viem/chains";'],
    ["croner outside the jobs", "src/ledger/open.ts", 'import { Cron } from "croner";'],
    ["SQLite outside the ledger", "src/jobs/previews.ts", 'import { Database } from "bun:sqlite";'],
    ["SQLite elsewhere in upstream", "src/upstream/client.ts", 'import { Database } from "bun:sqlite";'],
    ["elysia outside http", "src/surfaces/openapi.ts", 'import { t } from "elysia";'],
  ])("%s", (_, path, text) => {
    expect(check(path, text)).toHaveLength(1);
  });
});

describe("the checker accepts", () => {
  test.each([
    ["payments using types of the catalog", "src/payments/a.ts", 'import type { C } from "../catalog/catalog.ts";'],
    ["the same, marked one by one", "src/payments/a.ts", 'import { type C } from "../catalog/catalog.ts";'],
    ["the registry importing every domain", "src/plugins/registry.gen.ts", 'import { plugin } from "./fx/index.ts";'],
    ["the demo running the sandbox", "src/commands/demo.ts", 'import { createSandbox } from "../sandbox/index.ts";'],
    ["the composition knowing the sandbox's type", "src/node/a.ts", 'import type { S } from "../sandbox/index.ts";'],
    ["a test importing anything", "src/core/money.test.ts", 'import { x } from "../http/app.ts";'],
    ["viem behind its fence", "src/payments/networks/evm/read.ts", 'import { hexToBytes } from "viem";'],
    ["market.db using SQLite", "src/stores/market-db.ts", 'import { Database } from "bun:sqlite";'],
  ])("%s", (_, path, text) => {
    expect(check(path, text)).toEqual([]);
  });
});

test("imports in comments and strings are not imports", () => {
  const text = '// import { a } from "./a.ts";\nconst b = `import { b } from "./b.ts"`;\nimport "./c.ts";';
  expect(scanImports("src/core/x.ts", text)).toEqual([{ from: "./c.ts", is_type: false }]);
});

test("the rules list every folder after all folders that it may import", () => {
  const folders = Object.keys(ALLOWED_IMPORTS);
  const back = Object.entries(ALLOWED_IMPORTS).flatMap(([folder, allowed]) =>
    allowed
      .map((one) => one.replace("type:", ""))
      .filter((one) => folders.indexOf(one) >= folders.indexOf(folder))
      .map((one) => `${folder} -> ${one}`),
  );
  expect(back).toEqual([]);
});

test("every folder of src says in a README what it holds, and has an import rule", () => {
  const folders = new Set(listProjectFiles().flatMap((path) => /^src\/([^/]+)\//.exec(path)?.[1] ?? []));
  const ruled = new Set([...Object.keys(ALLOWED_IMPORTS), ...WIRING_FOLDERS]);
  expect([...folders].filter((folder) => !ruled.has(folder))).toEqual([]);
  for (const folder of folders) expect(readFileSync(`src/${folder}/README.md`, "utf8")).toMatch(/^\S.{3,}\.\n/);
});
