import { type Static, Type } from "@sinclair/typebox";
import { isAlgorandAddress } from "../../../core/algorand-address.ts";
import { createReader } from "../../../payments/codec.ts";
import type { Journal } from "../../journal.ts";
import { TIME_MS_MAX } from "../../time.ts";
import { type AccountStates, createAccountStates } from "../account-states.ts";

/** The most accounts, because a known account is never forgotten. */
const ACCOUNTS_MAX = 1_000_000;

const ADDRESS = Type.String({ pattern: "^[A-Z2-7]{58}$" });
const AMOUNT = Type.String({ pattern: "^(0|[1-9][0-9]{0,19})$" });
const ID = Type.String({ pattern: "^[A-Z2-7]{52}$" });

const Transfer = Type.Object({ transaction: ID, from: ADDRESS, to: ADDRESS, amount: AMOUNT });
/** One group that landed. Amounts are atomic USDC. */
const Landed = Type.Object({
  /** Every transaction of the group with its signature: canonical msgpack in base64. */
  members: Type.Array(Type.Object({ id: ID, wire: Type.String({ maxLength: 8_192 }) }), { minItems: 1, maxItems: 16 }),
  transfers: Type.Array(Transfer, { maxItems: 16 }),
  /** The round of its block. */
  round: Type.Integer({ minimum: 0 }),
  at_ms: Type.Number({ minimum: 0, maximum: TIME_MS_MAX }),
});
export type AlgorandLanded = Static<typeof Landed>;
export type Transfer = Static<typeof Transfer>;

const readLanded = createReader(Landed);
const readFund = createReader(Type.Object({ address: ADDRESS, amount: AMOUNT }));

/** Balances of one asset, and the groups that moved it, rebuilt from the journal at start. */
export interface AlgorandBank {
  /** Null for an account that has not opted in to the asset. */
  holdingOf(address: string): bigint | null;
  readonly accounts: AccountStates;
  /** The group in which a transaction landed. */
  find(id: string): AlgorandLanded | undefined;
  /**
   * Adds test money. An account never seen before starts with exactly this, opted in.
   * @throws RangeError for an invalid address, or when the limit of accounts is reached.
   */
  fund(address: string, amount: bigint): void;
  /** Moves the money of a checked group. */
  land(group: AlgorandLanded): void;
  balances(): Readonly<Record<string, string>>;
  /** In the order they landed. */
  readonly booked: readonly AlgorandLanded[];
}

export interface AlgorandBankOptions {
  readonly network: string;
  readonly journal: Journal;
  /** The balance of an account never seen before; null when it has not opted in. */
  readonly newcomer: bigint | null;
}

export function createBank({ network, journal, newcomer }: AlgorandBankOptions): AlgorandBank {
  const balances = new Map<string, bigint>();
  const landed = new Map<string, AlgorandLanded>();
  const booked: AlgorandLanded[] = [];
  const holdingOf = (address: string): bigint | null => balances.get(address) ?? newcomer;

  const applyFund = (address: string, amount: bigint) => {
    balances.set(address, (balances.get(address) ?? 0n) + amount);
  };
  const applyLand = (group: AlgorandLanded) => {
    for (const { from, to, amount } of group.transfers) {
      const [held, moved] = [holdingOf(from) ?? 0n, BigInt(amount)];
      // The caller has checked the balance. It is short only in a replay whose journal has a damaged entry.
      balances.set(from, held > moved ? held - moved : 0n);
      // A new receiver starts with nothing; only payers get test money.
      balances.set(to, (balances.get(to) ?? 0n) + moved);
    }
    for (const { id } of group.members) landed.set(id, group);
    booked.push(group);
  };
  /** Skips damaged entries: test money is not worth a failed start. */
  const replay = (entry: Readonly<Record<string, unknown>>): void => {
    const fund = entry.kind === "fund" ? readFund(entry) : null;
    if (fund && isAlgorandAddress(fund.address)) applyFund(fund.address, BigInt(fund.amount));
    const group = entry.kind === "settle" ? readLanded(entry) : null;
    // An entry is written twice when the disk failed after the first write and the payment was retried.
    if (group && !group.members.some(({ id }) => landed.has(id))) applyLand(group);
  };
  for (const entry of journal.entries) {
    if (entry.network === network) replay(entry);
  }

  const accounts = createAccountStates({ network, journal, isAddress: isAlgorandAddress, keyOf: (address) => address });

  return {
    accounts,
    holdingOf: (address) => (accounts.stateOf(address) === "missing" ? null : holdingOf(address)),
    booked,
    find: (id) => landed.get(id),
    fund(address, amount) {
      if (!isAlgorandAddress(address)) throw new RangeError("address: an Algorand address with its checksum");
      if (!balances.has(address) && balances.size >= ACCOUNTS_MAX) throw new RangeError("no more addresses are kept");
      journal.append({ kind: "fund", network, address, amount: amount.toString() });
      applyFund(address, amount);
    },
    land(group) {
      journal.append({ kind: "settle", network, ...group });
      // A transfer to oneself opts in.
      for (const { from, to } of group.transfers) {
        if (from === to && accounts.stateOf(from) === "missing") accounts.set(from, "open");
      }
      applyLand(group);
    },
    balances: () => Object.fromEntries([...balances].map(([address, held]) => [address, held.toString()])),
  };
}
