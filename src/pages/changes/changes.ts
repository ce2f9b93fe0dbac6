/** The catalog at one moment, as far as buyers notice. */
export interface CatalogState {
  /** Products by id. */
  readonly products: Readonly<Record<string, ProductState>>;
  /** Digests of formulas and models, by name. */
  readonly methods: Readonly<Record<string, string>>;
}

export interface ProductState {
  readonly title: string;
  readonly price_usd: string;
  /** Digest of parameters and fields. */
  readonly contract: string;
}

/** One change. */
export type CatalogChange =
  | { readonly kind: "recorded"; readonly products: number }
  | { readonly kind: "added"; readonly product: string; readonly title: string; readonly price_usd: string }
  | { readonly kind: "removed"; readonly product: string; readonly title: string }
  | { readonly kind: "price"; readonly product: string; readonly from_usd: string; readonly to_usd: string }
  | { readonly kind: "contract"; readonly product: string }
  | { readonly kind: "method"; readonly method: string; readonly from: string | null; readonly to: string | null };

/** The changes noticed at one moment. */
export interface NotedChanges {
  readonly at_ms: number;
  readonly changes: readonly CatalogChange[];
}

/** One stored row. It has the whole state, so that the newest row is enough to find the next change. */
export interface CatalogRecord {
  readonly changes: readonly CatalogChange[];
  readonly state: CatalogState;
}

/** The changes between two moments, by name; without an earlier record, only the beginning. */
export function compareCatalogs(before: CatalogState | null, after: CatalogState): readonly CatalogChange[] {
  if (before === null) return [{ kind: "recorded", products: Object.keys(after.products).length }];
  const ids = [...new Set([...Object.keys(before.products), ...Object.keys(after.products)])].sort();
  const names = [...new Set([...Object.keys(before.methods), ...Object.keys(after.methods)])].sort();
  return [
    ...ids.flatMap((id) => compareProduct(id, before.products[id], after.products[id])),
    ...names.flatMap((method): CatalogChange[] => {
      const [from = null, to = null] = [before.methods[method], after.methods[method]];
      // The method of a product is new together with the product, or was just not recorded before.
      const is_no_change = from === to || (from === null && Object.hasOwn(after.products, method));
      return is_no_change ? [] : [{ kind: "method", method, from, to }];
    }),
  ];
}

function compareProduct(
  product: string,
  before: ProductState | undefined,
  after: ProductState | undefined,
): readonly CatalogChange[] {
  if (!after) return before ? [{ kind: "removed", product, title: before.title }] : [];
  const { title, price_usd, contract } = after;
  if (!before) return [{ kind: "added", product, title, price_usd }];
  const priced: CatalogChange = { kind: "price", product, from_usd: before.price_usd, to_usd: price_usd };
  return [
    ...(before.price_usd === price_usd ? [] : [priced]),
    ...(before.contract === contract ? [] : [{ kind: "contract", product } as const]),
  ];
}
