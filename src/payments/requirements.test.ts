import { describe, expect, test } from "bun:test";
import { decodePaymentHeader, encodeHeader } from "./codec.ts";
import { networkById } from "./networks/table.ts";
import { PaymentRefusal } from "./refusal.ts";
import { matchRequirement, withFeePayer } from "./requirements.ts";
import type { Requirement } from "./types.ts";

const OURS = "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9";
const THEIRS = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu";
const STRANGER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";

const requirementOf = (id: string, extra: Requirement["extra"]): Requirement => ({
  scheme: "exact",
  network: id,
  amount: "10000",
  asset: networkById(id)?.asset ?? "",
  payTo: STRANGER,
  maxTimeoutSeconds: 300,
  extra,
});
const SOLANA = requirementOf("solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", { feePayer: OURS });
const ALGORAND = requirementOf("algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe", { feePayer: OURS, tag: "a-tag" });

const match = (accepted: object): Requirement => {
  const header = encodeHeader({ x402Version: 2, accepted, payload: {} });
  return matchRequirement(decodePaymentHeader(header), [SOLANA, ALGORAND], [OURS, THEIRS]);
};
const reasonOf = (accepted: object): string => {
  try {
    match(accepted);
  } catch (error) {
    if (error instanceof PaymentRefusal) return error.diagnostic.reason;
  }
  return "taken";
};
const withExtra = (requirement: Requirement, extra: object | null) => ({ ...requirement, extra });

describe("what a buyer says he accepted", () => {
  test("may name any account of our facilitators as the one that pays the fee, and no stranger's", () => {
    expect(match(withExtra(SOLANA, { feePayer: THEIRS }))).toBe(SOLANA);
    expect(reasonOf(withExtra(SOLANA, { feePayer: STRANGER }))).toBe("extra_mismatch");
    expect(reasonOf(withExtra(SOLANA, { feePayer: null }))).toBe("extra_mismatch");
  });

  test("holds all of our other members, and may hold more", () => {
    expect(match(withExtra(ALGORAND, { feePayer: OURS, tag: "a-tag", memo: 1 }))).toBe(ALGORAND);
    expect(reasonOf(withExtra(ALGORAND, { feePayer: OURS, tag: "another" }))).toBe("extra_mismatch");
    expect(reasonOf(withExtra(ALGORAND, { feePayer: OURS }))).toBe("extra_mismatch");
    expect(reasonOf(withExtra(ALGORAND, null))).toBe("extra_mismatch");
    // Half a character, as JSON can spell it, has no canonical form.
    expect(reasonOf(withExtra(ALGORAND, { feePayer: OURS, tag: "\ud800" }))).toBe("extra_mismatch");
  });

  test.each(networkById(ALGORAND.network)?.aliases ?? [])("may spell Algorand as %s", (network) => {
    expect(match({ ...ALGORAND, network })).toBe(ALGORAND);
  });

  test("spells addresses of chains that tell case apart exactly", () => {
    expect(reasonOf({ ...SOLANA, payTo: STRANGER.toLowerCase() })).toBe("recipient_mismatch");
    expect(reasonOf({ ...SOLANA, asset: SOLANA.asset.toLowerCase() })).toBe("asset_mismatch");
  });
});

test("what is sent on names the account that the buyer signed for", () => {
  expect(withFeePayer(ALGORAND, THEIRS).extra).toEqual({ feePayer: THEIRS, tag: "a-tag" });
  expect(withFeePayer(ALGORAND, null)).toBe(ALGORAND);
});
