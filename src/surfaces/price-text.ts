import type { SurfaceProduct } from "./types.ts";

/** A product's price in a line of text; the lowest one where it follows from the call. */
export const priceText = ({ price_usd, priced_by }: Pick<SurfaceProduct, "price_usd" | "priced_by">): string =>
  `${priced_by === undefined ? "" : "from "}$${price_usd}`;
