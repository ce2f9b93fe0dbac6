import type { Asks } from "./context.ts";
import type { AnyProduct } from "./product.ts";
import type { ProviderDefinition } from "./provider.ts";

const pathsOf = (asks: Asks | undefined): readonly string[] => Object.keys(asks ?? {});

/** What products ask of each other, by path. */
export interface AskedProducts {
  /** A path of dependencies from a product back to itself: "/a", "/b", "/a"; null when it has no circle. */
  findCircle(path: string): readonly string[] | null;
  /**
   * What is wrong with whom it asks: one that depends on who pays, while the asker does not, so that all would get one
   * answer; one whose answers have no envelope.
   */
  listAskFaults(product: AnyProduct): readonly string[];
  /** Upstreams of a product and of all it asks for, once each. */
  listProviders(product: AnyProduct): readonly ProviderDefinition[];
}

export function createAskedProducts(products: readonly AnyProduct[]): AskedProducts {
  const by_path = new Map(products.map((product) => [product.path, product]));

  /** Depth first; `seen` keeps a net of many ways from being walked more than once. */
  const walk = (start: string, way: readonly string[], seen: Set<string>): readonly string[] | null => {
    for (const next of pathsOf(by_path.get(way.at(-1) as AnyProduct["path"])?.asks)) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(start, [...way, next], seen);
      if (found) return found;
    }
    return null;
  };

  const collect = (product: AnyProduct, seen: Set<AnyProduct>, found: Map<string, ProviderDefinition>): void => {
    if (seen.has(product)) return;
    seen.add(product);
    for (const provider of product.providers) found.set(provider.id, provider);
    for (const path of pathsOf(product.asks)) {
      const asked = by_path.get(path as AnyProduct["path"]);
      if (asked) collect(asked, seen, found);
    }
  };

  return {
    listAskFaults: (product) =>
      pathsOf(product.asks).flatMap((path) => {
        const { uses_payer = false, form, is_bundle, plan } = by_path.get(path as AnyProduct["path"]) ?? {};
        return [
          ...(uses_payer && product.uses_payer !== true
            ? [`asks for ${path}, which uses the payer: set uses_payer, too`]
            : []),
          ...(product.is_bundle && (is_bundle || plan)
            ? [`bundles ${path}, which is ${plan ? "a plan" : "a bundle"}`]
            : []),
          ...(form === undefined ? [] : [`asks for ${path}, whose answers have their own form`]),
        ];
      }),
    findCircle: (path) => walk(path, [path], new Set()),
    listProviders(product) {
      const found = new Map<string, ProviderDefinition>();
      collect(product, new Set(), found);
      return [...found.values()];
    },
  };
}
