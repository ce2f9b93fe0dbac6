import { type Static, Type } from "@sinclair/typebox";
import { sha256Hex } from "../../../core/hash.ts";
import { CONTRACT } from "../../../payments/channels/contract.ts";
import { createReader } from "../../../payments/codec.ts";
import type { Journal } from "../../journal.ts";
import { TIME_MS_MAX } from "../../time.ts";
import type { ChainSettlement } from "../types.ts";

/** The balance of every new payer: 100 test USDC. */
const STARTING_BALANCE = 100_000_000n;
/** The most addresses, because a known address is never forgotten. */
const ADDRESSES_MAX = 1_000_000;

/** One settled authorization with the facts that a block explorer would show. */
export interface USDCBooked extends ChainSettlement {
  /** Nonce of the authorization, 32 bytes; "" where a permit moved the money. */
  readonly nonce: string;
  readonly permit?: PermitUse;
  readonly at_ms: number;
}

/** A used permit, with the call that used it. */
export interface PermitUse {
  readonly nonce: bigint;
  /** Data of the call to the proxy, hex. */
  readonly input: string;
}

/** What a permit moves, which may be less than it allows. */
export interface PermitTransfer extends PermitUse {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
}

const ADDRESS = "^0x[0-9a-fA-F]{40}$";
const UINT = "^(0|[1-9][0-9]{0,77})$";
export const Authorization = Type.Object({
  from: Type.String({ pattern: ADDRESS }),
  to: Type.String({ pattern: ADDRESS }),
  value: Type.String({ pattern: UINT }),
  validAfter: Type.String({ pattern: UINT }),
  validBefore: Type.String({ pattern: UINT }),
  nonce: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
});
export type Authorization = Static<typeof Authorization>;

