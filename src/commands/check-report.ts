import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import type { UnusedProvider } from "../catalog/unused-providers.ts";
import type { SellerWord } from "../payments/seller/ask-seller.ts";
import type { QuotaStatus } from "../upstream/quotas.ts";
import type { CheckedModel } from "./check-models.ts";
import type { CheckFinding } from "./online/finding.ts";

/** A product that would be sold. */
export interface CheckedProduct extends Pick<CatalogProduct, "path" | "price_usd" | "file"> {
  /** Other prices by value of a parameter, keyed "name=value". */
  readonly tiers: Readonly<Record<string, string>>;
}

/** Whether the address on a network can receive payments. */
export interface Receives {
  readonly network: string;
  readonly can_be_paid: SellerWord["kind"];
  readonly why?: string;
}

/** All results of `intel-node check`; `--json` prints them unchanged. */
export interface CheckReport extends Pick<Catalog, "withheld" | "withheld_values" | "faults"> {
  /** Only with `--online`. */
  readonly online?: readonly CheckFinding[];
  readonly products: readonly CheckedProduct[];
  readonly unused_providers: readonly UnusedProvider[];
  readonly quotas: readonly QuotaStatus[];
  readonly models: readonly CheckedModel[];
  readonly notes: readonly string[];
  readonly networks: readonly { readonly network: string; readonly pay_to: string }[];
  readonly receives: readonly Receives[];
  readonly facilitators: readonly { readonly kind: string; readonly url: string | null }[];
}
