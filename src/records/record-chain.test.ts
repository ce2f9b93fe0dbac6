import { expect, test } from "bun:test";
import { sha256Hex } from "../core/hash.ts";
import { createMerkleRoot } from "./merkle-tree.ts";
import {
  getGenesis,
  getSignedText,
  hashOutcomeLeaf,
  hashRecord,
  type RecordBody,
  renderRecord,
} from "./record-chain.ts";

const link = { v: 1, model_id: "alpha-v1", model_hash: "a".repeat(64), horizon_h: 24, cost_bps: "20.0" };
const at = { bar_close_at: "2026-11-01T00:00:00Z", emitted_at: "2026-11-01T00:02:07Z" };

test("three linked signals hash to the published values", () => {
  expect(getGenesis("signals")).toBe("474081d7879f7c6047ed4bcee66973c14a8b7e72c98dd9bebdef9bb7ea308802");
  const drafts = [
    { ...at, seq: 1, symbol: "BTC", side: "long", alpha: "66.4", confidence: 33, ref_price: "64000.0", letter: "b" },
    { ...at, seq: 2, symbol: "ETH", side: "short", alpha: "37.0", confidence: 26, ref_price: "2000.0", letter: "c" },
    {
      bar_close_at: "2026-11-01T04:00:00Z",
      emitted_at: "2026-11-01T04:02:03Z",
      seq: 3,
      symbol: "SOL",
      side: "long",
      alpha: "71.0",
      confidence: 42,
      ref_price: "150.00",
      letter: "d",
    },
  ];
  let prev_hash = getGenesis("signals");
  const hashes = drafts.map(({ letter, ...draft }) => {
    prev_hash = hashRecord({ ...link, ...draft, features_hash: letter.repeat(64), prev_hash });
    return prev_hash;
  });
  expect(hashes).toEqual([
    "32f7ea83fdeb6349b612cb2bd34c64fecebc975232adefb0c392a39ba9068952",
    "1c4f5f8ec75d826e6643747f39b3d2f64b28f173068626c62b9d7c17cfadabcf",
    "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69",
  ]);
});

test("the canonical text has sorted members and no spaces", () => {
  expect(renderRecord({ b: 1, a: { d: null, c: [true, "x"] } })).toBe('{"a":{"c":[true,"x"],"d":null},"b":1}');
});

test("a number that another language might write otherwise is refused", () => {
  for (const value of [0.1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    expect(() => hashRecord({ value })).toThrow(TypeError);
  }
  expect(() => hashRecord({ value: "x".repeat(2_001) })).toThrow("too long");
});

test("names that could break out of a signed text or a genesis are refused", () => {
  for (const name of ["", "A", "a b", "a\nb", "a:b", "x".repeat(41)]) {
    expect(() => getGenesis(name)).toThrow(TypeError);
    expect(() => getSignedText(name, "")).toThrow(TypeError);
  }
  expect(getSignedText("win-rate", "{}")).toBe("intel-node:win-rate:v1\n{}");
});

/** Level by level, as the definition is worded. */
function rootByLevels(leaves: readonly (readonly [string, string])[]): string {
  let level = leaves.map(([record, outcome]) => sha256Hex(Buffer.from(`00${record}${outcome}`, "hex")));
  if (level.length === 0) return sha256Hex("");
  while (level.length > 1) {
    const next: string[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left = "", right] = level.slice(index, index + 2);
      next.push(right === undefined ? left : sha256Hex(Buffer.from(`01${left}${right}`, "hex")));
    }
    level = next;
  }
  return level[0] ?? "";
}

test("the tree's root is the one built level by level, whatever the number of leaves", () => {
  for (let count = 0; count <= 40; count += 1) {
    const leaves = Array.from({ length: count }, (_, n) => [sha256Hex(`r${n}`), sha256Hex(`o${n}`)] as const);
    const tree = createMerkleRoot();
    for (const [record, outcome] of leaves) tree.append(hashOutcomeLeaf(record, outcome));
    const copy = tree.copy();
    expect(tree.root()).toBe(rootByLevels(leaves));
    copy.append(hashOutcomeLeaf(sha256Hex("r"), sha256Hex("o")));
    expect(copy.root()).toBe(rootByLevels([...leaves, [sha256Hex("r"), sha256Hex("o")]]));
    expect(tree.root()).toBe(rootByLevels(leaves));
  }
});

test("outcomes hash to the published values, and so does the tree of them", () => {
  const outcome = (seq: number, record_hash: string, rest: RecordBody) =>
    hashRecord({ v: 1, seq, record_hash, status: "scored", ...rest });
  const day = { entry_at: "2026-11-01T01:00:00Z", exit_at: "2026-11-02T01:00:00Z" };
  const records = [
    "32f7ea83fdeb6349b612cb2bd34c64fecebc975232adefb0c392a39ba9068952",
    "1c4f5f8ec75d826e6643747f39b3d2f64b28f173068626c62b9d7c17cfadabcf",
    "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69",
  ] as const;
  const outcomes = [
    outcome(1, records[0], {
      ...day,
      entry_price: "64010.0",
      exit_price: "64960.0",
      price_source: "hyperliquid:BTC:1h",
      gross_bps: "148.4",
      net_bps: "128.4",
      hit: true,
    }),
    outcome(2, records[1], {
      ...day,
      entry_price: "2000.0",
      exit_price: "2030.0",
      price_source: "hyperliquid:ETH:1h",
      gross_bps: "-150.0",
      net_bps: "-170.0",
      hit: false,
    }),
    outcome(3, records[2], {
      entry_at: "2026-11-01T05:00:00Z",
      exit_at: "2026-11-02T05:00:00Z",
      entry_price: "150.00",
      exit_price: "153.00",
      price_source: "hyperliquid:SOL:1h",
      gross_bps: "200.0",
      net_bps: "180.0",
      hit: true,
    }),
  ];
  expect(outcomes).toEqual([
    "2ac39673a9ca57b0fa111d9f68003a9c48f89702ea686b2fa8cf8739da5e54aa",
    "c7014110d1315f95cbfea4affe5eab1ad04b4449f5b9653397771f8fa24db02b",
    "7a91460b41f21c7d439e93eab13a46c08b569ee0b97f7c8d9414598dae7cb7fa",
  ]);
  const tree = createMerkleRoot();
  outcomes.forEach((hash, index) => {
    tree.append(hashOutcomeLeaf(records[index] ?? "", hash));
  });
  expect(tree.root()).toBe("2dcb114fe177efc81d5c12449aa3f36fd5a7340f6d0646860e0ade2c68b0fdd6");
});

test.each([{ a: "\ud800" }, { "\udc00": 1 }, { a: [{ b: "x\ud83d" }] }])(
  "a record with text that is no Unicode is refused like any other wrong value (%#)",
  (body) => {
    expect(() => renderRecord(body as RecordBody)).toThrow(TypeError);
  },
);
