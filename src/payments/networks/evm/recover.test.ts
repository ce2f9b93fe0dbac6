import { expect, test } from "bun:test";
import { recoverAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { repeat } from "../../../../test/helpers/effort.ts";
import { fc } from "../../../../test/helpers/properties.ts";
import { recoverSigner } from "./recover.ts";

const SIGNATURES = repeat({ quick: 25, full: 300, long: 10_000 });
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const FIELD = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex"));

/** What viem's JavaScript says. */
const expected = async (digest: string, signature: string): Promise<string | null> => {
  const asked = { hash: digest, signature } as { readonly hash: `0x${string}`; readonly signature: `0x${string}` };
  return recoverAddress(asked).then(
    (address) => address.toLowerCase(),
    () => null,
  );
};
const compare = async (digest: string, signature: string) =>
  expect([digest, signature, await recoverSigner(digest, signature)]).toEqual([
    digest,
    signature,
    await expected(digest, signature),
  ]);

/** The other signatures that somebody makes of one he saw. */
function bend(signature: string, bit: number, other: string): readonly string[] {
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)];
  const high_s = word(ORDER - BigInt(`0x${s}`));
  const other_v = v === "1b" ? "1c" : "1b";
  const at = 2 + (bit % 128);
  const flipped = (Number.parseInt(signature[at] ?? "0", 16) ^ (1 << (bit % 4))).toString(16);
  return [
    `0x${r}${s}${other_v}`,
    `0x${r}${s}${v === "1b" ? "00" : "01"}`,
    `0x${r}${high_s}${other_v}`,
    `0x${signature.slice(2).toUpperCase()}`,
    `${signature.slice(0, at)}${flipped}${signature.slice(at + 1)}`,
    `0x${other}${s}${v}`,
    `0x${r}${other}${v}`,
  ];
}

test("a signer is the one viem finds, whatever is done to a signature", async () => {
  await fc.assert(
    fc.asyncProperty(hex32, hex32, hex32, fc.nat(), async (key, digest, other, bit) => {
      if (BigInt(`0x${key}`) === 0n || BigInt(`0x${key}`) >= ORDER) return;
      const account = privateKeyToAccount(`0x${key}`);
      const hash = `0x${digest}` as const;
      const signature = await account.sign({ hash });
      expect(await recoverSigner(hash, signature)).toBe(account.address.toLowerCase());
      // One of seven each time: JavaScript takes its time.
      const bent = bend(signature, bit, other);
      await compare(hash, bent[bit % bent.length] ?? signature);
      await compare(`0x${other}`, signature);
    }),
    { numRuns: SIGNATURES },
  );
});

test("no signature, and one at the border, is what viem says it is", async () => {
  const account = privateKeyToAccount(`0x${"7".repeat(64)}`);
  const hash = `0x${"ab".repeat(32)}` as const;
  const good = await account.sign({ hash });
  const [r, s, v] = [good.slice(2, 66), good.slice(66, 130), good.slice(130)];
  const edges = [0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, FIELD - ORDER, FIELD - 1n, FIELD, (1n << 256n) - 1n].map(word);
  for (const edge of edges) {
    for (const end of ["1b", "1c"]) {
      await compare(hash, `0x${edge}${s}${end}`);
      await compare(hash, `0x${r}${edge}${end}`);
    }
    await compare(`0x${edge}`, good);
    await compare(hash, `0x${edge}${edge}1b`);
  }
  for (const end of ["00", "01", "02", "03", "1a", "1b", "1B", "1c", "1C", "1d", "1e", "23", "25", "ff", "", "1b00"]) {
    await compare(hash, `0x${r}${s}${end}`);
  }
  for (const none of [
    "",
    "0x",
    "0x1b",
    `0x${r}1b`,
    `0x00${good.slice(2)}`,
    `0x${r}${s}`,
    `0x${r}${"g".repeat(64)}1b`,
  ]) {
    await compare(hash, none);
  }
  // Forms that viem takes and nobody sends.
  for (const odd of [good.slice(2), `0X${good.slice(2)}`, `${good} `, `${good}\n`, `0x${r}${s}\n${v}`]) {
    expect(await recoverSigner(hash, odd)).toBeNull();
  }
  for (const none of ["", "0x", `0x${"a".repeat(63)}`, `0x${"a".repeat(66)}`, "a".repeat(64)]) {
    expect(await recoverSigner(none, good)).toBeNull();
  }
});

test("signatures of no key, many of them, leave the next one as good as before", async () => {
  const account = privateKeyToAccount(`0x${"9".repeat(64)}`);
  const hash = `0x${"cd".repeat(32)}` as const;
  const good = await account.sign({ hash });
  let none = 0;
  for (let at = 0; at < 400; at++) {
    const r = at % 4 === 0 ? "f".repeat(64) : word(5n + BigInt(at));
    if ((await recoverSigner(hash, `0x${r}${"1".padStart(64, "0")}1b`)) === null) none++;
  }
  // Every fourth is beyond the order, half of the others no point of the curve.
  expect(none).toBeGreaterThan(200);
  expect(await recoverSigner(hash, good)).toBe(account.address.toLowerCase());
});
