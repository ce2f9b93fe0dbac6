import { expect, test } from "bun:test";
import { createTestSigner } from "../../test/helpers/test-signer.ts";
import { sha256Hex } from "../core/hash.ts";
import { getSignedText, renderRecord } from "../records/record-chain.ts";
import { isSignedText } from "../records/signed-text.ts";

const PAYLOAD = {
  always_long_hits: "3",
  avg_net_bps: "46.1",
  chain_head: "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69",
  chain_length: 3,
  generated_at: "2026-11-03T00:10:00Z",
  key_id: "ed25519-1",
  kind: "win-rate-verified",
  median_net_bps: "128.4",
  model_id: "alpha-v1",
  n_emitted: 3,
  n_open: 0,
  n_scored: 3,
  n_unscorable: 0,
  node_id: "node-test",
  outcomes_root: "2dcb114fe177efc81d5c12449aa3f36fd5a7340f6d0646860e0ade2c68b0fdd6",
  p_value_vs_half: "0.5000",
  profit_factor: "1.81",
  sum_net_bps: "138.4",
  v: 1,
  win_rate: "0.6667",
  win_rate_hi95: "0.9385",
  win_rate_lo95: "0.2077",
  window_from: "2026-11-01T00:00:00Z",
  window_to: "2026-11-03T00:00:00Z",
  wins: 2,
};

test("the published statement has the published signature", () => {
  const text = renderRecord(PAYLOAD);
  expect(sha256Hex(getSignedText("win-rate", text))).toBe(
    "7bf8934217ebcddcffa7b9ab3d23c980e4def50b250f58040f2e3a9edebee34d",
  );
  const signer = createTestSigner();
  const signature = signer.sign("win-rate", text);
  expect(signature).toBe("ZSug6yIfw6n8PtYvOZ1TtLQVZ4M1JMvHaCCqRRU_RRlT7-d63AZ9Duk0NmEGuM17ZfW59oylJL4_Mv7SKl6ICg");
  expect(signer.public_key).toBe("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
  const signed = { kind: "win-rate", text, signature, public_key: signer.public_key };
  expect(isSignedText(signed)).toBe(true);
  expect(isSignedText({ ...signed, kind: "votes" })).toBe(false);
  expect(isSignedText({ ...signed, text: text.replace('"wins":2', '"wins":3') })).toBe(false);
  expect(isSignedText({ ...signed, public_key: `A${signer.public_key.slice(1)}` })).toBe(false);
  for (const signature of ["", "x", signed.signature.slice(1), `${signed.signature}=`]) {
    expect(isSignedText({ ...signed, signature })).toBe(false);
  }
});
