import { base58 } from "@scure/base";
import type { FetchContext } from "../../../catalog/context.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { fetchAccounts, type SolanaAccount } from "./accounts.ts";
import { MINT_BYTES, MINT_DECIMALS_AT, MINT_INITIALISED_AT, TOKEN_PROGRAM } from "./mint.ts";
import { fetchSlotTime } from "./slot-time.ts";

/** The Token-2022 program, whose mints may have extensions. */
export const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";

/** Where a Token-2022 account says what it is: after the longest classic account. */
export const ACCOUNT_TYPE_AT = 165;
export const ACCOUNT_TYPE_MINT = 1;
/** Kinds of extensions by their numbers (spl-token-2022, `ExtensionType`). */
export const EXTENSION = {
  transfer_fee: 1,
  close_authority: 3,
  default_state: 6,
  non_transferable: 9,
  permanent_delegate: 12,
  transfer_hook: 14,
  pausable: 26,
} as const;
const STATE_FROZEN = 2;
const KEY_BYTES = 32;

/** Who has which power over a mint, as its account says. Addresses are base58, null where nobody has the power. */
export interface MintPowers {
  readonly program: "spl-token" | "spl-token-2022";
  readonly decimals: number;
  /** In the smallest unit. */
  readonly supply: bigint;
  readonly mint_authority: string | null;
  readonly freeze_authority: string | null;
  readonly permanent_delegate: string | null;
  /** The program that is run with every transfer. */
  readonly hook_program: string | null;
  readonly is_frozen_by_default: boolean;
  readonly is_non_transferable: boolean;
  readonly is_paused: boolean;
  /** The larger of the fee of this epoch and the next one, basis points. */
  readonly fee_bps: number;
  readonly fee_authority: string | null;
  readonly close_authority: string | null;
}

const readKey = (data: Uint8Array, at: number): string | null => {
  const key = data.subarray(at, at + KEY_BYTES);
  return key.length < KEY_BYTES || key.every((byte) => byte === 0) ? null : base58.encode(key);
};

/** COption of a key: 4 bytes that say whether there is one, then the key. */
const readOption = (data: Uint8Array, at: number): string | null =>
  new DataView(data.buffer, data.byteOffset).getUint32(at, true) === 1
    ? base58.encode(data.subarray(at + 4, at + 36))
    : null;

/** Extensions by kind; null when one reaches past the end. */
function readExtensions(data: Uint8Array): ReadonlyMap<number, Uint8Array> | null {
  const found = new Map<number, Uint8Array>();
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = ACCOUNT_TYPE_AT + 1; at + 4 <= data.length; ) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (kind === 0) break;
    if (at + 4 + length > data.length) return null;
    found.set(kind, data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

/** TransferFeeConfig: two authorities, what was withheld, then the older and the newer fee (epoch, maximum, rate). */
function readFee(data: Uint8Array | undefined): number {
  if (!data || data.length < 108) return 0;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Math.max(view.getUint16(88, true), view.getUint16(106, true));
}

/** A multisig, of both token programs: no other account has its size (the programs pad those that would). */
const MULTISIG_BYTES = 355;

const isMintOf2022 = ({ owner, data }: Pick<SolanaAccount, "owner" | "data">): boolean =>
  owner === TOKEN_2022_PROGRAM &&
  data.length !== MULTISIG_BYTES &&
  (data.length === MINT_BYTES || (data.length > ACCOUNT_TYPE_AT && data[ACCOUNT_TYPE_AT] === ACCOUNT_TYPE_MINT));

/**
 * Reads a mint's account. Layouts: `Mint` of spl-token (82 bytes) and the extensions of spl-token-2022 behind it.
 * @returns null when the account is no mint.
 */
export function parseMint({ owner, data }: Pick<SolanaAccount, "owner" | "data">): MintPowers | null {
  const is_classic = owner === TOKEN_PROGRAM && data.length === MINT_BYTES;
  const is_2022 = isMintOf2022({ owner, data });
  if ((!is_classic && !is_2022) || data[MINT_INITIALISED_AT] !== 1) return null;
  const extensions = data.length > ACCOUNT_TYPE_AT ? readExtensions(data) : new Map<number, Uint8Array>();
  if (!extensions) return null;
  const of = (kind: number): Uint8Array => extensions.get(kind) ?? new Uint8Array();
  return {
    program: is_classic ? "spl-token" : "spl-token-2022",
    decimals: data[MINT_DECIMALS_AT] ?? 0,
    supply: new DataView(data.buffer, data.byteOffset).getBigUint64(36, true),
    mint_authority: readOption(data, 0),
    freeze_authority: readOption(data, 46),
    permanent_delegate: readKey(of(EXTENSION.permanent_delegate), 0),
    hook_program: readKey(of(EXTENSION.transfer_hook), KEY_BYTES),
    is_frozen_by_default: of(EXTENSION.default_state)[0] === STATE_FROZEN,
    is_non_transferable: extensions.has(EXTENSION.non_transferable),
    is_paused: of(EXTENSION.pausable)[KEY_BYTES] === 1,
    fee_bps: readFee(extensions.get(EXTENSION.transfer_fee)),
    fee_authority: readKey(of(EXTENSION.transfer_fee), 0),
    close_authority: readKey(of(EXTENSION.close_authority), 0),
  };
}

/** What a Solana address turned out to be. */
export type MintReading =
  | { readonly kind: "mint"; readonly slot: number; readonly powers: MintPowers }
  | { readonly kind: "no_account" | "no_mint"; readonly slot: number };

/** A node that is further behind has not seen the newest tokens. */
const NODE_AGE_MAX_MS = 300_000;

/**
 * Reads a mint from the chain, or, with `second`, from its second address. The answer has a slot, but no time.
 * @throws UpstreamError also when a node that is behind says that there is no mint: it may be younger than its view.
 */
export async function fetchMintPowers(
  context: Pick<FetchContext, "get" | "now_ms">,
  mint: string,
  second = false,
): Promise<MintReading> {
  const { slot, accounts } = await fetchAccounts(context, [mint], {
    second,
    // What stands behind the part that was read may be a power: such a mint is not known, which is not "no mint".
    refuse: ({ accounts: [account] }) =>
      account && isMintOf2022(account) && account.bytes > account.data.length
        ? unusable("the mint is too long")
        : undefined,
  });
  const [account] = accounts;
  const powers = account ? parseMint(account) : null;
  if (powers) return { kind: "mint", slot, powers };
  await fetchSlotTime(context, slot, NODE_AGE_MAX_MS);
  return { kind: account ? "no_mint" : "no_account", slot };
}
