import { productSearchOf } from "../../surfaces/product-search.ts";
import type { SurfaceModel } from "../../surfaces/types.ts";

/** What the tool `search_products` answers with: tools by words, best first. */
export function createToolSearch(model: SurfaceModel): (query: string, limit: number) => unknown[] {
  return (query, limit) =>
    productSearchOf(model)
      .find(query, limit)
      .map((product) => ({
        tool: product.skill_id,
        title: product.title,
        description: product.description,
        path: product.path,
        price_usd: product.price_usd,
        category: product.category,
        tags: product.tags,
        parameters: Object.keys(product.params.properties),
      }));
}
