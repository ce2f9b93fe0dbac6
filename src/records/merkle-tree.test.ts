import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import {
  createMerkleRoot,
  createMerkleTree,
  hashMerkleLeaf,
  verifyConsistency,
  verifyInclusion,
} from "./merkle-tree.ts";

/** The test vectors of the Certificate Transparency project's reference implementation (merkletree/testonly). */
const INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const LEAVES = INPUTS.map((hex) => hashMerkleLeaf(Buffer.from(hex, "hex")));
const [R1, , R3, R4, , R6, , R8] = ROOTS as readonly string[];
const root = (text: string | undefined): string => text ?? "";

describe("the reference implementation's vectors", () => {
  test("roots", () => {
    const tree = createMerkleTree();
    expect(tree.root()).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    const roots = LEAVES.map((leaf) => {
      tree.append(leaf);
      return tree.root();
    });
    expect(roots).toEqual(ROOTS);
    expect(ROOTS.map((_, index) => tree.root(index + 1))).toEqual(ROOTS);
  });

  test.each<[index: number, size: number, proof: string[]]>([
    [0, 1, []],
    [
      0,
      8,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      5,
      8,
      [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]],
    [
      1,
      5,
      [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ],
    ],
  ])("leaf %p of %p is proven", (index, size, proof) => {
    expect(createMerkleTree(LEAVES).inclusionProof(index, size)).toEqual(proof);
  });

  test.each<[old_size: number, size: number, proof: string[]]>([
    [1, 1, []],
    [
      1,
      8,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      6,
      8,
      [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [
      2,
      5,
      [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ],
    ],
  ])("%p leaves are the first of %p", (old_size, size, proof) => {
    expect(createMerkleTree(LEAVES).consistencyProof(old_size, size)).toEqual(proof);
  });
});

/** RFC 6962 section 2.1 word for word, on the data itself. */
function plainRoot(data: readonly string[]): string {
  const hash = (...parts: readonly Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
  const compute = (list: readonly string[]): Buffer => {
    if (list.length === 0) return hash();
    if (list.length === 1) return hash(Buffer.of(0), Buffer.from(list[0] ?? ""));
    let split = 1;
    while (split * 2 < list.length) split *= 2;
    return hash(Buffer.of(1), compute(list.slice(0, split)), compute(list.slice(split)));
  };
  return compute(data).toString("hex");
}

const DATA = Array.from({ length: 70 }, (_, index) => `leaf ${index}`);
const tree = createMerkleTree(DATA.map(hashMerkleLeaf));
const sizes = fc.integer({ min: 1, max: DATA.length });

describe("for every size", () => {
  test("the root is what the RFC's definition gives", () => {
    for (let size = 0; size <= DATA.length; size++) expect(tree.root(size)).toBe(plainRoot(DATA.slice(0, size)));
  });

  test("the root that keeps no leaves is the same, and a copy goes its own way", () => {
    const growing = createMerkleRoot();
    for (let size = 0; size < DATA.length; size++) {
      expect(growing.root()).toBe(tree.root(size));
      const copy = growing.copy();
      copy.append(hashMerkleLeaf("another"));
      growing.append(hashMerkleLeaf(`leaf ${size}`));
      expect(copy.root()).not.toBe(growing.root());
    }
    expect(() => growing.append("x")).toThrow(TypeError);
  });

  test("each leaf is proven, and nothing else is", () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (size, pick, other) => {
        const index = pick % size;
        const claim = {
          leaf_hash: hashMerkleLeaf(`leaf ${index}`),
          index,
          size,
          proof: tree.inclusionProof(index, size),
          root: tree.root(size),
        };
        expect(verifyInclusion(claim)).toBe(true);
        expect(verifyInclusion({ ...claim, leaf_hash: hashMerkleLeaf("forged") })).toBe(false);
        expect(verifyInclusion({ ...claim, root: hashMerkleLeaf("forged") })).toBe(false);
        expect(verifyInclusion({ ...claim, proof: [...claim.proof, claim.root] })).toBe(false);
        expect(verifyInclusion({ ...claim, index: size })).toBe(false);
        const elsewhere = other % size;
        if (elsewhere !== index) expect(verifyInclusion({ ...claim, index: elsewhere })).toBe(false);
        if (claim.proof.length > 0) expect(verifyInclusion({ ...claim, proof: claim.proof.slice(1) })).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test("growth is proven, and a changed past is not", () => {
    fc.assert(
      fc.property(sizes, sizes, (a, b) => {
        const [old_size, size] = [Math.min(a, b), Math.max(a, b)];
        const proof = tree.consistencyProof(old_size, size);
        const claim = { old_size, size, proof, old_root: tree.root(old_size), root: tree.root(size) };
        expect(verifyConsistency(claim)).toBe(true);
        expect(verifyConsistency({ ...claim, old_root: hashMerkleLeaf("forged") })).toBe(false);
        expect(verifyConsistency({ ...claim, root: hashMerkleLeaf("forged") })).toBe(false);
        expect(verifyConsistency({ ...claim, proof: [...proof, claim.root] })).toBe(false);
        if (proof.length > 0) expect(verifyConsistency({ ...claim, proof: proof.slice(0, -1) })).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

test("a node is no leaf: its two hashes do not prove themselves as data", () => {
  const pair = Buffer.from(`${LEAVES[0]}${LEAVES[1]}`, "hex");
  expect(hashMerkleLeaf(pair)).not.toBe(root(ROOTS[1]));
});

test("what the tree does not have is refused", () => {
  const small = createMerkleTree(LEAVES);
  expect(() => small.root(9)).toThrow(RangeError);
  expect(() => small.inclusionProof(8)).toThrow(RangeError);
  expect(() => small.consistencyProof(0)).toThrow(RangeError);
  expect(() => small.append("ABC")).toThrow(TypeError);
  expect(verifyInclusion({ leaf_hash: "x", index: 0, size: 1, proof: [], root: root(R1) })).toBe(false);
  expect(verifyConsistency({ old_size: 3, size: 4, old_root: root(R3), root: root(R4), proof: [] })).toBe(false);
  expect(verifyConsistency({ old_size: 6, size: 8, old_root: root(R6), root: root(R8), proof: ["x"] })).toBe(false);
});
