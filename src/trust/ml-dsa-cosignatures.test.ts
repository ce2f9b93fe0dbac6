import { describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { createIdentity } from "../core/identity.ts";
import { readCosignedAt, readNote, readWitnessKey, signNote } from "./signed-note.ts";

/** Cosignatures by ML-DSA-44, made here by the words of C2SP tlog-cosignature alone. */
const NAME = "witness.example/pq";
const TIME_S = 1_793_000_000;
const log = { ...createIdentity(), name: "example.com/log" };
const SIZE = 20_852_163;
const ROOT = createHash("sha256").update("root").digest();
const TEXT = `${log.name}\n${SIZE}\n${ROOT.toString("base64")}\n`;

function createWitness() {
  const { publicKey, privateKey } = generateKeyPairSync("ml-dsa-44");
  const { pub } = JSON.parse(JSON.stringify(publicKey.export({ format: "jwk" }))) as { readonly pub: string };
  const raw = Buffer.from(pub, "base64url");
  const packed = Buffer.concat([Buffer.of(6), raw]);
  const key_id = createHash("sha256").update(`${NAME}\n`).update(packed).digest().subarray(0, 4);
  const u64 = (value: number): Buffer => Buffer.from(value.toString(16).padStart(16, "0"), "hex");
  const short = (text: string): Buffer => Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
  const cosign = ({ time_s = TIME_S, size = SIZE, start = 0, name = NAME, origin = log.name } = {}): string => {
    const label = Buffer.from("subtree/v1\n\0");
    const tree = [u64(start), u64(size), ROOT];
    const message = Buffer.concat([label, short(name), u64(time_s), short(origin), ...tree]);
    const signature = sign(null, message, privateKey);
    return `— ${NAME} ${Buffer.concat([key_id, u64(time_s), signature]).toString("base64")}\n`;
  };
  return { verifier_key: `${NAME}+${key_id.toString("hex")}+${packed.toString("base64")}`, cosign };
}
const [witness, stranger] = [createWitness(), createWitness()];

function readKey(text: string) {
  const key = readWitnessKey(text);
  if (key === null) throw new Error("it is no key");
  return key;
}

function timeOf(line: string, text = TEXT): number | null {
  const note = readNote(signNote(text, log) + line);
  if (note === null) throw new Error("it is no note");
  return readCosignedAt(note, readKey(witness.verifier_key));
}

describe("a cosignature by ML-DSA-44", () => {
  test("counts by the key of its witness, which says what it is a key of", () => {
    expect(readKey(witness.verifier_key)).toMatchObject({ name: NAME, algorithm: "ml-dsa-44" });
    expect(timeOf(witness.cosign())).toBe(TIME_S);
    // The line of a log's own is not part of what is signed, by the specification.
    expect(timeOf(witness.cosign(), `${TEXT}a line more\n`)).toBe(TIME_S);
  });

  test.each([
    ["of another witness", stranger.cosign()],
    ["of another name", witness.cosign({ name: "witness.example/xx" })],
    ["of another log", witness.cosign({ origin: "example.com/xxx" })],
    ["of another size", witness.cosign({ size: SIZE - 1 })],
    ["of a part of the tree", witness.cosign({ start: 1 })],
    ["without a time", witness.cosign({ time_s: 0 })],
    ["that is not there", ""],
  ])("%s does not count", (_, line) => {
    expect(timeOf(line)).toBeNull();
  });

  test("does not count when a bit of it is another, whatever right one stands beside it", () => {
    const [, packed = ""] = /^— \S+ (\S+)\n$/.exec(witness.cosign()) ?? [];
    for (const at of [4, 11, 12, 500, 2_431]) {
      const bytes = Buffer.from(packed, "base64");
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const line = `— ${NAME} ${bytes.toString("base64")}\n`;
      expect([at, timeOf(line), timeOf(witness.cosign() + line)]).toEqual([at, null, null]);
    }
  });

  test("is not asked for by a key of another length, or of the other kind", () => {
    const keyOf = (bytes: Buffer): string => {
      const key_id = createHash("sha256").update(`${NAME}\n`).update(bytes).digest().subarray(0, 4).toString("hex");
      return `${NAME}+${key_id}+${bytes.toString("base64")}`;
    };
    // Name, eight digits of the key's id, and the plus signs between them.
    const bytes = Buffer.from(witness.verifier_key.slice(NAME.length + 10), "base64");
    expect(readWitnessKey(keyOf(bytes))).not.toBeNull();
    expect(readWitnessKey(keyOf(bytes.subarray(0, 33)))).toBeNull();
    expect(readWitnessKey(keyOf(Buffer.concat([Buffer.of(4), bytes.subarray(1)])))).toBeNull();
    expect(readWitnessKey(keyOf(Buffer.concat([Buffer.of(1), bytes.subarray(1)])))).toBeNull();
  });
});
