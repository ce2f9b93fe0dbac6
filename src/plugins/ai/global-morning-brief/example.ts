import { readFactRows } from "intel-node";
import type { MorningData } from "./schema.ts";

const data: MorningData = {
  edition: "us_open",
  status: [
    { id: "crypto", status: "ok", as_of: "2026-01-13T01:00:00Z" },
    { id: "fx", status: "ok", as_of: "2026-01-13T01:00:00.201Z" },
    { id: "commodities", status: "ok", as_of: "2026-01-13T00:59:59.803Z" },
    { id: "calendar", status: "ok", as_of: "2026-01-13T01:00:00.203Z" },
    { id: "geo", status: "missing", as_of: null },
    { id: "brazil", status: "ok", as_of: "2026-01-13T01:00:00.203Z" },
    { id: "ai_tech", status: "ok", as_of: "2026-01-12T03:32:41Z" },
  ],
  events: [],
  markdown: "# Morning brief, 2026-01-13",
  blocks: [
    {
      id: "crypto",
      text: [
        "BTC trades at $48,665.83, up 0.81% in 24h and up 2.96% in 7d. ETH trades at $3,638.83,",
        "up 1.6% in 24h and up 10.31% in 7d. SOL trades at $105.13, up 4.13% in 24h and up 10.75%",
        "in 7d. The market regime is bear. Fear and greed reads 68.",
      ].join(" "),
      facts: ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10"],
      sources: [],
      written_by: "template",
    },
    {
      id: "fx",
      text: [
        "EURUSD stands at 1.0912, a change of -0.54% on the day. GBPUSD stands at 1.3718, a",
        "change of -0.47% on the day. USDJPY stands at 163.6065, a change of 2.39% on the day.",
      ].join(" "),
      facts: ["F11", "F12", "F13", "F14", "F15", "F16"],
      sources: [],
      written_by: "template",
    },
  ],
  facts: readFactRows({ from: "/market-brief", as_of: "2026-01-13" }, [
    ["BTC", "BTC price", 48665.829, "usd", { about: "BTC" }],
    ["BTC_24h", "BTC change, 24h", 0.81, "pct", { kind: "change", about: "BTC", window: "24h" }],
    ["BTC_7d", "BTC change, 7d", 2.96, "pct", { kind: "change", about: "BTC", window: "7d" }],
    ["ETH", "ETH price", 3638.8348, "usd", { about: "ETH" }],
    ["ETH_24h", "ETH change, 24h", 1.6, "pct", { kind: "change", about: "ETH", window: "24h" }],
    ["ETH_7d", "ETH change, 7d", 10.31, "pct", { kind: "change", about: "ETH", window: "7d" }],
    ["SOL", "SOL price", 105.12873, "usd", { about: "SOL" }],
    ["SOL_24h", "SOL change, 24h", 4.13, "pct", { kind: "change", about: "SOL", window: "24h" }],
    ["SOL_7d", "SOL change, 7d", 10.75, "pct", { kind: "change", about: "SOL", window: "7d" }],
    ["fear_greed", "fear and greed", 68, "index"],
    ["EURUSD", "EURUSD rate", 1.0911825, "number", { about: "EURUSD", from: "/forex-rate" }],
    [
      "EURUSD_1d",
      "EURUSD change, 1 day",
      -0.5417,
      "pct",
      { kind: "change", about: "EURUSD", window: "1d", from: "/forex-rate" },
    ],
    ["GBPUSD", "GBPUSD rate", 1.3718075, "number", { about: "GBPUSD", from: "/forex-rate" }],
    [
      "GBPUSD_1d",
      "GBPUSD change, 1 day",
      -0.4732,
      "pct",
      { kind: "change", about: "GBPUSD", window: "1d", from: "/forex-rate" },
    ],
    ["USDJPY", "USDJPY rate", 163.6065, "number", { about: "USDJPY", from: "/forex-rate" }],
    [
      "USDJPY_1d",
      "USDJPY change, 1 day",
      2.3877,
      "pct",
      { kind: "change", about: "USDJPY", window: "1d", from: "/forex-rate" },
    ],
  ]),
  citations: [],
  written_by: "template",
  writer: {
    provider_id: null,
    model: null,
    attempts: 0,
    regenerated: false,
    violations_first_attempt: 0,
    prompt_version: null,
  },
  pack_hash: "f969c402bb52d6555446936075909cb8bd4c1af419503537befa5955be8ab9f4",
  disclaimer: "Information computed from the sources named; no investment advice.",
};

/** From the sandbox; lists are cut short. */
export const example = { params: {}, as_of: "2026-01-13T01:00:00.203Z", data };
