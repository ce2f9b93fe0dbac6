import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import { createLRU } from "../../../core/lru.ts";
import { decodeSolanaAddress } from "../../../core/solana-address.ts";
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from "./programs.ts";

/** Edwards curve 25519: -x² + y² = 1 + d x² y² over the integers modulo P (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % P;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/**
 * Whether 32 bytes are the compressed form of a curve point, and so may be somebody's public key: x² = (y² - 1) /
 * (d y² + 1) must be a square, which Euler's criterion tells. The quotient is a square exactly when the product is.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`) & (2n ** 255n - 1n);
  const y2 = (y * y) % P;
  const product = ((y2 - 1n + P) * (D * y2 + 1n)) % P;
  return product === 0n || power(product, (P - 1n) / 2n) === 1n;
}

const MARKER = Buffer.from("ProgramDerivedAddress");
const decode = (address: string): Uint8Array => {
  const bytes = decodeSolanaAddress(address);
  if (!bytes) throw new RangeError(`"${address.slice(0, 60)}" is not a Solana address`);
  return bytes;
};
const PROGRAM = decode(ASSOCIATED_TOKEN_PROGRAM);
const known = createLRU<string>(1_000);

function derive(owner: string, mint: string): string {
  const seeds = [decode(owner), decode(TOKEN_PROGRAM), decode(mint)];
  // The first bump, from 255 down, whose hash is no curve point: so that nobody can hold a key to it.
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash("sha256");
    for (const seed of seeds) hash.update(seed);
    const digest = hash.update(Uint8Array.of(bump)).update(PROGRAM).update(MARKER).digest();
    if (!isOnCurve(digest)) return base58.encode(digest);
  }
  throw new RangeError("no token account can be derived");
}

/**
 * Address of the associated token account that holds an owner's tokens of a mint (SPL Token program).
 * @throws RangeError when one of the two is no address.
 */
export function findTokenAccount(owner: string, mint: string): string {
  const key = `${owner}:${mint}`;
  const found = known.get(key) ?? derive(owner, mint);
  known.set(key, found);
  return found;
}
