import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { listConfigFaults, PROVIDER_KEYS } from "../catalog/own-config.ts";
import { renderExample } from "../config/example.ts";
import { explainConfig } from "../config/explain.ts";
import { collectOwnTables, createOwnConfig } from "../config/own-config.ts";
import { Provider } from "../config/schema-tables.ts";
import { loadConfigFile, secretsOf } from "./load-config-file.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const PLUGIN = `
import { Type } from "@sinclair/typebox";
import { defineJob, definePlugin, defineProvider } from "intel-node";
const desk = defineProvider({
  id: "desk_api", title: "Desk", docs_url: "https://example.com", base_urls: ["https://desk.example.com"],
  terms: { class: "open", note: "Made for tests." },
  limits: { rate_per_s: 1, burst: 1, timeout_ms: 1000, attempts: 1, body_bytes_max: 1000 },
  config: Type.Object({ fee_bps: Type.Number({ minimum: 0, maximum: 100, default: 5, description: "your fee" }) }),
});
export default definePlugin({
  id: "my-desk", title: "My desk",
  config: Type.Object({
    depth: Type.Integer({ minimum: 1, maximum: 9, default: 3, description: "how deep to look" }),
    access_token: Type.Optional(Type.String({ secret: true, description: "opens the desk" })),
    chat: Type.Object(
      { lenient: Type.Boolean({ default: false, description: "drops what means nothing" }) },
      { description: "the chat door" },
    ),
  }),
  jobs: [
    defineJob({
      id: "my-desk", schedule: "0 0 1 1 *", providers: [desk], at_start: false, deadline_ms: 1000, run: async () => {},
    }),
  ],
});
`;

/** A configuration file beside a folder with one plugin that has tables of its own. */
async function load(text: string, { plugin = PLUGIN } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-config-"));
  folders.push(folder);
  mkdirSync(join(folder, "plugins"));
  writeFileSync(join(folder, "plugins", "my-desk.ts"), plugin);
  const file = join(folder, "node.toml");
  writeFileSync(file, `[plugins]\ndir = "./plugins"\n${text}`);
  const loaded = await loadConfigFile(file);
  return { file, loaded };
}

async function loadWell(text: string) {
  const { file, loaded } = await load(text);
  if ("faults" in loaded) throw new Error(loaded.faults);
  return { file, loaded };
}

test("a price for a product that was left out for its faults is accepted: the node runs without it", async () => {
  const plugin = `import { definePlugin, defineProduct } from "intel-node";
    export default definePlugin({ id: "desk", title: "D", products: [defineProduct({ path: "/tide" } as never)] });`;
  const prices = '[prices]\n"/tide" = "0.1"\n"/tide?range=day" = "0.2"\n';
  const { loaded } = await load(`${prices}[aliases]\n"/sea" = "/tide"\n`, { plugin });
  if ("faults" in loaded) throw new Error(loaded.faults);
  expect(loaded.plugins.faults.length).toBeGreaterThan(0);
  const wrong = await load(`${prices}"/tidy" = "0.3"\n`, { plugin });
  expect("faults" in wrong.loaded ? wrong.loaded.faults : "").toContain('no product "/tidy"');
});

test("tables that a plugin and its provider declare are read, with defaults, and shown with their origin", async () => {
  const { file, loaded } = await loadWell(
    '[plugins.my-desk]\ndepth = 7\naccess_token = "canary"\n[providers.desk_api]\nfee_bps = 2\n',
  );
  const rows = explainConfig(loaded.read);
  const row = (key: string) => rows.find((one) => one.key === key);
  expect(row("plugins.my-desk.depth")).toMatchObject({ value: "7", origin: `${file}:4` });
  expect(row("plugins.my-desk.chat.lenient")).toMatchObject({ value: "false", origin: "default" });
  expect(row("providers.desk_api.fee_bps")).toMatchObject({ value: "2", origin: `${file}:7` });
  expect(JSON.stringify(rows)).not.toContain("canary");
  expect(secretsOf(loaded)).toContain("canary");

  const { providers, plugins } = loaded.config;
  const own = collectOwnTables(loaded.plugins.known);
  const read = createOwnConfig({ providers: providers.tables, plugins: plugins.tables }, loaded.plugins.plugins);
  expect(read(own.plugins["my-desk"] ?? Type.Object({}))).toEqual({
    depth: 7,
    access_token: "canary",
    chat: { lenient: false },
  });
  expect(() => read(Type.Object({}))).toThrow("no plugin declares this table");
});

test("their faults are reported like all others, with line and nearest key", async () => {
  const { file, loaded } = await load(
    '[plugins.my-desk]\ndept = 7\nchat = { lenient = "yes" }\n[providers.desk_api]\nfee_bp = 2\n[plugins.my-dek]\n',
  );
  const told = "faults" in loaded ? loaded.faults : "";
  expect(told).toContain(`${file}:4:1: "dept" is not known here. Did you mean "depth"?`);
  expect(told).toContain(`${file}:5:10: "lenient" must be true or false`);
  expect(told).toContain(`${file}:7:1: "fee_bp" is not known here. Did you mean "fee_bps"?`);
  expect(told).toContain(`${file}:8:10: "my-dek" is not known here. Did you mean "my-desk"?`);
});

test("the environment sets them too", async () => {
  process.env.INTEL_NODE_PLUGINS_MY_DESK_CHAT_LENIENT = "true";
  try {
    const { loaded } = await loadWell("");
    const row = explainConfig(loaded.read).find(({ key }) => key === "plugins.my-desk.chat.lenient");
    expect(row).toMatchObject({ value: "true", origin: "env INTEL_NODE_PLUGINS_MY_DESK_CHAT_LENIENT" });
  } finally {
    delete process.env.INTEL_NODE_PLUGINS_MY_DESK_CHAT_LENIENT;
  }
});

test("the example shows them", async () => {
  const { loaded } = await loadWell("");
  const example = renderExample(collectOwnTables(loaded.plugins.known));
  expect(example).toContain(
    "[plugins.my-desk]\n# how deep to look (default; INTEL_NODE_PLUGINS_MY_DESK_DEPTH)\n#depth = 3",
  );
  expect(example).toContain(
    "#[providers.desk_api]\n# your fee (default; INTEL_NODE_PROVIDERS_DESK_API_FEE_BPS)\n#fee_bps = 5",
  );
});

test("a declaration that could prevent a start, or show a secret, is refused", () => {
  const faults = listConfigFaults(
    Type.Object({
      depth: Type.Integer({ description: "how deep" }),
      jwt: Type.Optional(Type.String({ secret: true, description: "opens it" })),
      plain: Type.Optional(Type.String()),
      api_key: Type.Optional(Type.String({ description: "taken" })),
      wide: Type.Integer({ maximum: 3, default: 9, description: "too wide" }),
    }),
    { taken: PROVIDER_KEYS },
  );
  expect(faults.map((fault) => fault.split(/[: ]/)[0])).toEqual([
    "config.depth",
    "config.jwt",
    "config.plain",
    "config.api_key",
    "config.wide",
  ]);
  expect(PROVIDER_KEYS.toSorted().join()).toEqual(Object.keys(Provider.properties).toSorted().join());
});
