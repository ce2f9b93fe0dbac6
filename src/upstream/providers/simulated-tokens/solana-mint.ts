import { base58 } from "@scure/base";
import { MINT_BYTES, MINT_DECIMALS_AT, MINT_INITIALISED_AT, TOKEN_PROGRAM } from "../solana-rpc/mint.ts";
import { ACCOUNT_TYPE_AT, ACCOUNT_TYPE_MINT, EXTENSION, TOKEN_2022_PROGRAM } from "../solana-rpc/token-mint.ts";
import { ownerOf } from "./find-token.ts";
import type { SimulatedTokenFacts } from "./types.ts";

function extension(kind: number, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 + data.length);
  new DataView(bytes.buffer).setUint16(0, kind, true);
  new DataView(bytes.buffer).setUint16(2, data.length, true);
  bytes.set(data, 4);
  return bytes;
}

function feeConfig(bps: number, authority: Uint8Array): Uint8Array {
  const data = new Uint8Array(108);
  data.set(authority, 0);
  new DataView(data.buffer).setUint16(106, bps, true);
  return data;
}

function listExtensions(token: SimulatedTokenFacts, authority: Uint8Array): readonly Uint8Array[] {
  const all: readonly (readonly [boolean, () => Uint8Array])[] = [
    [token.fee_bps > 0, () => extension(EXTENSION.transfer_fee, feeConfig(token.fee_bps, authority))],
    [token.frozen_by_default, () => extension(EXTENSION.default_state, new Uint8Array([2]))],
    [token.non_transferable, () => extension(EXTENSION.non_transferable, new Uint8Array())],
    [token.permanent_delegate, () => extension(EXTENSION.permanent_delegate, authority)],
    [token.transfer_hook, () => extension(EXTENSION.transfer_hook, new Uint8Array([...authority, ...authority]))],
    [token.paused, () => extension(EXTENSION.pausable, new Uint8Array([...authority, 1]))],
  ];
  return all.flatMap(([is_on, make]) => (is_on ? [make()] : []));
}

/** A token's mint account as the chain would hold it. */
export function encodeTokenMint(token: SimulatedTokenFacts): { readonly data: Uint8Array; readonly owner: string } {
  const authority = base58.decode(ownerOf(token));
  const mint = new Uint8Array(MINT_BYTES);
  const view = new DataView(mint.buffer);
  const setOption = (at: number) => {
    view.setUint32(at, 1, true);
    mint.set(authority, at + 4);
  };
  if (token.mint_authority) setOption(0);
  view.setBigUint64(36, BigInt(Math.round(token.supply)) * 10n ** BigInt(token.decimals), true);
  mint[MINT_DECIMALS_AT] = token.decimals;
  mint[MINT_INITIALISED_AT] = 1;
  if (token.freeze_authority) setOption(46);
  const extensions = listExtensions(token, authority);
  if (extensions.length === 0) return { data: mint, owner: TOKEN_PROGRAM };
  const head = new Uint8Array(ACCOUNT_TYPE_AT + 1);
  head.set(mint, 0);
  head[ACCOUNT_TYPE_AT] = ACCOUNT_TYPE_MINT;
  return { data: Buffer.concat([head, ...extensions]), owner: TOKEN_2022_PROGRAM };
}
