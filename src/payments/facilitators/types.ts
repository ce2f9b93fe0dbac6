import type { Requirement } from "../types.ts";

/** What a facilitator says it can settle, read from its /supported. */
export interface SupportedKind {
  readonly scheme: string;
  /** CAIP-2 (version 1 kinds are dropped: one internal form is enough). */
  readonly network: string;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Everything a facilitator says of itself. */
export interface Supported {
  readonly kinds: readonly SupportedKind[];
  /** Networks it lists for version 1, as it spells them: this node asks in version 2. Left out for none. */
  readonly old_networks?: readonly string[];
  /** Its accounts by CAIP-2 pattern, such as "solana:*". */
  readonly signers: Readonly<Record<string, readonly string[]>>;
  /** Networks it would settle but cannot now, such as with an empty gas account. */
  readonly withheld?: readonly NetworkNote[];
  /** What the operator should see to though it still settles. */
  readonly warnings?: readonly NetworkNote[];
}

export interface NetworkNote {
  readonly network: string;
  readonly why: string;
}

export type VerifyOutcome =
  /** `extra` is what it says besides, unread: of a channel its state on the chain. */
  | { readonly kind: "valid"; readonly extra?: unknown }
  /** `detail` is the facilitator's own text, for the log only. */
  | { readonly kind: "invalid"; readonly reason: string; readonly detail?: string }
  /**
   * No usable word from the facilitator; another one may be asked. `answered` says that it did answer: then the payment
   * may have tripped it, and nothing is known of its health.
   */
  | { readonly kind: "unavailable"; readonly cause: string; readonly answered?: true };

export type SettleOutcome =
  /** `amount` and `extra` as it says them, unread: the other schemes have their own words there. */
  | { readonly kind: "settled"; readonly transaction: string; readonly amount?: string; readonly extra?: unknown }
  | { readonly kind: "refused"; readonly reason: string; readonly transaction: string; readonly detail?: string }
  /** The request certainly never arrived (connection refused, name not found): another facilitator may settle. */
  | { readonly kind: "unseen"; readonly cause: string }
  /** Money may have moved. Never a refusal, never asked of a second facilitator. */
  | { readonly kind: "unknown"; readonly cause: string; readonly transaction?: string; readonly detail?: string };

export interface PaymentToSettle {
  readonly payload: Readonly<Record<string, unknown>>;
  /** What is to be taken. */
  readonly requirement: Requirement;
  /** What the buyer accepted, where less is taken. */
  readonly signed_for?: Requirement | undefined;
  /** The account the payment names to send it: only its owner can settle. Null where it names none. */
  readonly fee_payer: string | null;
  /** Of a channel whose claims and refunds a facilitator signs: only the one with this address can. */
  readonly authorizer?: string | undefined;
  /** The paying wallet, in canonical form. */
  readonly payer?: string;
  /** Whether this node checked the payer's own signature: such a payment has no way to trip a facilitator. */
  readonly checked?: boolean;
  /** Goes into the v2 payload: facilitators that list sellers read it. */
  readonly resource?: Readonly<Record<string, unknown>>;
  /** Likewise: how the product is called. Ours, whether or not the buyer echoed them. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** One facilitator. Never throws from verify and settle: every failure is an outcome. */
export interface Facilitator {
  readonly id: string;
  readonly kind: "remote" | "embedded" | "sandbox";
  readonly url: string;
  /** @throws Error when it cannot be reached or answers nonsense. */
  getSupported(): Promise<Supported>;
  verify(payment: PaymentToSettle): Promise<VerifyOutcome>;
  settle(payment: PaymentToSettle): Promise<SettleOutcome>;
  /** Channels that one claim may have; few unless it says. */
  readonly claims_max?: number | undefined;
  /** How often its getSupported is worth a look; the pool has a default. */
  readonly refresh_ms?: number;
  /** Told when what it supports may have changed. */
  readonly onChange?: (listener: () => void) => void;
}
