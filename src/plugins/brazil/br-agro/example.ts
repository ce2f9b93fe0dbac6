import type { AgroData } from "./schema.ts";

const data: AgroData = {
  trade_date: "2026-01-12",
  fx: {
    ptax_sell: 5.3475,
    date: "2026-01-12",
  },
  futures: [
    {
      root: "BGI",
      symbol: "BGIF26",
      expiry: "2026-01-30",
      settle: 300.95,
      unit: "BRL/arroba",
      settle_brl: 300.95,
      settle_usd: 56.2786,
      change_pct: -0.4499,
      volume: 5000,
      open_interest: null,
      front: true,
    },
    {
      root: "BGI",
      symbol: "BGIG26",
      expiry: "2026-02-27",
      settle: 301.55,
      unit: "BRL/arroba",
      settle_brl: 301.55,
      settle_usd: 56.3908,
      change_pct: -0.449,
      volume: 2500,
      open_interest: null,
      front: false,
    },
  ],
  term_structure: [
    {
      root: "BGI",
      front: "BGIF26",
      last: "BGIM26",
      slope_pct: 1.0002,
      slope_annual_pct: 2.4172,
      shape: "contango",
    },
    {
      root: "CCM",
      front: "CCMH26",
      last: "CCMU26",
      slope_pct: 2.3726,
      slope_annual_pct: 4.8015,
      shape: "contango",
    },
  ],
  physical: [
    {
      product: "soy",
      uf: "median",
      level: "farm_gate",
      week_start: "2026-01-05",
      week_end: "2026-01-09",
      brl_per_kg: 1.86,
      brl_per_sack_60kg: 111.6,
      brl_per_arroba_15kg: null,
      change_4w_pct: -2.1053,
      change_52w_pct: 0,
    },
    {
      product: "soy",
      uf: "MT",
      level: "farm_gate",
      week_start: "2026-01-05",
      week_end: "2026-01-09",
      brl_per_kg: 1.94,
      brl_per_sack_60kg: 116.4,
      brl_per_arroba_15kg: null,
      change_4w_pct: -1.0204,
      change_52w_pct: -2.0202,
    },
  ],
  basis: [
    {
      product: "soy",
      uf: "median",
      physical_brl: 111.6,
      futures_brl: 125.3989,
      basis_brl: -13.7989,
      basis_pct: -11.004,
    },
    {
      product: "soy",
      uf: "MT",
      physical_brl: 116.4,
      futures_brl: 125.3989,
      basis_brl: -8.9989,
      basis_pct: -7.1762,
    },
  ],
  parity: null,
  ratios: {
    cattle_corn: {
      value: 4.225,
      percentile_52w: null,
    },
    soy_corn: {
      value: 1.7605,
      percentile_52w: null,
    },
    coffee_usd_per_sack_60kg: {
      value: 414.94,
      percentile_52w: null,
    },
  },
  crop: [
    {
      crop: "soy",
      year: 2025,
      period: "2025-12",
      production_t: 170062252,
      area_ha: 50018310,
      change_vs_previous_estimate_pct: 0.8765,
      change_yoy_pct: 0.0963,
    },
    {
      crop: "corn_first",
      year: 2025,
      period: "2025-12",
      production_t: 25557691,
      area_ha: 7516968,
      change_vs_previous_estimate_pct: 0.8798,
      change_yoy_pct: 1.0274,
    },
  ],
  next_reports: [
    {
      time_utc: "2026-01-23T12:00:00.000Z",
      title: "LSPA",
    },
    {
      time_utc: "2026-01-28T12:00:00.000Z",
      title: "LSPA",
    },
  ],
  settled_markets: 4,
  text:
    "On 2026-01-12 live cattle settled at 300.95 BRL per arroba, corn at 71.23 BRL and soy at 125.40 " +
    "BRL per sack of 60 kg. An arroba of cattle buys 4.23 sacks of corn.",
};

/** From the sandbox; lists are cut short. */
export const example = { params: {}, as_of: "2026-01-12T21:30:00Z", data };
