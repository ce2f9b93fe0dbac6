import type { WhaleAlertData } from "./schema.ts";

const data: WhaleAlertData = {
  window: {
    from: "2026-11-21T00:00:00Z",
    to: "2026-11-21T06:00:00Z",
  },
  min_usd: 1000000,
  count: 125,
  alerts: [
    {
      id: "ethereum:0x96ccf22afde5eb24abf92f307a84119a6df2f6427a3d78c622f23861f8025533:12",
      chain: "ethereum",
      kind: "transfer",
      class: "exchange_outflow",
      asset: "DAI",
      amount: "31230555961213000000000000",
      usd: 31230555.96,
      from: "0x71660c4005ba85c37ccec55d0c4493e66fe775d3",
      from_label: "Coinbase 1",
      to: "0x5aa58bc1f10520c1d408afb1042038952e840a15",
      to_label: null,
      tx: "0x96ccf22afde5eb24abf92f307a84119a6df2f6427a3d78c622f23861f8025533",
      block: 16270054,
      before: "2026-11-21T06:00:00Z",
      parts: 1,
    },
    {
      id: "ethereum:0x0b755b6c60a1895a7b0e980822a0c3dd9e79661ab86748140726984486068c2f:13",
      chain: "ethereum",
      kind: "transfer",
      class: "exchange_inflow",
      asset: "USDT",
      amount: "30759951853520",
      usd: 30759951.85,
      from: "0x174a237abd4637b45a78bcf6f7b3f5371b21478a",
      from_label: null,
      to: "0x28c6c06298d514db089934071355e5743bf21d60",
      to_label: "Binance 14",
      tx: "0x0b755b6c60a1895a7b0e980822a0c3dd9e79661ab86748140726984486068c2f",
      block: 16270052,
      before: "2026-11-21T06:00:00Z",
      parts: 1,
    },
  ],
  exchange_netflow: [
    {
      asset: "DAI",
      net_usd: -33220754.29,
      inflow_usd: 4586943.45,
      outflow_usd: 37807697.74,
      labelled_share: 0.8882,
    },
    {
      asset: "USDT",
      net_usd: 26217850.31,
      inflow_usd: 36141951.25,
      outflow_usd: 9924100.94,
      labelled_share: 0.6467,
    },
    {
      asset: "WETH",
      net_usd: -673.62,
      inflow_usd: 43088323.25,
      outflow_usd: 43088996.87,
      labelled_share: 0.4693,
    },
    {
      asset: "cbBTC",
      net_usd: 14623440.74,
      inflow_usd: 57456649.11,
      outflow_usd: 42833208.37,
      labelled_share: 0.4259,
    },
  ],
  coverage: {
    chains: [
      {
        chain: "ethereum",
        blocks_scanned: 25,
        blocks_expected: 1800,
        confirmations: 12,
      },
      {
        chain: "base",
        blocks_scanned: 150,
        blocks_expected: 10800,
        confirmations: 60,
      },
    ],
  },
};

export const example = { params: { limit: 2 }, as_of: "2026-11-21T06:00:00Z", data };