const readFund = createReader(
  Type.Object({ address: Type.String({ pattern: ADDRESS }), amount: Type.String({ pattern: UINT }) }),
);
const readSettle = createReader(
  Type.Object({ authorization: Authorization, at_ms: Type.Number({ minimum: 0, maximum: TIME_MS_MAX }) }),
);
const readMoves = createReader(
  Type.Object({
    moves: Type.Array(
      Type.Object({
        kind: Type.Union([Type.Literal("in"), Type.Literal("out")]),
        address: Type.String({ pattern: ADDRESS }),
        amount: Type.String({ pattern: UINT }),
        nonce: Type.Optional(Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" })),
      }),
    ),
  }),
);
const readPermit = createReader(
  Type.Object({
    from: Type.String({ pattern: ADDRESS }),
    to: Type.String({ pattern: ADDRESS }),
    value: Type.String({ pattern: UINT }),
    nonce: Type.String({ pattern: UINT }),
    input: Type.String({ pattern: "^0x[0-9a-f]*$" }),
    at_ms: Type.Number({ minimum: 0, maximum: TIME_MS_MAX }),
  }),
);
const ADDRESS_FORM = new RegExp(ADDRESS);
export const isAddress = (text: string): boolean => ADDRESS_FORM.test(text);

/** The token contract's state: balances and used nonces, rebuilt from the journal at start. */
export interface Usdc {
  /** The balance of an address: 100 USDC if it has never paid, been paid or been funded. */
  balanceOf(address: string): bigint;
  isUsed(from: string, nonce: string): boolean;
  /** @throws RangeError for an invalid address, or when the limit of addresses is reached. */
  fund(address: string, amount: bigint): void;
  /** Moves the money of a checked authorization. Returns the chain transaction. */
  transfer(authorization: Authorization, at_ms: number): USDCBooked;
  /** Whether a payer's Permit2 nonce was used. */
  isPermitUsed(from: string, nonce: bigint): boolean;
  /** Moves the money of a checked permit. Returns the chain transaction. */
  transferByPermit(permit: PermitTransfer, at_ms: number): USDCBooked;
  /** Moves money into or out of a contract, whose own journal records it. */
  move(contract: string, move: ContractMove): void;
  balances(): Readonly<Record<string, string>>;
  /** In the order they were settled. */
  readonly booked: readonly USDCBooked[];
}

/** A transfer by a contract: out of its own balance, or into it by an authorization. */
export interface ContractMove {
  readonly kind: "in" | "out";
  readonly address: string;
  readonly amount: bigint;
  readonly nonce?: string;
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
  const booked: USDCBooked[] = [];
  const keyOf = (from: string, nonce: string) => `evm:${chain_id}:${asset}:${from}:${nonce}`.toLowerCase();
  const balanceOf = (address: string): bigint => balances.get(address.toLowerCase()) ?? STARTING_BALANCE;
  const isUsed = (from: string, nonce: string) => used.has(keyOf(from, nonce));

  const applyFund = (address: string, amount: bigint) => {
    const name = address.toLowerCase();
    balances.set(name, (balances.get(name) ?? 0n) + amount);
  };
  const permitKeyOf = (from: string, nonce: bigint) => `permit2:${chain_id}:${from}:${nonce}`.toLowerCase();
  const isPermitUsed = (from: string, nonce: bigint) => used.has(permitKeyOf(from, nonce));

  interface TokenTransfer {
    readonly from: string;
    readonly to: string;
    readonly amount: bigint;
    readonly replay_key: string;
    readonly at_ms: number;
    readonly by: Pick<USDCBooked, "nonce" | "permit">;
  }
  const book = ({ from, to, amount, replay_key, at_ms, by }: TokenTransfer): USDCBooked => {
    const [payer, pay_to] = [from.toLowerCase(), to.toLowerCase()];
    const held = balanceOf(payer);
    // The caller has checked the balance. It is short only in a replay whose journal has a damaged entry.
    balances.set(payer, held > amount ? held - amount : 0n);
    // A new receiver starts with nothing; only payers get test money.
    balances.set(pay_to, (balances.get(pay_to) ?? 0n) + amount);
    used.add(replay_key);
    const transaction = `0x${sha256Hex(replay_key)}`;
    const at = new Date(at_ms).toISOString();
    const row = { network, payer, pay_to, amount_atomic: amount.toString(), transaction, replay_key, at, at_ms, ...by };
    booked.push(row);
    return row;
  };
  const applyTransfer = ({ from, to, value, nonce }: Authorization, at_ms: number): USDCBooked => {
    const by = { nonce: nonce.toLowerCase() };
    return book({ from, to, amount: BigInt(value), replay_key: keyOf(from, nonce), at_ms, by });
  };
  const applyPermit = ({ from, to, value, nonce, input }: PermitTransfer, at_ms: number): USDCBooked => {
    const by = { nonce: "", permit: { nonce, input } };
    return book({ from, to, amount: value, replay_key: permitKeyOf(from, nonce), at_ms, by });
  };
  const move = (contract: string, { kind, address, amount, nonce }: ContractMove) => {
    const [from, to] = kind === "in" ? [address, contract] : [contract, address];
    const held = kind === "in" ? balanceOf(from) : (balances.get(from.toLowerCase()) ?? 0n);
    balances.set(from.toLowerCase(), held > amount ? held - amount : 0n);
    // A payer who gets money back has a balance already; a new contract or receiver starts with nothing.
    balances.set(to.toLowerCase(), (balances.get(to.toLowerCase()) ?? 0n) + amount);
    if (nonce !== undefined) used.add(keyOf(address, nonce));
  };
  /** Skips damaged entries: test money is not worth a failed start. */
  const replay = (entry: Readonly<Record<string, unknown>>) => {
    const fund = entry.kind === "fund" ? readFund(entry) : null;
    if (fund) return applyFund(fund.address, BigInt(fund.amount));
    const contract = entry.kind === "contract" ? readMoves(entry) : null;
    if (contract) {
      for (const one of contract.moves)
        move(CONTRACT.toLowerCase(), { ...one, amount: BigInt(one.amount) } as ContractMove);
      return;
    }
    const permit = entry.kind === "permit" ? readPermit(entry) : null;
    if (permit) {
      const { at_ms, ...texts } = permit;
      const transfer = { ...texts, value: BigInt(texts.value), nonce: BigInt(texts.nonce) };
      if (!isPermitUsed(transfer.from, transfer.nonce)) applyPermit(transfer, at_ms);
      return;
    }
    const settle = entry.kind === "settle" ? readSettle(entry) : null;
    if (!settle) return;
    const { from, nonce } = settle.authorization;
    // An entry is written twice when the disk failed after the first write and the payment was retried.
    if (!isUsed(from, nonce)) applyTransfer(settle.authorization, settle.at_ms);
  };

  for (const entry of journal.entries) {
    if (entry.network === network) replay(entry);
  }
  return {
    balanceOf,
    isUsed,
    fund(address, amount) {
      if (!isAddress(address)) throw new RangeError("address: 0x and 40 hex digits");
      if (!balances.has(address.toLowerCase()) && balances.size >= ADDRESSES_MAX) {
        throw new RangeError("address: the sandbox keeps no more of them");
      }
      journal.append({ kind: "fund", network, address, amount: amount.toString() });
      applyFund(address, amount);
    },
    transfer(authorization, at_ms) {
      journal.append({ kind: "settle", network, authorization, at_ms });
      return applyTransfer(authorization, at_ms);
    },
    isPermitUsed,
    transferByPermit(permit, at_ms) {
      const { from, to, value, nonce, input } = permit;
      const texts = { from, to, value: value.toString(), nonce: nonce.toString(), input };
      journal.append({ kind: "permit", network, ...texts, at_ms });
      return applyPermit(permit, at_ms);
    },
    move,
    balances: () => Object.fromEntries([...balances].map(([address, amount]) => [address, amount.toString()])),
    booked,
  };
}
