/**
 * The folders of src that each folder may import, besides itself. "type:x" allows only types of x. Each folder is
 * listed after every folder that it imports. A test enforces the rules. docs/architecture.md is generated from them.
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
  // The rules for strangers belong to no product: plugins get them with the rest of their interface.
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
  // An operator's plugins may import the same as built-in ones: some modules of these rooms.
  "plugin-host": ["core", "quant", "catalog", "upstream"],
  models: ["core", "catalog", "upstream"],
  stores: ["core", "records", "catalog", "recompute", "telemetry", "watches", "type:upstream", "type:models"],
  // Built-in products import only what an operator's plugin may import.
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

/** Folders that wire everything together, and may import anything. */
export const WIRING_FOLDERS: readonly string[] = ["node", "commands", "tools", "sandbox", "node.ts"];
