import type { CatalogProduct } from "./catalog.ts";
import type { Payer } from "./context.ts";
import type { ParsedParams } from "./params.ts";

/**
 * A request as this payer's own, where the product's answer depends on who pays. The payer then is part of the key, so
 * that no cache and no stored answer ever shows one buyer what was made for another.
 */
export function withPayer(product: CatalogProduct, request: ParsedParams, payer: Payer): ParsedParams {
  if (product.definition.uses_payer !== true) return request;
  // A key is one line of JSON, so that nothing a buyer sends can look like this.
  return { ...request, payer, key: `${request.key}\n${payer.network} ${payer.address}` };
}
