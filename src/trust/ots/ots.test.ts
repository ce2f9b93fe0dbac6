import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TEST_SEED } from "../../../test/helpers/seed.ts";
import { parkMiller } from "../../../test/helpers/test-series.ts";
import { type KnownBlock, readKnownBlock } from "./block-header.ts";
import { append, OtsError, sha256 } from "./operations.ts";
import { readProof, readTimestamp, type Timestamp, writeProof, writeTimestamp } from "./timestamp.ts";
import { verifyTime } from "./verify-time.ts";
import { listAttested, mergeTimestamps, upgradeTimestamp } from "./walk.ts";

const FOLDER = join(import.meta.dir, "../../../test/fixtures/ots");
const read = (name: string): Uint8Array => readFileSync(join(FOLDER, `${name}.ots`));
const INVALID = ["bad-major-version", "exceeds-max-msg-length", "invalid-file-digest-type"];
const VALID = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".ots"))
  .map((name) => name.slice(0, -".ots".length))
  .filter((name) => !INVALID.includes(name));

/** The header of a block that everybody knows. */
const HEADER =
  "02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb380204000000000000000000" +
  "7ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6";
function blockOf(text: string): KnownBlock {
  const block = readKnownBlock(text);
  if (typeof block === "string") throw new Error(block);
  return block;
}
const BLOCK = blockOf(`358391:${HEADER}`);
const stateOf = (bytes: Uint8Array, blocks: readonly KnownBlock[]) => verifyTime(readProof(bytes).timestamp, blocks);

const DOUBLED_AT = 603;

describe("proofs that others made", () => {
  test.each(VALID)("%s is read, and written again to the byte", (name) => {
    expect(Buffer.from(writeProof(readProof(read(name))))).toEqual(Buffer.from(read(name)));
  });

  test.each(INVALID)("%s is refused", (name) => {
    expect(() => readProof(read(name))).toThrow(OtsError);
  });

  test("say at which calendar they wait", () => {
    expect(stateOf(read("two-calendars"), [BLOCK])).toEqual({
      state: "unproven",
      detail:
        "pending at calendar https://alice.btc.calendar.opentimestamps.org, " +
        "https://bob.btc.calendar.opentimestamps.org",
    });
    expect(stateOf(read("unknown-notary"), [])).toEqual({
      state: "unproven",
      detail: "attested in no way that is known here",
    });
  });

  test("are proven by the header of the block, and by its root as explorers show it", () => {
    expect(stateOf(read("hello-world"), [])).toMatchObject({ state: "unproven" });
    expect(stateOf(read("hello-world"), [])).toMatchObject({ detail: expect.stringContaining("block 358391") });
    expect(stateOf(read("hello-world"), [BLOCK])).toEqual({
      state: "proven",
      detail: "it existed before Bitcoin block 358391, whose header says 2015-05-28T15:41:18Z",
    });
    const root = "8a1b66ecb7cbd07d8139a7e7d7f2c41aab1f5009b8364aaf61d03ad245e47e00";
    expect(stateOf(read("hello-world"), [blockOf(`358391:${root}`)])).toEqual({
      state: "proven",
      detail: "it existed before Bitcoin block 358391",
    });
  });

  test("that name a block they are not under are broken", () => {
    expect(stateOf(read("bad-stamp"), [BLOCK])).toMatchObject({ state: "broken" });
    expect(stateOf(read("bad-stamp"), [])).toMatchObject({ state: "unproven" });
  });

  test("no bit of a proof, and no part of one, can be changed and proves still", () => {
    const whole = read("hello-world");
    const proven: number[] = [];
    for (let place = 0; place < whole.length; place += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const bent = Uint8Array.from(whole);
        bent[place] = (bent[place] ?? 0) ^ (1 << bit);
        if (judge(bent) === "proven") proven.push(place);
      }
      expect(judge(whole.subarray(0, place))).toBe("refused");
    }
    expect(judge(Buffer.concat([whole, Uint8Array.of(0)]))).toBe("refused");
    // The block's tree has an odd number of leaves there, so the last is hashed with itself: before it or after it.
    expect(proven).toEqual([DOUBLED_AT]);
  });
});

/** As the verifier reads it; the message has to be the file's hash as well. */
function judge(bytes: Uint8Array): string {
  try {
    const proof = readProof(bytes);
    const is_same = Buffer.compare(proof.timestamp.message, readProof(read("hello-world")).timestamp.message) === 0;
    return is_same && proof.file_hash === readProof(read("hello-world")).file_hash
      ? verifyTime(proof.timestamp, [BLOCK]).state
      : "of something else";
  } catch (error) {
    if (error instanceof OtsError) return "refused";
    throw error;
  }
}

