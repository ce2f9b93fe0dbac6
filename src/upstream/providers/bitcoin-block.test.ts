import { describe, expect, test } from "bun:test";
import { Block, Transaction, address as theirs } from "bitcoinjs-lib";
import { isUnusable, unusable } from "../../catalog/unusable.ts";
import { createWorld } from "../../sandbox/world.ts";
import { readAddress, readSender } from "./bitcoin-address.ts";
import { type BitcoinBlock, parseBitcoinBlock } from "./bitcoin-block.ts";
import { getSimulatedBlock } from "./simulated-bitcoin-blocks.ts";

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const parse = (hex: string): BitcoinBlock => {
  const block = parseBitcoinBlock(bytesOf(hex));
  if (isUnusable(block)) throw new Error(block.why);
  return block;
};

const NONE = "0".repeat(64);
const GENESIS_KEY =
  "04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c" +
  "384df7ba0b8d578a4c702b6bf11d5f";
const GENESIS =
  `01000000${NONE}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c` +
  `010100000001${NONE}ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e636` +
  "56c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff" +
  `0100f2052a01000000434104${GENESIS_KEY.slice(2)}ac00000000`;
/** The first payment from one person to another: 10 of 50 bitcoins, the rest back to the payer's own key. */
const BLOCK_170 =
  "0100000055bd840a78798ad0da853f68974f3d183e2bd1db6a842c1feecf222a00000000ff104ccb05421ab93e63f8c3ce5c" +
  "2c2e9dbb37de2764b3a3175c8166562cac7d51b96a49ffff001d283e9e70" +
  "0201000000010000000000000000000000000000000000000000000000000000000000000000ffffffff0704ffff001d0102" +
  "ffffffff0100f2052a01000000434104d46c4968bde02899d2aa0963367c7a6ce34eec332b32e42e5f3407e052d64ac625da" +
  "6f0718e7b302140434bd725706957c092db53805b821a85b23a7ac61725bac00000000" +
  "0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e1" +
  "6932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc5" +
  "6cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b22" +
  "25f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee00" +
  "00000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f8" +
  "2e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000";
const coinbase = GENESIS.slice(162);
/** BIP 143's native P2WPKH example, signed: one input of a bare key, one with a witness. */
const BIP_143 =
  "01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000049483045022100" +
  "8b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c04" +
  "89bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b9" +
  "0ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac909351" +
  "0d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa6" +
  "10b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02d" +
  "e67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000";

const readTheirs = (script: Uint8Array): string | null => {
  try {
    return theirs.fromOutputScript(script);
  } catch {
    return null;
  }
};

/** Everything we read of a block, by bitcoinjs-lib. */
function readByOthers(bytes: Uint8Array) {
  const block = Block.fromBuffer(bytes);
  return {
    hash: block.getId(),
    previous_hash: Buffer.from(block.prevHash ?? [])
      .reverse()
      .toString("hex"),
    at_ms: block.timestamp * 1000,
    transactions: (block.transactions ?? []).map((transaction) => ({
      txid: transaction.getId(),
      is_coinbase: transaction.isCoinbase(),
      outputs: transaction.outs.map(({ value, script }) => [Number(value), readTheirs(script)]),
      witnesses: transaction.ins.map(({ witness }) => witness.map((item) => Buffer.from(item).toString("hex"))),
    })),
  };
}
const readByUs = (block: BitcoinBlock) => ({
  ...block,
  transactions: block.transactions.map(({ txid, is_coinbase, inputs, outputs }) => ({
    txid,
    is_coinbase,
    outputs: outputs.map(({ sats, script }) => [sats, readAddress(script)]),
    witnesses: inputs.map(({ witness }) => witness.map((item) => Buffer.from(item).toString("hex"))),
  })),
});

/** A block of our own around transactions of others, with the root bitcoinjs-lib reckons. */
function wrap(transactions: readonly string[]): Uint8Array {
  const block = new Block();
  block.prevHash = new Uint8Array(32);
  block.transactions = transactions.map((hex) => Transaction.fromHex(hex));
  block.merkleRoot = Block.calculateMerkleRoot(block.transactions);
  return block.toBuffer();
}

