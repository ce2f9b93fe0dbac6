import type { Served } from "../calls/access.ts";
import type { CallWatch } from "../calls/call-watch.ts";
import type { EntryDoor } from "../calls/door.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import type { Challenge } from "../payments/challenge.ts";
import type { PaymentRefusal } from "../payments/refusal.ts";

/** One call of a product, whichever door it came through. */
export interface SaleRequest {
  readonly product: CatalogProduct;
  /** What the call means over HTTP: part of what a payment pays for, so the same on every door. */
  readonly method: string;
  readonly params: ParsedParams;
  /** Free, delayed data is wanted. */
  readonly preview: boolean;
  /** Headers that pay, as over HTTP: another door puts what its buyer sent into the same ones. */
  readonly headers: Headers;
  /** What it came in by; left out by tests and tools. */
  readonly door?: EntryDoor | undefined;
  /** Known to be without any header that pays: they are not looked at again. */
  readonly is_unpaid?: boolean | undefined;
  /** Of the body, as RFC 9530 writes it; left out without a body. */
  readonly digest?: string | undefined;
  readonly request_id: string;
  /** The address the call came from. */
  readonly client: string;
  /** Fires when the buyer hangs up. */
  readonly gone: AbortSignal;
  /** Of a door that shows how far a call is. */
  readonly watch?: CallWatch | undefined;
}

/** What came of a call. Every other failure is thrown as a NodeError, and nothing was charged. */
export type SaleOutcome =
  | { readonly kind: "answer"; readonly served: Served; readonly duration_ms: number }
  | { readonly kind: "preview"; readonly body: string }
  /** Nothing was brought to pay with. */
  | { readonly kind: "challenge"; readonly challenge: Challenge; readonly bound: string }
  | {
      readonly kind: "refused";
      readonly challenge: Challenge;
      readonly refusal: PaymentRefusal;
      /** What a challenge that goes with it is given out for. */
      readonly bound: string;
    };
