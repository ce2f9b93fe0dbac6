import { type Static, Type } from "@sinclair/typebox";
import { sha256Hex } from "../../../core/hash.ts";
import type { Journal } from "../../journal.ts";
import type { ChainSettlement } from "../types.ts";

/** What every new payer owns: 100 test USDC. */
const STARTING_BALANCE = 100_000_000n;
const SETTLEMENTS_MAX = 100_000;

/** One settled authorization with what a block explorer would know of it. */
export interface Booked extends ChainSettlement {
  readonly nonce: string;
  readonly at_ms: number;
}

export const Authorization = Type.Object({
  from: Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }),
  to: Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }),
  value: Type.String({ pattern: "^(0|[1-9][0-9]{0,77})$" }),
  validAfter: Type.String({ pattern: "^(0|[1-9][0-9]{0,77})$" }),
  validBefore: Type.String({ pattern: "^(0|[1-9][0-9]{0,77})$" }),
  nonce: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
});
export type Authorization = Static<typeof Authorization>;

/** The token contract's state: balances and used nonces, rebuilt from the journal at start. */
export interface Usdc {
  balanceOf(address: string): bigint;
  isUsed(from: string, nonce: string): boolean;
  fund(address: string, amount: bigint): void;
  /** Moves the money of an authorization that was checked. Returns the chain transaction. */
  transfer(authorization: Authorization, at_ms: number): Booked;
  balances(): Readonly<Record<string, string>>;
  readonly booked: readonly Booked[];
}

export interface UsdcOptions {
  readonly network: string;
  readonly chain_id: number;
  readonly asset: string;
  readonly journal: Journal;
}

export function createUsdc({ network, chain_id, asset, journal }: UsdcOptions): Usdc {
  const balances = new Map<string, bigint>();
  const used = new Set<string>();
  const booked: Booked[] = [];
  const keyOf = (from: string, nonce: string) => `evm:${chain_id}:${asset}:${from}:${nonce}`.toLowerCase();
  const balanceOf = (address: string): bigint => balances.get(address.toLowerCase()) ?? STARTING_BALANCE;

  const applyFund = (address: string, amount: bigint) => {
    const name = address.toLowerCase();
    balances.set(name, (balances.get(name) ?? 0n) + amount);
  };
  const applyTransfer = ({ from, to, value, nonce }: Authorization, at_ms: number): Booked => {
    const [payer, pay_to] = [from.toLowerCase(), to.toLowerCase()];
    const amount = BigInt(value);
    balances.set(payer, balanceOf(payer) - amount);
    // The receiver is no payer: it starts with nothing.
    balances.set(pay_to, (balances.get(pay_to) ?? 0n) + amount);
    const replay_key = keyOf(from, nonce);
    used.add(replay_key);
    const row: Booked = {
      network,
      payer,
      pay_to,
      amount_atomic: value,
      transaction: `0x${sha256Hex(replay_key)}`,
      replay_key,
      nonce: nonce.toLowerCase(),
      at: new Date(at_ms).toISOString(),
      at_ms,
    };
    if (booked.length < SETTLEMENTS_MAX) booked.push(row);
    return row;
  };

  for (const entry of journal.entries) {
    if (entry.network !== network) continue;
    if (entry.kind === "fund") applyFund(String(entry.address), BigInt(String(entry.amount)));
    if (entry.kind === "settle") applyTransfer(entry.authorization as Authorization, Number(entry.at_ms));
  }
  return {
    balanceOf,
    isUsed: (from, nonce) => used.has(keyOf(from, nonce)),
    fund(address, amount) {
      journal.append({ kind: "fund", network, address, amount: amount.toString() });
      applyFund(address, amount);
    },
    transfer(authorization, at_ms) {
      journal.append({ kind: "settle", network, authorization, at_ms });
      return applyTransfer(authorization, at_ms);
    },
    balances: () => Object.fromEntries([...balances].map(([address, amount]) => [address, amount.toString()])),
    booked,
  };
}
