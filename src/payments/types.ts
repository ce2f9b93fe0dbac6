import type { Network } from "./networks/table.ts";

/** One `accepts[]` entry, in x402 v2 form. */
export interface Requirement {
  readonly scheme: "exact" | "batch-settlement" | "upto";
  readonly network: string;
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** On what terms channels of a network are opened. */
export interface ChannelOffer {
  /** Who signs claims and refunds: this node, or the facilitator. */
  readonly receiver_authorizer: string;
  readonly withdraw_delay_s: number;
  /** Ids of the live facilitators that take channels on these terms, in the operator's order. */
  readonly facilitators: readonly string[];
}

/** Who takes less than what was signed. */
export interface UptoOffer {
  /** The account that the payer names in what he signs: it alone can settle. */
  readonly facilitator_address: string;
  /** All accounts of live facilitators that may be named. */
  readonly addresses: readonly string[];
}

/** A network we offer right now: we have an address on it and a live facilitator settles it. */
export interface Offer {
  readonly network: Network;
  readonly pay_to: string;
  /** From the facilitator's /supported and the network table. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** The network's id as the first of its facilitators spells it: what buyers are shown. Left out when it is ours. */
  readonly advertised_id?: string;
  /** Ids of the live facilitators that take it, in the operator's order. */
  readonly facilitators: readonly string[];
  /** Accounts of these facilitators that may pay a payment's network fee; empty where fees are no part of it (EVM). */
  readonly fee_payers: readonly string[];
  /** Left out where no channels are offered. */
  readonly channel?: ChannelOffer;
  /** Left out where nobody takes less than what was signed. */
  readonly upto?: UptoOffer;
}

/** A challenge of MPP as its buyer sends it back. Nothing of it is to be believed before its id was checked. */
export interface EchoedChallenge {
  readonly id: string;
  readonly realm: string;
  readonly method: string;
  readonly intent: string;
  /** Base64url of canonical JSON, as in the header. */
  readonly request: string;
  readonly expires?: string | undefined;
  readonly digest?: string | undefined;
  readonly opaque?: string | undefined;
  /** The header field it asked to be answered in, when that is not Authorization. */
  readonly header?: string | undefined;
}

/** What a payment came by: x402 in its two versions, or the Payment scheme of HTTP authentication (MPP). */
export type Protocol = 1 | 2 | "mpp";

/** A payment as it arrived, whatever version and header carried it. */
export interface IncomingPayment {
  readonly protocol: Protocol;
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
  /** What the buyer says he accepted (v2 only). Unsigned, so only compared, never trusted. */
  readonly accepted: Readonly<Record<string, unknown>> | null;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The buyer's own name for the payment (extension payment-identifier), or null. */
  readonly identifier: string | null;
  /** What it answers, where it came by MPP. */
  readonly challenge?: EchoedChallenge;
}

/** What identifies a payment: all of it comes from the signed content. */
export interface SignedPayment {
  readonly replay_key: string;
  readonly payload_hash: string;
  /** The signed payload alone, canonical JSON. */
  readonly payload_json: string;
  /** In the canonical form of its network. */
  readonly payer: string;
  /**
   * The account it names to send it and pay the network fee: only the facilitator that owns it can settle. Null for an
   * EIP-3009 authorization, which anybody can send.
   */
  readonly fee_payer: string | null;
  readonly valid_until_ms: number;
}

/**
 * What the chain says of a payment whose settlement is not known. A reason that begins with "used" means that the chain
 * has seen it, though what came of it is not known.
 */
export type ChainVerdict =
  | { readonly paid: true; readonly transaction: string }
  | { readonly paid: false; readonly final: boolean; readonly reason: string };

/** Of a payment by which another amount came to us than the one that was asked for. */
export const OTHER_AMOUNT = "used_for_another_amount";

/** What the operator set for a chain's endpoints, besides their addresses. Used by Algorand only. */
export interface ChainAccess {
  /** Indexers: where transactions are looked up that are too old for the nodes. */
  readonly indexer_urls?: readonly string[];
  /** Sent with every call, such as a token. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Which transfers to an address of ours a chain is asked for. */
export interface IncomingQuestion extends ChainAccess {
  readonly network: Network;
  readonly pay_to: string;
  /** Time of the chain, ms; the end is not part of it. */
  readonly from_ms: number;
  readonly until_ms: number;
  readonly rpc_urls: readonly string[];
  /** Transactions the books have: a chain that lists no amounts is not asked for theirs. */
  readonly isKnown: (transaction: string) => boolean;
}

/** Atomic units of the network's asset that came in by one transfer. */
export interface IncomingTransfer {
  readonly transaction: string;
  /** Whose they were; null where the chain does not say. */
  readonly from: string | null;
  /** Null for a transaction that was not opened: it is known, or too many are not. */
  readonly amount: bigint | null;
  /** Time of the block, ms. */
  readonly at_ms: number;
}

/** A refusal by a facilitator, in its own words. */
export interface SellerRefusal {
  readonly reason: string;
  readonly detail?: string;
  readonly requirement: Requirement;
}

/** How wallets of a family sign a text that names them and what they want ("Sign-In with X", CAIP-122). */
export interface TextSigning {
  /** As the extension names it. */
  readonly type: "eip191" | "ed25519";
  /** What the text calls an account of the family. */
  readonly account: string;
  /** The network as the text names it. */
  readonly chainOf: (network: Network) => string;
  /** Whether a text can be a signature, by its form. */
  readonly isSignature: (signature: string) => boolean;
  /** Whether the address signed the text: "ask" where a contract may have, which only its chain can tell. */
  readonly check: (signed: AddressSignedText) => Promise<"yes" | "no" | "ask">;
  /** Asks the chain. Null when it cannot tell either; throws when no endpoint answers. Left out without contracts. */
  readonly ask?: (signed: AddressSignedText & { readonly rpc_urls: readonly string[] }) => Promise<boolean | null>;
}

export interface AddressSignedText {
  readonly address: string;
  readonly text: string;
  readonly signature: string;
}

/** What one chain family knows. Adding a network family is one folder that implements this. */
export interface NetworkFamily {
  /** Loads what the first payment would otherwise wait for. */
  readonly warmUp: () => Promise<void>;
  /** Whether a text is an address of this family, checksum included. */
  readonly isAddress: (text: string) => boolean;
  /** The one form in which two spellings of an address are equal. */
  readonly canonicalAddress: (address: string) => string;
  /** Our `extra` for a requirement, from the facilitator's own. */
  readonly requirementExtra: (
    network: Network,
    supported: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>;
  /**
   * Names the payment by its signed content, whatever it pays for. `now_ms` is for payments that carry no end of their
   * own: `valid_until_ms` is then the latest time a payment that arrives now can still be settled.
   * @throws PaymentRefusal when the payload is not of the one kind that is offered.
   */
  readonly identify: (options: {
    network: Network;
    payload: Readonly<Record<string, unknown>>;
    now_ms: number;
  }) => SignedPayment;
  /**
   * Checks the signed fields against our own requirement, without any I/O or cryptography.
   * @throws PaymentRefusal
   */
  readonly check: (options: {
    requirement: Requirement;
    payload: Readonly<Record<string, unknown>>;
    now_ms: number;
    /** As in the offer: a payment that names a fee payer must name one of these. */
    fee_payers: readonly string[];
  }) => void;
  /** Whether a payment is signed, by its form, with the payer's own key: what it says can then be checked here. */
  readonly isKeySigned: (payload: Readonly<Record<string, unknown>>) => boolean;
  /**
   * The payload of a payer whose key is known to have signed it, in the one spelling that every facilitator and
   * contract takes. Left out where there is one spelling.
   */
  readonly renderKeySigned?: (payload: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Whether the payer's own signature is good: "no" never reaches a facilitator, "ask" leaves it to `verify`. */
  readonly checkSignature: (options: {
    network: Network;
    payload: Readonly<Record<string, unknown>>;
  }) => Promise<"yes" | "no" | "ask">;
  /**
   * Whether the payer signed, where only the chain can tell: asked of the operator's own endpoints, never of a
   * facilitator. Null when the chain cannot tell either. Throws when no endpoint answers. Left out where nothing of
   * that kind is there.
   */
  readonly askSignature?: (options: {
    network: Network;
    payload: Readonly<Record<string, unknown>>;
    rpc_urls: readonly string[];
  }) => Promise<boolean | null>;
  /** How a wallet signs in; left out where x402 has no way for it. */
  readonly text_signing?: TextSigning;
  /**
   * The signed fields by the names of a requirement, so that a refused buyer sees what he signed: `amount`, `payTo`,
   * `validAfter`, `validBefore`. Left out where the payload shows them to anybody.
   */
  readonly describe?: (payload: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
  /** Why a facilitator's kind is of no use to buyers' clients, or null. Left out where nothing has to be in it. */
  readonly whyUnusable?: (extra: Readonly<Record<string, unknown>>) => string | null;
  /**
   * Whether our address can receive the asset: null, or why not and what to do about it. Throws when no endpoint that
   * reads this very network answers, which proves nothing. Left out where any address can receive.
   */
  readonly checkSeller?: (
    options: ChainAccess & {
      readonly network: Network;
      readonly pay_to: string;
      readonly rpc_urls: readonly string[];
    },
  ) => Promise<string | null>;
  /**
   * Whether a facilitator's refusal means that our address cannot receive: "maybe" where the buyer's own account may be
   * the reason as well. Left out where it never means that.
   */
  readonly blamesSeller?: (refusal: SellerRefusal) => "yes" | "maybe" | "no";
  /**
   * Asks the chain whether a payment was taken: by its own marks (nonce, signature, transaction id), helped by what a
   * facilitator named as `hint_transaction`, which is never trusted. Throws when no endpoint answers.
   */
  readonly askChain: (
    options: ChainAccess & {
      network: Network;
      payload: Readonly<Record<string, unknown>>;
      amount: bigint;
      pay_to: string;
      since_ms: number;
      hint_transaction?: string | undefined;
      rpc_urls: readonly string[];
    },
  ) => Promise<ChainVerdict>;
  /**
   * Every transfer of the network's asset to an address in a period.
   * @throws Error when no endpoint answers, none can look so far back, or there are too many to list.
   */
  readonly listIncoming: (question: IncomingQuestion) => Promise<readonly IncomingTransfer[]>;
}
