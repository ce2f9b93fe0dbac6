import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { EarlierPrices } from "./earlier-prices.ts";

/**
 * The product at the price a payment was signed over, where that was its price until a short while ago.
 * @param readAmount tells the amount, whatever the payment came in; null where it cannot be read. Asked only while a
 * price has changed so recently.
 */
export function atQuotedPrice(
  earlier: EarlierPrices | undefined,
  product: CatalogProduct,
  readAmount: () => string | null,
): CatalogProduct {
  if (!earlier?.has_any) return product;
  const amount = readAmount();
  return (amount !== null && earlier.find(product, amount)) || product;
}
