import { Type } from "@sinclair/typebox";
import { createReader } from "../../payments/codec.ts";
import type { Journal } from "../journal.ts";

/** `missing`: there is no account for the token, so nothing can be sent to it. `frozen`: the issuer stopped it. */
export const ACCOUNT_STATES = ["open", "missing", "frozen"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** States of a simulated chain's accounts, rebuilt from the journal at start. Accounts without an entry are open. */
export interface AccountStates {
  stateOf(key: string): AccountState;
  /** @throws RangeError for an invalid address, or when the limit of accounts is reached. */
  set(address: string, state: AccountState): void;
}

export interface AccountStatesOptions {
  readonly network: string;
  readonly journal: Journal;
  readonly isAddress: (text: string) => boolean;
  /** The chain's own id for the account of an address. */
  readonly keyOf: (address: string) => string;
}

/** The most states kept, because each stays until its account is opened again. */
const STATES_MAX = 10_000;

const readEntry = createReader(
  Type.Object({
    kind: Type.Literal("account"),
    network: Type.String(),
    address: Type.String({ maxLength: 100 }),
    state: Type.Union(ACCOUNT_STATES.map((state) => Type.Literal(state))),
  }),
);

export function createAccountStates(options: AccountStatesOptions): AccountStates {
  const { network, journal, isAddress, keyOf } = options;
  const states = new Map<string, AccountState>();
  const apply = (address: string, state: AccountState): void => {
    if (state === "open") states.delete(keyOf(address));
    else states.set(keyOf(address), state);
  };
  for (const entry of journal.entries) {
    const read = readEntry(entry);
    if (read?.network === network && isAddress(read.address)) apply(read.address, read.state);
  }
  return {
    stateOf: (key) => states.get(key) ?? "open",
    set(address, state) {
      if (!isAddress(address)) throw new RangeError("address: none of this chain");
      if (states.size >= STATES_MAX) throw new RangeError("no more accounts are kept");
      journal.append({ kind: "account", network, address, state });
      apply(address, state);
    },
  };
}