describe("a block that is given", () => {
  test.each([
    ["nothing", ""],
    ["no height", HEADER],
    ["half a root", "358391:00ff"],
    ["a header with another digit", `358391:${HEADER.replace("7ee4", "7ee5")}`],
    ["a header that sets itself no target", `358391:${HEADER.slice(0, 144)}00000000${HEADER.slice(152)}`],
    ["a header with a target beyond all", `358391:${HEADER.slice(0, 144)}ffff7f21${HEADER.slice(152)}`],
  ])("as %s is refused with the reason", (_, text) => {
    expect(readKnownBlock(text)).toBeString();
  });

  test("is the first one, too", () => {
    const genesis =
      `0:01000000${"00".repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a` +
      "29ab5f49ffff001d1dac2b7c";
    expect(blockOf(genesis)).toMatchObject({ height: 0, time_ms: Date.parse("2009-01-03T18:15:05Z") });
  });
});

const MESSAGE = Buffer.alloc(32, 7);
const pendingAt = (url: string, message: Uint8Array = MESSAGE): Timestamp => ({
  message,
  attestations: [{ kind: "pending", url }],
  branches: [],
});

describe("hostile answers of calendars", () => {
  const nest = (depth: number): Uint8Array =>
    Buffer.concat([Buffer.alloc(depth, 0x08), writeTimestamp(pendingAt("https://a.example"))]);
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a page", Buffer.from("<!doctype html><p>Not here</p>")],
    ["too deep", nest(300)],
    ["only forks", Buffer.alloc(60_000, 0xff)],
    ["an argument of 4 GB", Buffer.from("f0ffffffff0f", "hex")],
    ["a number without an end", Buffer.from(`f0${"ff".repeat(100)}`, "hex")],
    ["an empty argument", Buffer.from("f000", "hex")],
    ["an address with a query", writeTimestamp(pendingAt("https://a.example/?key=1"))],
    ["an address of two lines", writeTimestamp(pendingAt("https://a.example\nX: y"))],
    ["a height beyond all", Buffer.from("000588960d73d7190108ffffffffffffff0f", "hex")],
    ["something after it", Buffer.concat([nest(3), Uint8Array.of(1)])],
    ["messages that grow", Buffer.concat([Buffer.alloc(200, 0xf3), nest(1)])],
  ])("as %s are refused, and nothing else happens", (_, bytes) => {
    expect(() => readTimestamp(bytes, MESSAGE)).toThrow(OtsError);
  });

  test("of random bytes are refused or read, and what was read can be written", () => {
    const random = parkMiller(TEST_SEED);
    for (let round = 0; round < 3_000; round += 1) {
      const bytes = Uint8Array.from({ length: Math.floor(random() * 60) }, () =>
        random() < 0.5 ? ([0x00, 0x08, 0xff, 0xf0, 0x02][Math.floor(random() * 5)] ?? 0) : Math.floor(random() * 256),
      );
      try {
        const found = readTimestamp(bytes, MESSAGE);
        expect(readTimestamp(writeTimestamp(found), MESSAGE)).toBeDefined();
      } catch (error) {
        expect(error).toBeInstanceOf(OtsError);
      }
    }
  });
});

describe("several calendars' answers", () => {
  const one = pendingAt("https://a.example");
  const other = pendingAt("https://b.example");
  test("are one proof, the same in whatever order they came", () => {
    const proof = mergeTimestamps(one, other);
    expect(listAttested(proof)).toHaveLength(2);
    expect(writeTimestamp(proof)).toEqual(writeTimestamp(mergeTimestamps(other, one)));
    expect(writeTimestamp(mergeTimestamps(proof, other))).toEqual(writeTimestamp(proof));
  });

  test("of another message are refused", () => {
    expect(() => mergeTimestamps(one, pendingAt("https://b.example", Buffer.alloc(32, 8)))).toThrow(OtsError);
  });

  test("are put where they belong later", () => {
    const salted = Buffer.concat([MESSAGE, Buffer.from("salt")]);
    const inner = pendingAt("https://a.example", salted);
    const outer = {
      message: MESSAGE,
      attestations: [],
      branches: [{ operation: append(Buffer.from("salt")), next: inner }],
    };
    const root = new Bun.CryptoHasher("sha256").update(salted).digest();
    const end: Timestamp = { message: root, attestations: [{ kind: "bitcoin", height: 5 }], branches: [] };
    const later = { message: salted, attestations: [], branches: [{ operation: sha256, next: end }] };
    const upgraded = upgradeTimestamp(outer, later);
    expect(readTimestamp(writeTimestamp(upgraded), MESSAGE)).toEqual(readTimestamp(writeTimestamp(upgraded), MESSAGE));
    const block = { height: 5, merkle_root: root, time_ms: null };
    expect(verifyTime(upgraded, [block])).toMatchObject({ state: "proven" });
    // What another calendar says falsely beside it takes nothing away.
    const false_one: Timestamp = { message: MESSAGE, attestations: [{ kind: "bitcoin", height: 5 }], branches: [] };
    expect(verifyTime(mergeTimestamps(upgraded, false_one), [block])).toMatchObject({ state: "proven" });
    expect(verifyTime(false_one, [block])).toMatchObject({ state: "broken" });
  });
});
