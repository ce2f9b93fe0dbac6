import type { HolderConcentrationData } from "./schema.ts";

const data: HolderConcentrationData = {
  token: {
    chain: "solana",
    address: "2jWcDAhFdAu1oujSXymFYFtvD7K69J5cwZUG4hRm3Wdy",
    name: "Simulated coin 338",
    symbol: "SIM338",
  },
  supply: "1000000000000000",
  holders_count: 424,
  top1_pct: 8.5622,
  top5_pct: 31.7632,
  top10_pct: 47.5066,
  hhi_lower: 263.19,
  hhi_upper: 370.19,
  nakamoto_33: 6,
  band: "high",
  effective_holders_min: 27.01,
  effective_holders_max: 38,
  gini_known: 0.2291,
  rows: [
    {
      owner: "4YkbHrjw3xFciC2KrtkTE5LZ2P67ccewPTLqv9CGKdhQ",
      account: "acctHrjw3xFciC2KrtkTE5LZ2P67ccewPTLqv9CGKdhQ",
      pct: 8.5622,
      is_insider: false,
    },
    {
      owner: "9UJq2trXLHHLnnsXc5cyob7GWA2Kef8rHbF1RPGQjJiY",
      account: "acct2trXLHHLnnsXc5cyob7GWA2Kef8rHbF1RPGQjJiY",
      pct: 7.1812,
      is_insider: false,
    },
    {
      owner: "CXEyaGQBdAsAV2vUvLznmsqXjjV8NPVBeq8jKtSRbsU5",
      account: "acctaGQBdAsAV2vUvLznmsqXjjV8NPVBeq8jKtSRbsU5",
      pct: 6.0764,
      is_insider: false,
    },
    {
      owner: "8sZQhKYFd2uHqESxoxBPg2UNduci5u385NutPXqXWhQV",
      account: "accthKYFd2uHqESxoxBPg2UNduci5u385NutPXqXWhQV",
      pct: 5.2478,
      is_insider: false,
    },
    {
      owner: "EYTgpr4WDUJKgvFM1iBCi7AZseXYrn4tirVwAnsEsFfX",
      account: "acctpr4WDUJKgvFM1iBCi7AZseXYrn4tirVwAnsEsFfX",
      pct: 4.6954,
      is_insider: false,
    },
    {
      owner: "BXFEnU3YZbZ8Jzvv638gqn6NQrVDnik1dTxQ1ZjrQdE1",
      account: "acctnU3YZbZ8Jzvv638gqn6NQrVDnik1dTxQ1ZjrQdE1",
      pct: 4.143,
      is_insider: false,
    },
    {
      owner: "DjLpAdk3mq6TABcWdBKKWz98zgUDbb6L95VqScUygvef",
      account: "acctAdk3mq6TABcWdBKKWz98zgUDbb6L95VqScUygvef",
      pct: 3.5906,
      is_insider: false,
    },
    {
      owner: "6ffAgpukWZec57PavRPmydSegN36cREtvEavYNPizkZi",
      account: "acctgpukWZec57PavRPmydSegN36cREtvEavYNPizkZi",
      pct: 3.0382,
      is_insider: false,
    },
    {
      owner: "BHwXBSAoR2JLkqub73YPGewzVutbyiS1NGqNvJJJpM36",
      account: "acctBSAoR2JLkqub73YPGewzVutbyiS1NGqNvJJJpM36",
      pct: 2.762,
      is_insider: false,
    },
    {
      owner: "HAKuxYiLApdgrZ2BWPHWZ4iJQAAr35zFjbtcep9CLQ2e",
      account: "acctxYiLApdgrZ2BWPHWZ4iJQAAr35zFjbtcep9CLQ2e",
      pct: 2.2096,
      is_insider: false,
    },
  ],
  excluded: [
    {
      address: "69PfnUVi4E4BsgVCiY6rZv9uZuDV3eVFgXWUk7SnAsiJ",
      pct: 3.9768,
      reason: "pool",
    },
  ],
  insider_pct: 6.8783,
  creator_pct: 3.1704,
  source: "rugcheck",
  source_depth: 10,
  scope_note: "Not checked: whether the sources are right, the owner's plans, other pools, who the holders are.",
  not_advice: true,
};

export const example = { params: {}, as_of: "2026-11-21T06:00:00Z", data };
