/**
 * Which folders of src a folder may import, besides itself. "type:x" allows only types of x. Each folder stands below
 * all that it imports. A test holds the sources to it, and docs/architecture.md is generated from it.
 */
export const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  quant: ["core"],
  networks: ["core"],
  "challenge-reader": ["core", "networks"],
  records: ["core"],
  text: ["core"],
  grounding: ["core", "text"],
  names: ["core"],
  calendars: ["core"],
  "standard-params": ["core", "networks"],
  "guarded-fetch": ["core"],
  telemetry: ["core"],
  releases: ["core"],
  // What a stranger is judged by is of no product: plugins get it with the rest of their interface.
  audit: ["core", "challenge-reader", "networks", "type:guarded-fetch"],
  catalog: [
    ...["audit", "core", "calendars", "challenge-reader", "grounding", "names", "networks", "records"],
    ...["standard-params", "text"],
    "type:guarded-fetch",
  ],
  config: ["core", "networks", "catalog"],
  watches: ["core", "catalog", "type:guarded-fetch"],
  recompute: ["core", "catalog"],
  upstream: [
    ...["core", "calendars", "guarded-fetch", "networks", "quant", "records", "catalog", "telemetry"],
    "type:config",
  ],
  // An operator's plugins may import what the built-in ones do: some of these rooms' modules.
  "plugin-host": ["core", "quant", "catalog", "upstream"],
  models: ["core", "catalog", "upstream"],
  stores: ["core", "records", "catalog", "recompute", "telemetry", "watches", "type:upstream", "type:models"],
  // Built-in products import what an operator's plugin may import, and nothing else of the node.
  plugins: ["intel-node", "intel-node/chains", "intel-node/providers/*", "intel-node/quant/*", "intel-node/series/*"],
  threads: ["core", "catalog", "recompute", "plugin-host", "stores", "plugins"],
  ledger: ["core", "records", "telemetry"],
  calls: ["core", "catalog", "type:ledger"],
  payments: ["core", "networks", "type:catalog", "ledger", "calls", "telemetry"],
  sell: ["core", "catalog", "calls", "payments", "telemetry", "type:ledger", "type:watches"],
  trust: ["core", "challenge-reader", "records", "type:ledger", "type:payments"],
  buyer: [
    ...["core", "challenge-reader", "catalog", "upstream", "payments", "trust"],
    ...["type:records", "type:stores", "type:telemetry"],
  ],
  surfaces: ["core", "catalog", "trust"],
  jobs: ["core", "catalog", "upstream", "ledger", "payments", "telemetry"],
  files: ["core", "config", "ledger", "releases", "type:catalog", "type:jobs"],
  alerts: [
    ...["core", "config", "catalog", "upstream", "models", "ledger", "payments", "releases"],
    ...["type:buyer", "type:trust", "type:watches"],
  ],
  admin: [
    ...["core", "catalog", "upstream", "ledger", "payments", "files", "telemetry", "type:alerts", "type:buyer"],
    ...["type:calls", "type:config", "type:jobs", "type:records", "type:stores", "type:threads", "type:watches"],
  ],
  pages: ["core", "catalog", "surfaces", "type:admin", "type:telemetry"],
  http: [
    ...["core", "catalog", "config", "telemetry", "upstream", "ledger", "payments", "surfaces", "pages"],
    ...["admin", "calls", "records", "sell", "trust", "recompute", "watches", "type:stores"],
  ],
  doors: ["core", "catalog", "calls", "http", "payments", "sell", "surfaces", "telemetry", "trust"],
};

/** These wire everything together. */
export const WIRING_FOLDERS: readonly string[] = ["node", "commands", "tools", "sandbox", "node.ts"];
