import { expect, test } from "bun:test";
import { listSources, readImports } from "./helpers/sources.ts";

/** Which folders of src a folder may import, besides itself. "*" = anything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | "*">> = {
  core: [],
  config: ["core"],
  telemetry: ["core"],
  catalog: ["core"],
  upstream: ["core", "catalog", "telemetry", "config"],
  plugins: ["core", "catalog", "upstream"],
  ledger: ["core", "telemetry"],
  payments: ["core", "catalog", "ledger", "telemetry"],
  surfaces: ["core", "catalog"],
  jobs: ["core", "catalog", "upstream", "ledger", "payments", "telemetry"],
  http: ["core", "config", "catalog", "upstream", "plugins", "ledger", "payments", "surfaces", "telemetry"],
  admin: ["core", "ledger", "catalog", "upstream", "telemetry"],
  sandbox: "*",
  cli: "*",
};

/** Packages that only some places may use, because they are heavy or because one place should own the matter. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  viem: ["src/payments/networks/evm/", "src/sandbox/", "src/cli/demo-buyer.ts"],
  "bun:sqlite": ["src/ledger/", "src/upstream/market-db.ts"],
  elysia: ["src/http/"],
  croner: ["src/jobs/"],
  commander: ["src/node.ts"],
  pino: ["src/telemetry/"],
  "@x402/core": ["src/payments/", "src/sandbox/"],
};

type FileImports = Readonly<Record<string, readonly string[]>>;

const folderOf = (file: string): string => /^src\/([^/]+)\//.exec(file)?.[1] ?? "";

/** Every breach, as "file -> import: why". */
function findBreaches(files: FileImports): string[] {
  const breaches: string[] = [];
  for (const [file, imports] of Object.entries(files)) {
    const folder = folderOf(file);
    const allowed = MAY_IMPORT[folder] ?? (folder === "" ? "*" : []);
    for (const target of imports) {
      const to = folderOf(target);
      if (to !== "" && to !== folder && allowed !== "*" && !allowed.includes(to)) {
        breaches.push(`${file} -> ${target}: ${folder} may not import ${to}`);
      }
      if (to === "sandbox" && !/^src\/(sandbox|cli)\//.test(file)) breaches.push(`${file} -> ${target}: only the demo`);
      const domain = /^src\/plugins\/([^/]+)\//.exec(file)?.[1];
      const other = /^src\/plugins\/([^/]+)\//.exec(target)?.[1];
      if (domain && other && domain !== other) breaches.push(`${file} -> ${target}: another domain's internals`);
      for (const [name, places] of Object.entries(ONLY_IN)) {
        const is_it = target === name || target.startsWith(`${name}/`);
        if (is_it && !places.some((place) => file.startsWith(place))) breaches.push(`${file} -> ${target}: not here`);
      }
    }
  }
  return breaches;
}

test("every import keeps to the map of folders", () => {
  const files = Object.fromEntries(
    listSources("src")
      .filter((file) => file.endsWith(".ts") && !/\.(test|gen|d)\.ts$/.test(file))
      .map((file) => [file, readImports(file)]),
  );
  expect(Object.keys(files).length).toBeGreaterThan(50);
  expect(findBreaches(files)).toEqual([]);
});

test("the check finds a planted breach of each kind", () => {
  const planted: FileImports = {
    "src/core/a.ts": ["src/ledger/ledger.ts"],
    "src/plugins/fx/rate/fetch.ts": ["src/payments/codec.ts", "src/plugins/crypto/x.ts"],
    "src/http/a.ts": ["viem", "src/sandbox/index.ts"],
    "src/payments/a.ts": ["bun:sqlite"],
  };
  expect(findBreaches(planted)).toHaveLength(7);
});
