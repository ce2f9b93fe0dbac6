import type { PaymentTerm, PaymentTerms } from "../../challenge-reader/payment-terms.ts";
import { type StatedTerms, termsOf } from "../../challenge-reader/read-challenge.ts";
import type { GuardedAnswer, GuardedFailure } from "../../guarded-fetch/types.ts";

/** One unpaid call and what it said. */
export interface Probe {
  readonly answer: GuardedAnswer;
  readonly terms: StatedTerms;
  readonly took_ms: number;
}

/** Whether an address answered at all. */
export const isProbe = (one: Probe | GuardedFailure): one is Probe => "answer" in one;

/** A document of the seller as it came; null: no answer at all. */
export interface SellerDocument {
  readonly status: number;
  readonly text: string;
  /** Undefined when the text is no JSON. */
  readonly value: unknown;
}

/** Whether a payee is in a sanctions list of this node, or in the oracle on its chain. */
export interface PayToScreen {
  readonly address: string;
  readonly lists: "hit" | "clear" | "unknown";
  readonly oracle: "hit" | "clear" | "unknown" | "not_applicable";
}

/** What a payee was paid before, as far as a rule looks at it. */
interface PayToPast {
  readonly network: string;
  /** Null where no explorer tells. */
  readonly payments: number | null;
  readonly is_capped: boolean;
}

/** What a public register says of the resource, as far as a rule looks at it. */
interface RegisterRow {
  readonly register: string;
  /** Null where it does not list the resource among what was read. */
  readonly listing: { readonly network: string; readonly price_atomic: number } | null;
  /** Whether everything it lists was read. */
  readonly is_whole: boolean;
}

/** Everything that was read of a stranger's resource, without paying. */
export interface SellerReadings {
  readonly read_at_ms: number;
  readonly url: string;
  /** A seller whose certificate is refused is judged; one that cannot be reached is not. */
  readonly first: Probe | GuardedFailure;
  readonly second: Probe | null;
  /** Status of each later call of the window; null where none came. */
  readonly window: readonly (number | null)[];
  /** `/.well-known/x402.json`. */
  readonly manifest: SellerDocument | null;
  /** `/openapi.json`. */
  readonly openapi: SellerDocument | null;
  /** The resource with `preview=1`. */
  readonly preview: SellerDocument | null;
  readonly screens: readonly PayToScreen[];
  readonly history: readonly PayToPast[];
  /** Null for a register that gave no answer. */
  readonly registers: readonly (RegisterRow | null)[];
  /** What the EVM assets' contracts call themselves, by `domainKey`; null where it could not be read. */
  readonly domains: Readonly<Record<string, { readonly name: string | null; readonly version: string | null } | null>>;
}

/** What was read of a seller who answered. */
export interface SellerFacts extends SellerReadings {
  readonly probe: Probe;
  /** The terms that count: the header's where there is one. */
  readonly terms: PaymentTerms | null;
}

/** Null for a seller who could not be asked. */
export const factsOf = (read: SellerReadings): SellerFacts | null =>
  isProbe(read.first) ? { ...read, probe: read.first, terms: termsOf(read.first.terms) } : null;

/** By what `domains` is asked for the asset of a way to pay. */
export const domainKey = ({ network, asset }: Pick<PaymentTerm, "network" | "asset">): string =>
  `${network} ${asset.toLowerCase()}`;
