import { createHash } from "node:crypto";

/**
 * A Merkle tree as in RFC 6962 section 2.1 (Certificate Transparency): hashes of leaves and of nodes differ by their
 * first byte, so that no node can be passed off as a leaf. All hashes are SHA-256 in lower-case hex.
 */
export interface MerkleTree {
  readonly size: number;
  /** Adds the hash of a leaf, as `hashMerkleLeaf` gives it. */
  append(leaf_hash: string): void;
  /** The root over the first `size` leaves; over all of them when left out. */
  root(size?: number): string;
  /** The hashes that lead from one leaf to the root over the first `size` leaves (audit path, section 2.1.1). */
  inclusionProof(index: number, size?: number): readonly string[];
  /** The hashes that show that the first `old_size` leaves are still the first of `size` (section 2.1.2). */
  consistencyProof(old_size: number, size?: number): readonly string[];
  /**
   * The hashes that `rootOfLeaves` needs beside some leaves, from left to right; of a single leaf they are those of its
   * audit path. Many leaves share most of them.
   */
  missingHashes(indexes: Iterable<number>, size?: number): readonly string[];
  /** How many subtrees of 2^level leaves are whole. */
  countWhole(level: number): number;
  /** The hashes over `count` whole subtrees of 2^level leaves each, from the `start`-th on: none ever changes. */
  wholeHashes(level: number, start: number, count: number): readonly string[];
}

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
const HASH = /^[0-9a-f]{64}$/;
/** The root over no leaves. */
const EMPTY_ROOT = createHash("sha256").digest("hex");

/** The hash of one leaf, from its bytes or the UTF-8 of its text. */
export const hashMerkleLeaf = (data: string | Uint8Array): string =>
  createHash("sha256").update(LEAF).update(data).digest("hex");

const hashPair = (left: string, right: string): string =>
  createHash("sha256").update(NODE).update(left, "hex").update(right, "hex").digest("hex");

/** The largest power of two below a count of two or more. */
const splitOf = (count: number): number => 2 ** Math.floor(Math.log2(count - 1));

/** @throws RangeError for a size or an index that the tree does not have, TypeError for a leaf that is no hash. */
export function createMerkleTree(leaves: Iterable<string> = []): MerkleTree {
  /** levels[k][i] is the hash over leaves i·2^k up to and without (i+1)·2^k; whole ones only, so none ever changes. */
  const levels: string[][] = [[]];
  const count = () => levels[0]?.length ?? 0;

  function append(leaf_hash: string): void {
    if (!HASH.test(leaf_hash)) throw new TypeError("a leaf is a SHA-256 in lower-case hex");
    let hash = leaf_hash;
    for (let level = 0; ; level++) {
      const row = levels[level] ?? [];
      levels[level] = row;
      row.push(hash);
      const left = row.at(-2);
      if (row.length % 2 === 1 || left === undefined) return;
      hash = hashPair(left, hash);
    }
  }

  /** The hash over `length` leaves from `start` on; start is always a multiple of the next power of two. */
  function hashOf(start: number, length: number): string {
    const level = Math.log2(length);
    const whole = Number.isInteger(level) ? levels[level]?.[start / length] : undefined;
    if (whole !== undefined) return whole;
    const split = splitOf(length);
    return hashPair(hashOf(start, split), hashOf(start + split, length - split));
  }

  function checkSize(size: number, least: number): void {
    if (!Number.isInteger(size) || size < least || size > count())
      throw new RangeError(`the tree has no ${size} leaves`);
  }

  function pathTo(index: number, start: number, length: number): string[] {
    if (length === 1) return [];
    const split = splitOf(length);
    if (index < split) return [...pathTo(index, start, split), hashOf(start + split, length - split)];
    return [...pathTo(index - split, start + split, length - split), hashOf(start, split)];
  }

  function missing({ start, length }: Subtree, known: readonly number[]): string[] {
    if (known.length === 0) return [hashOf(start, length)];
    if (length === 1) return [];
    const [left, right] = halve({ start, length }, known);
    return [...missing(...left), ...missing(...right)];
  }

  /** SUBPROOF of the RFC: `known` says whether the verifier has the hash over these leaves already. */
  function subProof(old_size: number, [start, length]: readonly [number, number], known: boolean): string[] {
    if (old_size === length) return known ? [] : [hashOf(start, length)];
    const split = splitOf(length);
    if (old_size <= split) return [...subProof(old_size, [start, split], known), hashOf(start + split, length - split)];
    return [...subProof(old_size - split, [start + split, length - split], false), hashOf(start, split)];
  }

  for (const leaf of leaves) append(leaf);
  return {
    get size() {
      return count();
    },
    append,
    root(size = count()) {
      checkSize(size, 0);
      return size === 0 ? EMPTY_ROOT : hashOf(0, size);
    },
    inclusionProof(index, size = count()) {
      checkSize(size, 1);
      if (!Number.isInteger(index) || index < 0 || index >= size) throw new RangeError(`there is no leaf ${index}`);
      return pathTo(index, 0, size);
    },
    consistencyProof(old_size, size = count()) {
      checkSize(size, 1);
      if (!Number.isInteger(old_size) || old_size < 1 || old_size > size) {
        throw new RangeError(`there is no earlier tree of ${old_size} leaves`);
      }
      return subProof(old_size, [0, size], true);
    },
    missingHashes(indexes, size = count()) {
      checkSize(size, 1);
      const known = [...new Set(indexes)].sort((a, b) => a - b);
      const is_there = (index: number) => Number.isInteger(index) && index >= 0 && index < size;
      if (!known.every(is_there)) throw new RangeError("one of the leaves is not there");
      return missing({ start: 0, length: size }, known);
    },
    countWhole: (level) => levels[level]?.length ?? 0,
    wholeHashes(level, start, count) {
      const hashes = levels[level]?.slice(start, start + count) ?? [];
      if (start < 0 || hashes.length !== count)
        throw new RangeError(`there are no ${count} subtrees of level ${level}`);
      return hashes;
    },
  };
}

