/**
 * Which folders of src a folder may import, besides itself. "type:x" allows only types of x. A test holds the
 * sources to it, and docs/architecture.md is generated from it.
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
  // What a stranger is judged by is of no product: plugins get it with the rest of their interface.
  audit: ["core", "challenge-reader", "networks", "type:guarded-fetch"],
  catalog: [
    ...["audit", "core", "calendars", "challenge-reader", "grounding", "names", "networks", "records"],
    ...["standard-params", "text"],
    "type:guarded-fetch",
  ],
  watches: ["core", "catalog", "type:guarded-fetch"],
  recompute: ["core", "catalog"],
  config: ["core", "networks", "alerts"],
  telemetry: ["core"],
  stores: ["core", "records", "catalog", "recompute", "telemetry", "watches", "type:upstream", "type:models"],
  upstream: [
    ...["core", "calendars", "guarded-fetch", "networks", "quant", "records", "catalog", "telemetry"],
    "type:config",
  ],
  // Built-in products import what an operator's plugin may import, and nothing else of the node.
  plugins: ["intel-node", "intel-node/chains", "intel-node/providers/*", "intel-node/quant/*", "intel-node/series/*"],
  models: ["core", "catalog", "upstream"],
  ledger: ["core", "records", "telemetry"],
  payments: ["core", "networks", "type:catalog", "ledger", "telemetry", "sell"],
  sell: ["core", "catalog", "payments", "type:ledger", "telemetry"],
  trust: ["core", "challenge-reader", "records", "type:ledger", "type:payments"],
  surfaces: ["core", "catalog", "trust"],
  pages: ["core", "catalog", "surfaces", "type:admin"],
  jobs: ["core", "catalog", "upstream", "ledger", "payments", "telemetry"],
  alerts: ["core"],
  admin: ["core", "catalog", "upstream", "ledger", "telemetry"],
  http: [
    ...["core", "catalog", "config", "telemetry", "upstream", "ledger", "payments", "surfaces", "pages"],
    ...["admin", "records", "sell", "trust", "recompute", "watches", "type:stores"],
  ],
  doors: ["core", "catalog", "http", "payments", "sell", "surfaces", "telemetry", "trust"],
};

/** These wire everything together. */
export const WIRING_FOLDERS: readonly string[] = ["node", "commands", "tools", "sandbox", "node.ts"];
