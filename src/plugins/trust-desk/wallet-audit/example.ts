import type { WalletAuditData } from "./schema.ts";

const data: WalletAuditData = {
  address: "0x52908400098527886e0f7030069857d2e4169ee7",
  kind: "evm",
  verdict: "CLEAR",
  basis: "no adverse finding",
  risk: 0,
  confidence: "full",
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
      id: "S4",
      provider: "nodes and explorer",
      status: "clear",
      detail: "age and count are known",
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
  flags: [],
  profile: {
    age_days: 606.7,
    tx_count: 1255,
    account_type: "eoa",
    balance_usd: 57282.34,
  },
  counterparties: {
    checked: 12,
    sanctioned: [],
  },
  scope_note:
    "CLEAR means: no adverse finding in the screens listed, all of which ran. Not checked: who " +
    "stands behind the wallet, more than one hop of money, mixers nobody labelled, other chains" +
    ".",
  not_advice: true,
};

export const example = {
  params: { address: "0x52908400098527886e0f7030069857d2e4169ee7" } as const,
  as_of: "2026-10-01T12:34:56Z",
  data,
};
