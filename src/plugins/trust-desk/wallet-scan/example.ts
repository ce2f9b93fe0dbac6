import type { WalletScanData } from "./schema.ts";

const data: WalletScanData = {
  address: "0x52908400098527886e0f7030069857d2e4169ee7",
  kind: "evm",
  account_type: "eoa",
  delegate: null,
  chains: ["ethereum", "base", "arbitrum", "optimism", "polygon"],
  holdings: [
    {
      chain: "polygon",
      address: "0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6",
      symbol: "WBTC",
      amount: "0.2323",
      price_usd: 40725.647,
      value_usd: 9460.57,
    },
    {
      chain: "ethereum",
      address: "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599",
      symbol: "WBTC",
      amount: "0.2232",
      price_usd: 40710.876,
      value_usd: 9086.67,
    },
    {
      chain: "arbitrum",
      address: "0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f",
      symbol: "WBTC",
      amount: "0.2166",
      price_usd: 40695.045,
      value_usd: 8814.55,
    },
  ],
  total_usd: 57282.34,
  unpriced_count: 0,
  priced_share_of_holdings: 1,
  concentration: 0.1652,
  first_seen: "2025-02-01T19:06:18.296Z",
  age_days: 606.7,
  age_is_lower_bound: false,
  last_active: "2026-09-30T12:00:00.000Z",
  tx_count: 1255,
  top_counterparties: [
    {
      address: "0x87977c2c17ebf71bda11c7c070308faa0f9700c1",
      count: 33,
    },
    {
      address: "0x3d76bfe3341db9091675f436a2619544b7205062",
      count: 14,
    },
    {
      address: "0x7dfda418e404b9b7e002ce8a7896c2ec486a508f",
      count: 8,
    },
  ],
  poisoning_suspects: [],
  screens: [
    {
      id: "S1",
      provider: "sanctions lists",
      status: "clear",
      detail: "in no list",
    },
    {
      id: "S2",
      provider: "sanctions oracle",
      status: "clear",
      detail: "not sanctioned",
    },
    {
      id: "S3",
      provider: "goplus",
      status: "clear",
      detail: "no label",
    },
    {
      id: "S5",
      provider: "sanctions lists",
      status: "clear",
      detail: "none is listed",
    },
    {
      id: "S6",
      provider: "issuers",
      status: "clear",
      detail: "USDC and USDT are not frozen",
    },
  ],
  risk_flags: [],
  scope_note:
    "Balances are read from the chains' nodes: the chain's coin and the tokens this node know" +
    "s, on EVM; all tokens on Solana. NFTs, positions in protocols and other chains are not. " +
    "History: Ethereum and Base by their explorer.",
  not_advice: true,
};

export const example = {
  params: { address: "0x52908400098527886e0f7030069857d2e4169ee7" } as const,
  as_of: "2026-10-01T12:34:56Z",
  data,
};
