import type { SimulatedAnswer, SimulatedWorld } from "../../catalog/simulator.ts";
import { sha256Hex } from "../../core/hash.ts";
import { getMerkleRoot, hashTwice, renderHash } from "./bitcoin-block.ts";

const TRANSACTIONS = 12;
const KEPT_MAX = 64;
/** Every so many transactions one pays a rest back to the address it spends from. */
const [WITH_CHANGE, TO_KNOWN] = [3, 5];
/** A wallet everybody knows, as the program of its script: 34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo. */
const KNOWN = Buffer.from("23e522dfc6656a8fda3d47b4fa53f7585ac758cd", "hex");

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
/** A length below 253 in front of the bytes. */
const sized = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.of(bytes.length), bytes]);
const digest = (text: string): Buffer => Buffer.from(sha256Hex(text), "hex");
const key = (text: string): Buffer => Buffer.concat([Buffer.of(2), digest(text)]);
const hash160 = (bytes: Uint8Array): Buffer =>
  Buffer.from(new Bun.CryptoHasher("ripemd160").update(new Bun.CryptoHasher("sha256").update(bytes).digest()).digest());
const toWitness = (program: Uint8Array): Buffer => Buffer.concat([Buffer.of(0), sized(program)]);
const toKnown = (): Buffer => Buffer.concat([Buffer.of(0xa9), sized(KNOWN), Buffer.of(0x87)]);

interface BlockPosition {
  readonly height: number;
  readonly at_s: number;
}

interface Encoded {
  readonly id: Uint8Array;
  readonly bytes: Uint8Array;
}

/** A transaction with one input, with a witness where there is one (BIP 144). */
function encode(input: Uint8Array, outputs: readonly Uint8Array[], witness?: readonly Uint8Array[]): Encoded {
  const [version, lock] = [u32(2), u32(0)];
  const body = Buffer.concat([Buffer.of(1), input, Buffer.of(outputs.length), ...outputs]);
  const id = hashTwice(version, body, lock);
  if (!witness) return { id, bytes: Buffer.concat([version, body, lock]) };
  const items = Buffer.concat([Buffer.of(witness.length), ...witness.map(sized)]);
  return { id, bytes: Buffer.concat([version, Buffer.of(0, 1), body, items, lock]) };
}

const encodeOutput = (sats: number, script: Uint8Array): Buffer => Buffer.concat([u64(sats), sized(script)]);

function makeReward(height: number): Encoded {
  const script = Buffer.concat([sized(Buffer.from(height.toString(16).padStart(6, "0"), "hex")), Buffer.alloc(4)]);
  const input = Buffer.concat([Buffer.alloc(32), u32(0xffff_ffff), sized(script), u32(0)]);
  return encode(input, [encodeOutput(312_500_000, toWitness(digest(`miner ${height}`).subarray(0, 20)))]);
}

/** Between 10,000 and 100 million US dollars from one wallet to another, sometimes with a rest that goes back. */
function makePayment(world: SimulatedWorld, { height, at_s }: BlockPosition, index: number): Encoded {
  const draw = (what: string): number => world.noise(`bitcoin ${height} ${index} ${what}`);
  const price = world.price("BTC", at_s * 1000);
  const sats = Math.round((10 ** (4 + 4 * draw("usd")) / price) * 1e8);
  const sender = key(`wallet ${Math.floor(draw("sender") * 400)}`);
  const receiver =
    index % TO_KNOWN === 0 ? toKnown() : toWitness(digest(`wallet ${Math.floor(draw("to") * 400)}`).subarray(0, 20));
  const rest = encodeOutput(Math.round(sats * (0.5 + 2 * draw("rest"))), toWitness(hash160(sender)));
  const input = Buffer.concat([digest(`spent ${height} ${index}`), u32(index), Buffer.of(0), u32(0xffff_fffd)]);
  const outputs = [encodeOutput(sats, receiver), ...(index % WITH_CHANGE === 0 ? [rest] : [])];
  const signature = Buffer.concat([Buffer.of(0x30), digest(`signature ${height} ${index}`), Buffer.alloc(38, 1)]);
  return encode(input, outputs, [signature, sender]);
}

interface SimulatedBlock {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

const made = new WeakMap<SimulatedWorld, Map<number, SimulatedBlock>>();

/**
 * The bytes of the block at a height. Nobody mined it, and the block before is named by a hash of its own: only what a
 * reader of one block checks is played.
 */
export function getSimulatedBlock(world: SimulatedWorld, height: number, at_s: number): SimulatedBlock {
  const kept = made.get(world) ?? new Map<number, SimulatedBlock>();
  made.set(world, kept);
  const known = kept.get(height);
  if (known) return known;
  const payments = Array.from({ length: TRANSACTIONS }, (_, index) => makePayment(world, { height, at_s }, index));
  const transactions = [makeReward(height), ...payments];
  const root = getMerkleRoot(transactions.map(({ id }) => id));
  const header = Buffer.concat([
    ...[u32(0x2000_0000), digest(`bitcoin block ${height - 1}`), root],
    ...[u32(at_s), u32(0x1702_3a04), u32(height)],
  ]);
  const bytes = Buffer.concat([header, Buffer.of(transactions.length), ...transactions.map((one) => one.bytes)]);
  const block = { hash: renderHash(hashTwice(header)), bytes };
  if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value ?? 0);
  kept.set(height, block);
  return block;
}

/** The bytes of one of the listed blocks, asked for by its hash; undefined when it is none of them. */
export function answerBlock(
  world: SimulatedWorld,
  hash: string,
  listed: readonly { readonly id: string; readonly height: number; readonly timestamp: number }[],
): SimulatedAnswer | undefined {
  const found = listed.find(({ id }) => id === hash);
  return found && { bytes: getSimulatedBlock(world, found.height, found.timestamp).bytes };
}
