import { expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalJSON, sha256Hex } from "../../../core/hash.ts";
import { networkById } from "../table.ts";
import { identifyEvmPayment } from "./read.ts";

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(..."0123456789abcdefABCDEF"), { minLength: length, maxLength: length })
    .map((digits) => `0x${digits.join("")}`);
const seconds = fc.integer({ min: 0, max: 2_000_000_000 }).map(String);

test("what is kept of a payment is its canonical JSON, whatever order its members came in", () => {
  const network = networkById("eip155:84532");
  if (!network) throw new Error("no network");
  const payloads = fc.record({
    // Of the spellings of a signature this is the one that is kept.
    signature: hex(128).map((digits) => `${digits}1b`),
    authorization: fc.record({
      value: seconds,
      validBefore: seconds,
      to: hex(40),
      nonce: hex(64),
      from: hex(40),
      validAfter: seconds,
    }),
  });
  fc.assert(
    fc.property(payloads, (payload) => {
      const { payload_json, payload_hash } = identifyEvmPayment({ network, payload, now_ms: 0 });
      expect(payload_json).toBe(canonicalJSON(payload));
      expect(payload_hash).toBe(sha256Hex(canonicalJSON(payload).toLowerCase()));
    }),
    { numRuns: 50 },
  );
});
