import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJSON, createMerkleTree, sha256Hex } from "intel-node";
import { createTestSigner } from "../../../../test/helpers/test-signer.ts";
import { hashItem, rootOf, type StoredSeal } from "../seals/seal-records.ts";
import { computeTrustHash } from "./compute.ts";

const FOLDER = join(import.meta.dir, "../../../../docs/examples/verify-seal");
const PROGRAMS = [
  ["JavaScript", process.execPath, join(FOLDER, "verify-seal.mjs")],
  ["Python", Bun.which("python3"), join(FOLDER, "verify-seal.py")],
] as const;
const signer = createTestSigner();
const folder = mkdtempSync(join(tmpdir(), "verify-seal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers whose canonical form another language might write otherwise. */
const ANSWERS = [
  { product: "one", as_of: "2026-01-01T00:00:00Z", data: { small: 1e-7, large: 1e21, whole: 54, half: -0.5 } },
  { product: "two", as_of: "2026-01-01T00:00:05Z", data: { é: 'ü\n"\u2028', Z: null, a: [true, {}, []], 1: "x" } },
  { product: "three", as_of: "2026-01-01T00:00:09Z", data: { "\u{1f600}": 1, "\ufb33": 2 } },
];
const leaves = ANSWERS.map(({ product, as_of, data }) => {
  const item = { product: `/${product}`, as_of, data };
  return { product: item.product, as_of, leaf_hash: hashItem(item) };
});
const [root, leaf_count, sealed_at] = [rootOf(leaves), leaves.length, "2026-01-01T00:03:00Z"];
const record = { v: 1, seq: 7, prev_hash: "1".repeat(64), root, leaf_count, sealed_at } as const;
const seal: StoredSeal = {
  ...record,
  record_hash: sha256Hex(canonicalJSON(record)),
  leaves,
  signature: signer.sign("seal", canonicalJSON({ leaf_count, root, sealed_at })),
};

const write = (name: string, value: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
};
const sealWith = (change: object, hash = leaves[1]?.leaf_hash ?? "") => ({
  data: { ...computeTrustHash({ seal, public_key: signer.public_key }, { hash }).data, ...change },
});
let good = "";
beforeAll(() => {
  good = write("seal.json", sealWith({}));
});

for (const [language, program, file] of PROGRAMS) {
  const check = (...given: readonly string[]): number | null =>
    Bun.spawnSync([program ?? "", file, ...given], { stdout: "ignore", stderr: "ignore" }).exitCode;

  test.skipIf(program === null)(`a program of ${language} that knows nothing of this node agrees with a seal`, () => {
    expect(readFileSync(file, "utf8").split("\n").length - 1).toBeLessThanOrEqual(100);
    for (const answer of ANSWERS) expect(check(good, signer.public_key, write("answer.json", answer))).toBe(0);
  });

  test.skipIf(program === null)(`it finds what was changed afterwards (${language})`, () => {
    const forged = { ...ANSWERS[0], data: { ...ANSWERS[0]?.data, whole: 55 } };
    expect(check(good, signer.public_key, write("forged.json", forged))).toBe(4);
    expect(check(good, `A${signer.public_key.slice(1)}`)).toBe(4);
    const other_leaves = leaves.map((one, index) => (index === 2 ? { ...one, leaf_hash: "a".repeat(64) } : one));
    const other_root = createMerkleTree(other_leaves.map(({ leaf_hash }) => leaf_hash)).root();
    const signature = `${seal.signature.startsWith("A") ? "B" : "A"}${seal.signature.slice(1)}`;
    for (const change of [
      ...[{ leaves: other_leaves }, { leaves: other_leaves, root: other_root }, { prev_hash: "2".repeat(64) }],
      ...[{ sealed_at: "2026-01-01T00:04:00Z" }, { signature }],
    ]) {
      expect(check(write("changed.json", sealWith(change)), signer.public_key)).toBe(4);
    }
  });
}
