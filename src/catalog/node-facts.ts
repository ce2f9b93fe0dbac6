import type { GuardedRequest, GuardedResult } from "../guarded-fetch/types.ts";
import type { PayeeAddress, PayeeProof } from "../records/payee-proof.ts";
import type { ModelFacts } from "./model.ts";
import type { ProductMethod, ProductPath } from "./product-path.ts";

/** A product as this node sells it. */
export interface SoldProduct {
  readonly path: ProductPath;
  readonly methods: readonly ProductMethod[];
  readonly title: string;
  readonly category: string;
  readonly tags: readonly string[];
  /** Decimal USD. */
  readonly price_usd: string;
  /** In the smallest unit of USDC. */
  readonly price_atomic: bigint;
  /** Prices by the value of a parameter, as "depth=deep" to decimal USD. */
  readonly tiers: Readonly<Record<string, string>>;
  /** Whether it sells a key or a pass instead of data. */
  readonly is_plan: boolean;
}

/** How many payments, and how much in the smallest unit of USDC. */
export interface PaymentTotal {
  readonly count: number;
  readonly amount_atomic: bigint;
}

/** What one payer has paid this node, according to its public receipts. */
export interface PayerFacts extends PaymentTotal {
  /** Null when it never paid. */
  readonly first_settled_at_ms: number | null;
  readonly last_settled_at_ms: number | null;
  /** Different products it bought. */
  readonly products: number;
  /** It paid more often than is counted here. */
  readonly is_capped: boolean;
}

/** A node the operator named, and what its own signed documents proved of it. */
export interface PeerIdentity {
  readonly origin: string;
  /** As the command `verify` says it; null while it was not checked yet. */
  readonly verdict: "verified" | "partial" | "refused" | null;
  /** Null when it is not proven. */
  readonly node_id: string | null;
  readonly checked_at_ms: number | null;
}

/**
 * What the node knows of itself, for products and jobs that declare `uses_node`, and for free routes. All of it is
 * public on one of its pages; nothing here tells who asked for what.
 */
export interface NodeFacts {
  readonly node_id: string;
  readonly public_key: string;
  readonly brand: string;
  readonly name: string;
  readonly version: string;
  /** Where agents reach it; null before it listens. */
  readonly public_url: string | null;
  readonly started_at_ms: number;
  /**
   * Requests a path at the node's own public address, without paying, as a stranger would: through DNS, TLS and any
   * proxy in front of it. Never throws; fails if the node has no public address, or cannot reach it from here.
   */
  askSelf(path: `/${string}`, signal?: AbortSignal): Promise<GuardedResult>;
  /** What is sold, by path. */
  listProducts(): readonly SoldProduct[];
  /** Nodes the operator named as peers, checked at most once an hour, behind the answers. */
  listPeers(): readonly PeerIdentity[];
  /**
   * Whether an address that a seller wants to be paid at is his, from his own signed documents, as the command `verify`
   * checks them; three requests. Never throws for what the seller answers.
   * @param origin without a slash at its end.
   * @param ask the run's `askStranger`.
   */
  provePayee(
    origin: string,
    payee: PayeeAddress,
    ask: (request: GuardedRequest) => Promise<GuardedResult>,
  ): Promise<PayeeProof>;
  /** Models the operator configured, in his order. */
  listModels(): readonly ModelFacts[];
  /** Of all public receipts; the operator's own payments apart. */
  readReceiptTotals(): Promise<{ readonly organic: PaymentTotal; readonly operator_test: PaymentTotal }>;
  /** Null when nothing was sold yet. */
  readLastSettledAt(): Promise<number | null>;
  /** What an address paid this node; hexadecimal ones in any case. */
  readPayer(address: string): Promise<PayerFacts>;
}
