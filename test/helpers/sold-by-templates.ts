import { describe, expect, test } from "bun:test";
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { ProductDefinition } from "../../src/catalog/product.ts";
import { NodeError } from "../../src/core/errors.ts";
import { createProductRig } from "./product-rig.ts";

/** A written product that needs no job's data: sold without a model, and not sold when nobody answers. */
export function testSoldByTemplates<P extends TObject, D extends TSchema, I>(
  product: ProductDefinition<P, D, I>,
  { now_ms }: { readonly now_ms: number },
): void {
  const { createNode, run } = createProductRig(product, { now_ms });
  describe(`GET ${product.path}`, () => {
    test("a node whose jobs never ran sells it, written by templates, with its sources", async () => {
      const { data, sources } = await run(createNode());
      expect(data as Static<TSchema>).toMatchObject({ written_by: "template", writer: { model: null } });
      expect((data as { blocks: unknown[] }).blocks.length).toBeGreaterThan(0);
      expect(sources.length).toBeGreaterThan(0);
    });

    test("when nobody answers, nothing is sold", async () => {
      const node = createNode();
      node.upstreams.setFault("*", "http500");
      await expect(run(node)).rejects.toThrow(NodeError);
    });
  });
}
