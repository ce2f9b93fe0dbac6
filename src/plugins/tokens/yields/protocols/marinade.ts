import { type AccountReader, NOTHING } from "../protocol.ts";
import { STAKED_SOL } from "../stake-pool.ts";

export const MARINADE_PROGRAM = "MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD";
/** The state's discriminator, as Anchor makes it of the account's name. */
const DISCRIMINATOR = "d8926b5e684bb6b1";
/** Of the state (liquid-staking-program, state/mod.rs), in the order they lie there. */
const AT = {
  cooling: 226,
  active: 376,
  reserve: 496,
  price: 512,
  tickets: 528,
  cap: 560,
  emergency: 568,
  paused: 608,
} as const;
const BYTES_MIN = 609;
/** A price is in parts of 2 to the 32nd of a lamport; a cap of all ones means no cap. */
const [ONE, NO_CAP] = [2 ** 32, 2n ** 64n - 1n];

/** Marinade's state: lamports an mSOL is worth, all the stake, what of it waits to be paid out, the cap, the pause. */
export function readMarinade({ owner, data }: { readonly owner: string; readonly data: Uint8Array }) {
  if (owner !== MARINADE_PROGRAM || data.length < BYTES_MIN) return null;
  if (Buffer.from(data.subarray(0, 8)).toString("hex") !== DISCRIMINATOR) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const read = (at: keyof typeof AT): bigint => view.getBigUint64(AT[at], true);
  const held = read("active") + read("cooling") + read("emergency") + read("reserve");
  const [price, cap, tickets] = [read("price"), read("cap"), read("tickets")];
  if (price === 0n || tickets > held) return null;
  return {
    ...NOTHING,
    share_price: Number(price) / ONE,
    locked: (held - tickets).toString(),
    rewards: [],
    is_paused: data[AT.paused] !== 0,
    cap_used_pct: cap === NO_CAP || cap === 0n ? null : Number((held * 1_000_000n) / cap) / 10_000,
  };
}

export const readers: readonly AccountReader[] = [
  {
    ...STAKED_SOL,
    project: "marinade",
    symbol: "mSOL",
    contract: "8szGkuLTAux9XMgZ2vtY39jVSowEcpBfFfD8hXSEqdGC",
    read: readMarinade,
  },
];
