import { renderRecord } from "intel-node";
import type { EvidenceData, GroupData, PayloadData, WindowData, WinRateData } from "./schema.ts";
import { HOW_TO_VERIFY, LIMITS, MERKLE_NOTE } from "./texts.ts";

const payload: PayloadData = {
  v: 1,
  kind: "win-rate-verified",
  node_id: "node-test",
  key_id: "ed25519-1",
  model_id: "alpha-v1",
  generated_at: "2026-11-03T00:10:00Z",
  window_from: "2026-11-01T00:00:00Z",
  window_to: "2026-11-03T00:00:00Z",
  chain_head: "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69",
  chain_length: 3,
  outcomes_root: "2dcb114fe177efc81d5c12449aa3f36fd5a7340f6d0646860e0ade2c68b0fdd6",
  n_emitted: 3,
  n_open: 0,
  n_unscorable: 0,
  n_scored: 3,
  wins: 2,
  win_rate: "0.6667",
  win_rate_lo95: "0.2077",
  win_rate_hi95: "0.9385",
  avg_net_bps: "46.1",
  median_net_bps: "128.4",
  sum_net_bps: "138.4",
  profit_factor: "1.81",
  always_long_hits: "3",
  p_value_vs_half: "0.5000",
};

const figures: WindowData["non_overlapping"] = {
  n_scored: 3,
  wins: 2,
  win_rate: 0.6667,
  win_rate_lo95: 0.2077,
  win_rate_hi95: 0.9385,
  avg_net_bps: 46.13,
  median_net_bps: 128.4,
  sum_net_bps: 138.4,
  profit_factor: 1.81,
  always_long_hits: 3,
  p_value_vs_half: 0.5,
  brier: 0.1977,
  sharpe: null,
  max_drawdown_pct: 0,
  days: 1,
};

const calibration: GroupData[] = [
  { key: "20-39", n: 2, wins: 1, win_rate: 0.5, lo95: 0.0945, hi95: 0.9055, mean_net_bps: -20.8 },
  { key: "40-59", n: 1, wins: 1, win_rate: 1, lo95: 0.2065, hi95: 1, mean_net_bps: 180 },
  { key: "60-79", n: 0, wins: 0, win_rate: null, lo95: null, hi95: null, mean_net_bps: null },
  { key: "80-100", n: 0, wins: 0, win_rate: null, lo95: null, hi95: null, mean_net_bps: null },
];

const window = (name: WindowData["window"]): WindowData => ({
  window: name,
  n_emitted: 3,
  n_open: 0,
  n_unscorable: 0,
  ...figures,
  non_overlapping: figures,
  calibration,
});

const evidence: EvidenceData = {
  record: {
    v: 1,
    model_id: "alpha-v1",
    model_hash: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    horizon_h: 24,
    cost_bps: "20.0",
    symbol: "SOL",
    side: "long",
    alpha: "71.0",
    confidence: 42,
    bar_close_at: "2026-11-01T04:00:00Z",
    emitted_at: "2026-11-01T04:02:03Z",
    ref_price: "150.00",
    features_hash: "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
    seq: 3,
    prev_hash: "1c4f5f8ec75d826e6643747f39b3d2f64b28f173068626c62b9d7c17cfadabcf",
  },
  record_hash: "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69",
  outcome: {
    v: 1,
    seq: 3,
    record_hash: "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69",
    status: "scored",
    entry_at: "2026-11-01T05:00:00Z",
    entry_price: "150.00",
    exit_at: "2026-11-02T05:00:00Z",
    exit_price: "153.00",
    price_source: "hyperliquid:SOL:1h",
    gross_bps: "200.0",
    net_bps: "180.0",
    hit: true,
  },
  outcome_hash: "7a91460b41f21c7d439e93eab13a46c08b569ee0b97f7c8d9414598dae7cb7fa",
};

const data: WinRateData = {
  payload,
  payload_canonical: renderRecord(payload),
  signature: "ZSug6yIfw6n8PtYvOZ1TtLQVZ4M1JMvHaCCqRRU_RRlT7-d63AZ9Duk0NmEGuM17ZfW59oylJL4_Mv7SKl6ICg",
  algorithm: "ed25519",
  public_key: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  key_id: "ed25519-1",
  verify_url: "/.well-known/verify-manifest",
  missed_evaluations: 0,
  windows: [window("30d"), window("90d"), window("all")],
  by_symbol: [
    { key: "BTC", n: 1, wins: 1, win_rate: 1, lo95: 0.2065, hi95: 1, mean_net_bps: 128.4 },
    { key: "ETH", n: 1, wins: 0, win_rate: 0, lo95: 0, hi95: 0.7935, mean_net_bps: -170 },
    { key: "SOL", n: 1, wins: 1, win_rate: 1, lo95: 0.2065, hi95: 1, mean_net_bps: 180 },
  ],
  by_side: [
    { key: "long", n: 2, wins: 2, win_rate: 1, lo95: 0.3424, hi95: 1, mean_net_bps: 154.2 },
    { key: "short", n: 1, wins: 0, win_rate: 0, lo95: 0, hi95: 0.7935, mean_net_bps: -170 },
  ],
  by_bucket: calibration,
  records: [evidence],
  merkle_proof_note: MERKLE_NOTE,
  how_to_verify: [...HOW_TO_VERIFY],
  limits: [...LIMITS],
};

export const EXAMPLE = { params: {}, as_of: "2026-11-02T06:10:00Z", data };
