import type { InsiderTrackData } from "./schema.ts";

const data: InsiderTrackData = {
  items: [
    {
      token: {
        address: "2jWcDAhFdAu1oujSXymFYFtvD7K69J5cwZUG4hRm3Wdy",
        chain: "solana",
        name: "Simulated coin 338",
        symbol: "SIM338",
      },
      created_at: "2026-11-21T05:56:46.013Z",
      insider_score: 63,
      level: "severe",
      score_is_lower_bound: false,
      network: {
        pct: 6.8783,
      },
      creator: {
        pct: 3.1704,
        sold_share: 0.9993,
        prior_launches: 4,
        prior_rug: false,
      },
      bundle: {
        wallets: 4,
        pct: 13.0021,
        slots: 2,
      },
      early_wallets: [
        {
          address: "GzCFsSHcjGMV4JNgVsmwMaFRULcrER2zCkLFvsw3Shix",
          pct: 3.2505,
          slot_offset: 0,
        },
        {
          address: "F2JoMu6K7FZB2srW261ivEZaDkCLAGHAUQmAaD6Z3y9L",
          pct: 3.2505,
          slot_offset: 1,
        },
        {
          address: "7cV7R7M9WXzah89EKHntUJUucrmrjwvzcqWcgVcZ149a",
          pct: 3.2505,
          slot_offset: 0,
        },
        {
          address: "GLKxudpcSxHnS8C14BnFskxoTH7Ky5mJNUuGoJw7Wnu7",
          pct: 3.2505,
          slot_offset: 1,
        },
      ],
      assessed_at: "2026-11-21T06:00:00Z",
    },
  ],
  scope_note: "Not checked: whether the sources are right, the owner's plans, other pools, who the holders are.",
  not_advice: true,
};

export const example = { params: { limit: 1 }, as_of: "2026-11-21T06:00:00Z", data };
