/** What another node answered, or why it did not. */
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

/** What verifying needs from outside: it does no work of its own on networks and chains. */
export interface PeerParts {
  readonly ask: AskPeer;
  readonly isSignedByWallet: (signed: WalletText) => Promise<boolean>;
  /** The one spelling of a network's id; null for a network we do not know. */
  readonly networkOf: (id: string) => string | null;
  readonly now_ms: number;
}

/** What a check found, in the words of x402's proposed extension `response-provenance`, for readers that know those. */
export type ProvenanceOutcome = "verified" | "no_claim" | "contradicted" | "unverifiable";

export type StepState = "ok" | "unproven" | "failed";

/** One thing that was checked, in the order of its checking. */
export interface PeerStep {
  readonly name: string;
  readonly state: StepState;
  readonly detail: string;
}

/** Collects the steps, and stops nothing: the reader sees everything that is wrong at once. */
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

/** EVM addresses are the same in any case; the others are not. */
export const isSameAddress = (one: string, other: string): boolean =>
  one === other || (one.startsWith("0x") && one.toLowerCase() === other.toLowerCase());
