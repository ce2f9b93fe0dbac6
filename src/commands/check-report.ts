import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import type { UnusedProvider } from "../catalog/unused-providers.ts";
import type { SellerWord } from "../payments/seller/ask-seller.ts";
import type { QuotaStatus } from "../upstream/quotas.ts";
import type { CheckedModel } from "./check-models.ts";
import type { CheckFinding } from "./online/finding.ts";

/** A product that would be sold. */
export interface CheckedProduct extends Pick<CatalogProduct, "path" | "price_usd" | "file"> {
  /** Other prices by the value of one parameter, as "name=value". */
  readonly tiers: Readonly<Record<string, string>>;
}

/** Whether the address of a network can be paid at all. */
export interface Receives {
  readonly network: string;
  readonly can_be_paid: SellerWord["kind"];
  readonly why?: string;
}

/** Everything `intel-node check` found; `--json` prints it as it is. */
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
