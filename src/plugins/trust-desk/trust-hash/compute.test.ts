import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { verifyInclusion } from "intel-node";
import { hashItem, rootOf, type StoredSeal } from "../seals/seal-records.ts";
import { computeTrustHash } from "./compute.ts";

/** Published in onchain.md 5.24. */
const ITEMS = [
  { as_of: "2026-01-01T00:00:00Z", data: { value: 54 }, product: "/fear-greed" },
  { as_of: "2026-01-01T00:00:05Z", data: { price: "187.25" }, product: "/pyth-price" },
  { as_of: "2026-01-01T00:00:09Z", data: { sat_vb: 7 }, product: "/mempool" },
];
const HASHES = [
  "6c22c077160499ce8439d485af3998a0c20989143e8900982fcaa17b4d482283",
  "c7fc3a209affec761201774851f5eead47cf65ad47fbbcf68ff475de69185240",
  "4ad2e31094b0bed86bade43cd468dae6304c42765954233ade9d4553433aa67e",
];
const ROOT = "fb18815c2edcf8dc5b4d44c3fbb178e358286b4f222bd26090631b34606f8f85";
const leaves = ITEMS.map((item) => ({ product: item.product, as_of: item.as_of, leaf_hash: hashItem(item) }));
const seal: StoredSeal = {
  v: 1,
  seq: 1,
  prev_hash: "0".repeat(64),
  record_hash: "1".repeat(64),
  root: ROOT,
  leaf_count: 3,
  sealed_at: "2026-01-01T00:03:00Z",
  signature: "s",
  leaves,
};

describe("a seal", () => {
  test("has the published leaves and root", () => {
    expect(leaves.map(({ leaf_hash }) => leaf_hash)).toEqual(HASHES);
    expect(rootOf(leaves)).toBe(ROOT);
  });

  test("is the same by hand: SHA-256 over 0x01, left and right", () => {
    const hash = (...parts: readonly string[]) =>
      createHash("sha256")
        .update(Buffer.concat([Buffer.of(1), ...parts.map((one) => Buffer.from(one, "hex"))]))
        .digest("hex");
    const [a = "", b = "", c = ""] = HASHES;
    expect(hash(hash(a, b), c)).toBe(ROOT);
  });

  test("proves each of its leaves, and no other", () => {
    for (const [index, leaf_hash] of HASHES.entries()) {
      const { proof } = computeTrustHash({ seal, public_key: "k" }, { hash: leaf_hash }).data;
      expect(proof?.leaf_index).toBe(index);
      const claim = { leaf_hash, index, size: 3, proof: proof?.audit_path ?? [], root: ROOT };
      expect(verifyInclusion(claim)).toBe(true);
      expect(verifyInclusion({ ...claim, leaf_hash: "a".repeat(64) })).toBe(false);
    }
    expect(computeTrustHash({ seal, public_key: "k" }, {}).data.proof).toBeNull();
  });
});
