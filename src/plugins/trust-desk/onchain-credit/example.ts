import type { CreditData } from "./schema.ts";

const data: CreditData = {
  address: "0x52908400098527886e0f7030069857d2e4169ee7",
  score: 606,
  score_ceiling: 606,
  coverage: 1,
  band: "good",
  is_provisional: false,
  parts: [
    {
      id: "age",
      max: 200,
      evidence: "607 days",
      points: 175.9,
    },
    {
      id: "activity",
      max: 150,
      evidence: "12 of 12 months, 1255 transactions",
      points: 146.9,
    },
    {
      id: "balance",
      max: 200,
      evidence: "57282 USD",
      points: 183.9,
    },
    {
      id: "diversity",
      max: 100,
      evidence: "12 counterparties",
      points: 24,
    },
    {
      id: "leverage",
      max: 150,
      evidence: "no debt",
      points: 75,
    },
    {
      id: "payment",
      max: 100,
      evidence: "0 payments to this node",
      points: 0,
    },
  ],
  overrides: [],
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
  scope_note:
    "A score of a wallet's behaviour on public chains. No consumer credit report: it knows no p" +
    "erson, no income and no other wallet of its owner.",
  not_advice: true,
};

export const example = {
  params: { address: "0x52908400098527886e0f7030069857d2e4169ee7" } as const,
  as_of: "2026-10-01T12:34:56Z",
  data,
};
