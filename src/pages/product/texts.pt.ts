/** A product's title and description in one language. */
export interface ProductTexts {
  readonly title: string;
  readonly description: string;
}

/** Titles and descriptions of the products with Portuguese names, by path. */
export const PRODUCTS_IN_PORTUGUESE: Readonly<Record<string, ProductTexts>> = {};
