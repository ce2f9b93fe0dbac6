import { describe, expect, test } from "bun:test";
import { listTiles } from "../../test/helpers/served-log.ts";
import { sha256Hex } from "../core/hash.ts";
import { hashRecordLeaf } from "../records/history-trees.ts";
import { createMerkleTree } from "../records/merkle-tree.ts";
import type { RecordQuery, Records } from "../records/record-chain.ts";
import { createLogTiles, parseTilePath } from "./log-tiles.ts";

const hashOf = (seq: number): string => sha256Hex(`record ${seq}`);

/** A chain of which only the hashes matter, and how often it was asked. */
function createHashes(length: number) {
  const state = { length, reads: 0 };
  const records: Records = {
    head: async () => ({ length: state.length, head: hashOf(state.length) }),
    async read(chain, { after_seq = 0, limit = 1_000 }: RecordQuery = {}) {
      if (chain !== "signals") return [];
      state.reads += 1;
      const count = Math.min(limit, state.length - after_seq);
      return Array.from({ length: count }, (_, at) => ({
        seq: after_seq + at + 1,
        record: {},
        record_hash: hashOf(after_seq + at + 1),
        beside: null,
        recorded_at_ms: 0,
        outcome: null,
      }));
    },
  };
  return { state, records };
}

const parse = (path: string) => {
  const address = parseTilePath(path.replace(/^tile\//, ""));
  if (address === null) throw new Error(`${path} is the path of no tile`);
  return address;
};

describe("the path of a tile", () => {
  test.each([
    ["0/000", { level: 0, index: 0, width: 256 }],
    ["1/067.p/17", { level: 1, index: 67, width: 17 }],
    ["0/x001/x234/067", { level: 0, index: 1_234_067, width: 256 }],
    ["63/999.p/255", { level: 63, index: 999, width: 255 }],
    ["entries/x001/067.p/1", { level: "entries", index: 1_067, width: 1 }],
  ] as const)("%s has one meaning", (path, address) => {
    expect(parseTilePath(path)).toEqual(address);
  });

  test.each([
    ...["", "/", "0", "0/", "/000", "0/00", "0/0000", "0/001/067", "0/x001", "0/x001/x067", "0/x000/067", "0/x01/067"],
    ...["-1/000", "+1/000", "1e0/000", "64/000", "01/000", "0/000.p", "0/000.p/", "0/000.p/0", "0/000.p/256"],
    ...["0/000.p/01", "0/000.p/1.p/1", "0/000.p/1/1", "0/000/", "0//000", "0/%30%30%30", "0/x001/x001/x001/001"],
    ...["data/000", "Entries/000", "entries/000/../001", "0/000.P/1", "0/0٠0", "0/000\n"],
  ])("%j is none", (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});

/** The example of the specification: 273 full tiles, then 112 hashes; one of 256, one of 17; one of a single hash. */
const SIZE = 70_000;

test("a log of 70,000 has the tiles that the specification counts, and each is what its place says", async () => {
  const { records } = createHashes(SIZE);
  const tiles = createLogTiles({ records, now_ms: () => 0 });
  const leaves = Array.from({ length: SIZE }, (_, at) => hashRecordLeaf(hashOf(at + 1)));
  const paths = listTiles(SIZE).filter((path) => !path.includes("entries"));
  expect(paths.length).toBe(273 + 1 + 1 + 1 + 1);
  expect(paths.slice(-4)).toEqual(["tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17", "tile/2/000.p/1"]);
  for (const path of listTiles(SIZE)) {
    const address = parse(path);
    const bytes = await tiles.read("signals", address);
    expect({ path, length: bytes?.length }).toEqual({
      path,
      length: address.width * (address.level === "entries" ? 34 : 32),
    });
  }
  const hashesOf = async (path: string): Promise<readonly string[]> =>
    Buffer.from((await tiles.read("signals", parse(path))) ?? [])
      .toString("hex")
      .match(/.{64}/g) ?? [];
  expect(await hashesOf("tile/0/100")).toEqual(leaves.slice(25_600, 25_856));
  expect((await hashesOf("tile/1/000"))[100]).toBe(createMerkleTree(leaves.slice(25_600, 25_856)).root());
  expect((await hashesOf("tile/1/001.p/17"))[16]).toBe(createMerkleTree(leaves.slice(69_632, 69_888)).root());
  expect(await hashesOf("tile/2/000.p/1")).toEqual([createMerkleTree(leaves.slice(0, 65_536)).root()]);
  // A narrower one of before is there too, and is how the tile begins.
  expect(await hashesOf("tile/0/100.p/7")).toEqual(leaves.slice(25_600, 25_607));
});

test("a tile that is there costs the books nothing, and one that is not a look a second", async () => {
  let now_ms = 0;
  const { records, state } = createHashes(300);
  const tiles = createLogTiles({ records, now_ms: () => now_ms });
  const read = async (path: string) => (await tiles.read("signals", parse(path)))?.length ?? null;
  expect(await read("tile/0/000")).toBe(8_192);
  const { reads } = state;
  for (let n = 0; n < 20; n += 1) expect(await read("tile/0/001.p/44")).toBe(44 * 32);
  for (let n = 0; n < 20; n += 1) expect(await read("tile/0/001.p/45")).toBeNull();
  expect(state.reads).toBe(reads);
  // Another node on the same books has written on: within a second its tile is here as well.
  state.length = 512;
  expect(await read("tile/0/001")).toBeNull();
  now_ms = 1_000;
  expect(await read("tile/0/001")).toBe(8_192);
});

test("an unknown history has no tiles", () => {
  const tiles = createLogTiles({ records: createHashes(1).records, now_ms: () => 0 });
  expect(tiles.read("__proto__", parse("tile/0/000.p/1"))).rejects.toThrow(TypeError);
});
