import type { CatalogProduct } from "../../catalog/catalog.ts";
import { forwardExtensions } from "../extensions/registry.ts";
import type { PaymentToSettle } from "../facilitators/types.ts";
import { createResource } from "../requirements.ts";
import type { GateOptions } from "./types.ts";

type Description = Required<Pick<PaymentToSettle, "resource" | "extensions">>;

/** A product as described to facilitators beside its payments: made once, so that its text is written once. */
export function createDescriptions({
  public_url,
  service_name,
}: Pick<GateOptions, "public_url" | "service_name">): (product: CatalogProduct) => Description {
  const made = new WeakMap<CatalogProduct, Description>();
  return (product) => {
    const known = made.get(product);
    if (known) return known;
    const resource = createResource(product, public_url, service_name);
    const description = { resource, extensions: forwardExtensions(product) };
    made.set(product, description);
    return description;
  };
}