describe("published blocks", () => {
  test("the genesis block", () => {
    const block = parse(GENESIS);
    expect(block.hash).toBe("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f");
    expect(block.at_ms).toBe(Date.UTC(2009, 0, 3, 18, 15, 5));
    expect(block.transactions.map(({ txid }) => txid)).toEqual([
      "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    ]);
    expect(block.transactions[0]).toMatchObject({ is_coinbase: true, outputs: [{ sats: 5_000_000_000 }] });
  });

  test("block 170, the first payment", () => {
    const block = parse(BLOCK_170);
    expect(block.hash).toBe("00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee");
    const [, payment] = block.transactions;
    expect(payment?.txid).toBe("f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16");
    expect(payment?.outputs.map(({ sats }) => sats)).toEqual([1_000_000_000, 4_000_000_000]);
    // Bare keys: the block gives neither side an address.
    expect(payment?.outputs.map(({ script }) => readAddress(script))).toEqual([null, null]);
    expect(payment?.inputs.map(readSender)).toEqual([null]);
  });

  test("a witness is left out of the id, and tells who spends", () => {
    const [, transaction] = parse(Buffer.from(wrap([coinbase, BIP_143])).toString("hex")).transactions;
    expect(transaction?.inputs.map(({ witness }) => witness.length)).toEqual([0, 2]);
    const program = "00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1";
    expect(transaction?.inputs.map(readSender)).toEqual([null, theirs.fromOutputScript(bytesOf(program))]);
  });
});

test("another library reads the same of every kind of block, the sandbox's included", () => {
  const { bytes, hash } = getSimulatedBlock(
    createWorld("test", () => 1_790_000_000_000),
    960_000,
    1_790_000_000,
  );
  for (const one of [bytesOf(GENESIS), bytesOf(BLOCK_170), wrap([coinbase, BIP_143]), bytes]) {
    expect(readByUs(parse(Buffer.from(one).toString("hex")))).toEqual(readByOthers(one));
  }
  expect(parse(Buffer.from(bytes).toString("hex")).hash).toBe(hash);
});

test("a block that was changed anywhere is refused, or is another block", () => {
  const whole = bytesOf(BLOCK_170);
  const hash = parse(BLOCK_170).hash;
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Uint8Array.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const read = parseBitcoinBlock(changed);
    if (!isUnusable(read)) expect(read.hash).not.toBe(hash);
    if (at >= 80) expect(isUnusable(read)).toBe(true);
  }
  for (let length = 0; length < whole.length; length += 7) {
    expect(isUnusable(parseBitcoinBlock(whole.subarray(0, length)))).toBe(true);
  }
  expect(parseBitcoinBlock(Uint8Array.of(...whole, 0))).toEqual(unusable("bytes follow the last transaction"));
});

test("a list of transactions with its end repeated has the same root, and is refused", () => {
  const three = [coinbase, BLOCK_170.slice(162 + 268), BIP_143];
  const once = Buffer.from(wrap(three));
  expect(parse(once.toString("hex")).transactions).toHaveLength(3);
  const twice = Buffer.concat([once.subarray(0, 80), Buffer.of(4), once.subarray(81), Buffer.from(BIP_143, "hex")]);
  expect(parseBitcoinBlock(Uint8Array.from(twice))).toEqual(unusable("a transaction comes twice"));
});

test("addresses are those of BIP 173, BIP 350 and bitcoinjs-lib", () => {
  expect(readAddress(bytesOf("0014751e76e8199196d454941c45d1b3a323f1433bd6"))).toBe(
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  );
  expect(readAddress(bytesOf("512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"))).toBe(
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
  );
  const hash = (byte: number, length: number) => byte.toString(16).padStart(2, "0").repeat(length);
  for (let byte = 0; byte < 256; byte += 17) {
    const [short, long] = [hash(byte, 20), hash(byte, 32)];
    // Taproot addresses need a curve library there: BIP 350 has one above.
    for (const script of [`76a914${short}88ac`, `a914${short}87`, `0014${short}`, `0020${long}`]) {
      expect(readAddress(bytesOf(script))).toBe(theirs.fromOutputScript(bytesOf(script)));
    }
  }
  expect(readAddress(bytesOf(`6a14${hash(1, 20)}`))).toBeNull();
  expect(readAddress(bytesOf(`0010${hash(1, 16)}`))).toBeNull();
});