/** The leaves from `start` on, `length` of them, under one hash. */
interface Subtree {
  readonly start: number;
  readonly length: number;
}

/** Both halves of a subtree, each with those of the sorted indexes that fall into it. */
function halve({ start, length }: Subtree, known: readonly number[]) {
  const split = splitOf(length);
  const middle = start + split;
  const found = known.findIndex((index) => index >= middle);
  const at = found < 0 ? known.length : found;
  return [
    [{ start, length: split }, known.slice(0, at)],
    [{ start: middle, length: length - split }, known.slice(at)],
  ] as const;
}

export interface PartialTree {
  readonly size: number;
  /** Hashes of the leaves that are known, by index. */
  readonly leaves: ReadonlyMap<number, string>;
  /** As `missingHashes` gives them. */
  readonly missing: readonly string[];
}

/** The root that some leaves and the missing hashes lead to; null when they do not fit together. Never throws. */
export function rootOfLeaves({ size, leaves, missing }: PartialTree): string | null {
  const known = [...leaves.keys()].sort((a, b) => a - b);
  const is_whole = Number.isSafeInteger(size) && size >= 1;
  if (!is_whole || !known.every((index) => Number.isInteger(index) && index >= 0 && index < size)) return null;
  if (![...leaves.values(), ...missing].every((hash) => HASH.test(hash))) return null;
  let used = 0;
  const climb = (subtree: Subtree, own: readonly number[]): string | null => {
    if (own.length === 0) return missing[used++] ?? null;
    if (subtree.length === 1) return leaves.get(subtree.start) ?? null;
    const [left, right] = halve(subtree, own);
    const hash = climb(...left);
    const other = hash === null ? null : climb(...right);
    return hash === null || other === null ? null : hashPair(hash, other);
  };
  const root = climb({ start: 0, length: size }, known);
  return used === missing.length ? root : null;
}

/** The root of a tree whose leaves need not be kept: as much memory as the tree is high. */
export interface MerkleRoot {
  append(leaf_hash: string): void;
  root(): string;
  /** One that goes on from here, and leaves this one as it is. */
  copy(): MerkleRoot;
}

interface Peak {
  readonly height: number;
  readonly hash: string;
}

/** `start` are the roots of the whole trees that the leaves so far fall into, the largest first. */
function growRoot(start: readonly Peak[]): MerkleRoot {
  const peaks = [...start];
  return {
    append(leaf_hash) {
      if (!HASH.test(leaf_hash)) throw new TypeError("a leaf is a SHA-256 in lower-case hex");
      let top: Peak = { height: 0, hash: leaf_hash };
      for (let left = peaks.at(-1); left?.height === top.height; left = peaks.at(-1)) {
        peaks.pop();
        top = { height: top.height + 1, hash: hashPair(left.hash, top.hash) };
      }
      peaks.push(top);
    },
    copy: () => growRoot(peaks),
    root() {
      const [last, ...others] = peaks.toReversed();
      return last ? others.reduce((root, { hash }) => hashPair(hash, root), last.hash) : EMPTY_ROOT;
    },
  };
}

/** An empty tree that keeps only what its next root needs. */
export const createMerkleRoot = (): MerkleRoot => growRoot([]);

export interface InclusionClaim {
  readonly leaf_hash: string;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly string[];
  readonly root: string;
}

/** Whether a proof shows that a root has a leaf at an index (RFC 9162 section 2.1.3.2). Never throws. */
export function verifyInclusion({ leaf_hash, index, size, proof, root }: InclusionClaim): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  if (![leaf_hash, root, ...proof].every((hash) => HASH.test(hash))) return false;
  let [node, last, hash] = [index, size - 1, leaf_hash];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = hashPair(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = hashPair(hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash === root;
}

export interface ConsistencyClaim {
  readonly old_size: number;
  readonly old_root: string;
  readonly size: number;
  readonly root: string;
  readonly proof: readonly string[];
}

/** Whether a proof shows that a tree only grew (RFC 9162 section 2.1.4.2). Never throws. */
export function verifyConsistency({ old_size, old_root, size, root, proof }: ConsistencyClaim): boolean {
  if (!Number.isSafeInteger(old_size) || !Number.isSafeInteger(size) || old_size < 1 || old_size > size) return false;
  if (![old_root, root, ...proof].every((hash) => HASH.test(hash))) return false;
  if (old_size === size) return proof.length === 0 && old_root === root;
  const [first, ...rest] = Number.isInteger(Math.log2(old_size)) ? [old_root, ...proof] : proof;
  if (first === undefined) return false;
  let [node, last] = [old_size - 1, size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let [old_hash, hash] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [old_hash, hash] = [hashPair(sibling, old_hash), hashPair(sibling, hash)];
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = hashPair(hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && old_hash === old_root && hash === root;
}
