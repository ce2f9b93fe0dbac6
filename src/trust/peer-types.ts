/** Another node's answer, or the reason why there is none. */
export type CheckedPeerAnswer = { readonly status: number; readonly headers: Headers; readonly text: string };
export type AskPeer = (url: string) => Promise<CheckedPeerAnswer | { readonly failed: string }>;

/** A signature of a wallet over a text. */
export interface WalletText {
  /** CAIP-2. */
  readonly network: string;
  readonly address: string;
  readonly text: string;
  readonly signature: string;
}

/** The outside functions that a verification needs, because it does not access networks and chains itself. */
export interface PeerParts {
  readonly ask: AskPeer;
  readonly isSignedByWallet: (signed: WalletText) => Promise<boolean>;
  /** The canonical id of a network; null for an unknown network. */
  readonly networkOf: (id: string) => string | null;
  readonly now_ms: number;
}

/** What a check found, in the words of x402's proposed extension `response-provenance`, for readers that know those. */
export type ProvenanceOutcome = "verified" | "no_claim" | "contradicted" | "unverifiable";

export type StepState = "ok" | "unproven" | "failed";

/** One check, in order. */
export interface PeerStep {
  readonly name: string;
  readonly state: StepState;
  readonly detail: string;
}

/** Collects the steps without stopping, so that the reader sees all faults at once. */
export interface PeerSteps {
  readonly list: readonly PeerStep[];
  add(name: string, state: StepState, detail: string): void;
  /** @returns ok */
  check(name: string, ok: boolean, detail: { readonly good: string; readonly bad: string }): boolean;
}

export function createSteps(): PeerSteps {
  const list: PeerStep[] = [];
  const add = (name: string, state: StepState, detail: string) => {
    list.push({ name, state, detail });
  };
  return {
    list,
    add,
    check(name, ok, { good, bad }) {
      add(name, ok ? "ok" : "failed", ok ? good : bad);
      return ok;
    },
  };
}

/** Compares addresses; only those of EVM networks ignore case. */
export const isSameAddress = (one: string, other: string): boolean =>
  one === other || (one.startsWith("0x") && one.toLowerCase() === other.toLowerCase());
