import { type Static, Type } from "@sinclair/typebox";
import { isSolanaAddress } from "../../../core/solana-address.ts";
import { createReader } from "../../../payments/codec.ts";
import { findTokenAccount } from "../../../payments/networks/solana/token-account.ts";
import type { Journal } from "../../journal.ts";
import { TIME_MS_MAX } from "../../time.ts";
import { type AccountStates, createAccountStates } from "../account-states.ts";

/** The balance of every new payer: 100 test USDC. */
const STARTING_BALANCE = 100_000_000n;
/** The most accounts, because a known account is never forgotten. */
const ACCOUNTS_MAX = 1_000_000;

const ADDRESS = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" });
const AMOUNT = Type.String({ pattern: "^(0|[1-9][0-9]{0,19})$" });

/** One transaction that landed. Amounts and balances are atomic USDC of token accounts. */
const Landed = Type.Object({
  signature: Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{64,88}$" }),
  /** The whole transaction, base64. */
  wire: Type.String({ pattern: "^[A-Za-z0-9+/]{1,2048}={0,2}$" }),
  message_sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  memo: Type.Union([Type.Null(), Type.String({ maxLength: 2_048 })]),
  /** Every account that the transaction names, in the same order. */
  accounts: Type.Array(ADDRESS, { maxItems: 40 }),
  payer: ADDRESS,
  source: ADDRESS,
  destination: ADDRESS,
  amount: AMOUNT,
  at_ms: Type.Number({ minimum: 0, maximum: TIME_MS_MAX }),
});
export type SolanaLanded = Static<typeof Landed>;
/** What the two token accounts held before and after. */
export interface SolanaBooked extends SolanaLanded {
  readonly balances: readonly { readonly account: string; readonly before: bigint; readonly after: bigint }[];
}

const readLanded = createReader(Landed);
const readOwner = createReader(Type.Object({ address: ADDRESS }));
const readFund = createReader(Type.Object({ address: ADDRESS, amount: AMOUNT }));

/** Token accounts of one mint and the transactions between them, rebuilt from the journal at start. */
export interface SolanaBank {
  /** Every token account exists, and holds 100 USDC until it is paid, pays or is funded. */
  balanceOf(account: string): bigint;
  hasLanded(message_sha256: string): boolean;
  /**
   * Adds test money to a wallet's token account. One never seen before starts with exactly this.
   * @throws RangeError for an invalid address, or when the limit of accounts is reached.
   */
  fund(owner: string, amount: bigint): void;
  /** Remembers a wallet, so that its token account is shown under its name. Returns the token account. */
  know(owner: string): string;
  ownerOf(account: string): string | undefined;
  /** By token account. */
  readonly accounts: AccountStates;
  /** Moves the money of a checked transaction. */
  land(transaction: SolanaLanded): void;
  /** By wallet, or by token account where the wallet is not known. */
  balances(): Readonly<Record<string, string>>;
  /** In the order they landed. */
  readonly booked: readonly SolanaBooked[];
}

export interface SolanaBankOptions {
  readonly network: string;
  readonly mint: string;
  readonly journal: Journal;
}

export function createBank({ network, mint, journal }: SolanaBankOptions): SolanaBank {
  const balances = new Map<string, bigint>();
  const owners = new Map<string, string>();
  const landed = new Set<string>();
  const booked: SolanaBooked[] = [];
  const balanceOf = (account: string): bigint => balances.get(account) ?? STARTING_BALANCE;

  const applyOwner = (owner: string): string => {
    const account = findTokenAccount(owner, mint);
    owners.set(account, owner);
    return account;
  };
  const applyFund = (owner: string, amount: bigint) => {
    const account = applyOwner(owner);
    balances.set(account, (balances.get(account) ?? 0n) + amount);
  };
  const applyLand = (transaction: SolanaLanded) => {
    const { source, destination, message_sha256, payer } = transaction;
    const amount = BigInt(transaction.amount);
    applyOwner(payer);
    // A new receiver starts with nothing; only payers get test money.
    const before = new Map([[destination, balances.get(destination) ?? 0n]]);
    const held = balanceOf(source);
    before.set(source, held);
    // The caller has checked the balance. It is short only in a replay whose journal has a damaged entry.
    balances.set(source, held > amount ? held - amount : 0n);
    const received = source === destination ? balanceOf(source) : (before.get(destination) ?? 0n);
    balances.set(destination, received + amount);
    landed.add(message_sha256);
    const rows = [...before].map(([account, was]) => ({ account, before: was, after: balanceOf(account) }));
    booked.push({ ...transaction, balances: rows });
  };
  /** Skips damaged entries: test money is not worth a failed start. */
  const replay = (entry: Readonly<Record<string, unknown>>): void => {
    const owner = entry.kind === "owner" ? readOwner(entry) : null;
    if (owner && isSolanaAddress(owner.address)) applyOwner(owner.address);
    const fund = entry.kind === "fund" ? readFund(entry) : null;
    if (fund && isSolanaAddress(fund.address)) applyFund(fund.address, BigInt(fund.amount));
    const land = entry.kind === "settle" ? readLanded(entry) : null;
    // An entry is written twice when the disk failed after the first write and the payment was retried.
    if (land && isSolanaAddress(land.payer) && !landed.has(land.message_sha256)) applyLand(land);
  };
  for (const entry of journal.entries) {
    if (entry.network === network) replay(entry);
  }

  const keyOf = (owner: string): string => findTokenAccount(owner, mint);
  const accounts = createAccountStates({ network, journal, isAddress: isSolanaAddress, keyOf });

  return {
    accounts,
    balanceOf,
    booked,
    hasLanded: (message_sha256) => landed.has(message_sha256),
    ownerOf: (account) => owners.get(account),
    fund(owner, amount) {
      if (!isSolanaAddress(owner)) throw new RangeError("address: 32 bytes in base58");
      if (owners.size >= ACCOUNTS_MAX) throw new RangeError("no more addresses are kept");
      journal.append({ kind: "fund", network, address: owner, amount: amount.toString() });
      applyFund(owner, amount);
    },
    know(owner) {
      const account = findTokenAccount(owner, mint);
      if (owners.has(account) || owners.size >= ACCOUNTS_MAX) return account;
      journal.append({ kind: "owner", network, address: owner });
      return applyOwner(owner);
    },
    land(transaction) {
      journal.append({ kind: "settle", network, ...transaction });
      applyLand(transaction);
    },
    balances: () =>
      Object.fromEntries([...balances].map(([account, held]) => [owners.get(account) ?? account, held.toString()])),
  };
}
