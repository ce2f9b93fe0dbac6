import type { Priority } from "../core/priority.ts";

/** Something prepaid: a balance, a pass, or a pass with extras. Bought once, used through X-API-Key. */
export interface Plan {
  /** Name in `[plans.<name>]` and in the ledger. */
  readonly name: string;
  readonly path: `/${string}`;
  readonly title: string;
  readonly description: string;
  /** Decimal USD. */
  readonly price_usd: string;
  /** Balance it grants, decimal USD; null for a pass. */
  readonly credit_usd: string | null;
  /** How long the balance or the pass lasts; null is for ever. */
  readonly duration: string | null;
  readonly pass: boolean;
  readonly priority: Priority;
  readonly badge: boolean;
}
