import { afterEach, expect } from "bun:test";
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Computed, settleComputed } from "../../src/catalog/computed.ts";
import type { Source } from "../../src/catalog/context.ts";
import { createParamsParser } from "../../src/catalog/params.ts";
import type { ProductDefinition } from "../../src/catalog/product.ts";
import { createRounder } from "../../src/catalog/round-data.ts";
import { createSimulatedNode, type SimulatedNode, type SimulatedNodeOptions } from "./simulated-node.ts";

/** What a product made, what it was made of, and who was asked for it. */
export interface RigRun<D, I> extends Computed<D> {
  readonly inputs: I;
  readonly sources: readonly Source[];
}

export interface ProductRig<D, I> {
  /** A node of its own, closed after the test. */
  createNode(options?: Partial<SimulatedNodeOptions>): SimulatedNode;
  /**
   * Makes the product once, without a runner. A text is a query without its "?"; all else is a body's JSON value. The
   * data must match its schema. Throws what the product and its parameters throw.
   */
  run(node: SimulatedNode, asked?: unknown): Promise<RigRun<D, I>>;
}

/** What a product makes of inputs, rounded, with null and a warning for each missing figure; not checked. */
export function computeSettled<P extends TObject, D extends TSchema, I>(
  product: ProductDefinition<P, D, I>,
  inputs: I,
  at: { readonly params: Static<P>; readonly now_ms: number },
): Computed<Static<D>> {
  const settled = settleComputed(product.compute(inputs, at));
  return { ...settled, data: (createRounder(product.data)?.(settled.data) ?? settled.data) as Static<D> };
}

/** A test file's simulated nodes and the one product it runs on them; `defaults` are every node's. */
export function createProductRig<P extends TObject, D extends TSchema, I>(
  product: ProductDefinition<P, D, I>,
  defaults: SimulatedNodeOptions,
): ProductRig<Static<D>, I> {
  const nodes: SimulatedNode[] = [];
  afterEach(() => {
    // A node on the stores of an earlier one goes first.
    for (const node of nodes.splice(0).reverse()) node.close();
  });
  const parser = createParamsParser(product.params, product.normalise);
  return {
    createNode(options = {}) {
      const node = createSimulatedNode({ ...defaults, ...options });
      nodes.push(node);
      return node;
    },
    async run(node, asked = "") {
      const { params } = typeof asked === "string" ? parser.fromQuery(asked) : parser.fromBody(asked);
      if (!Value.Check(product.params, params)) throw new Error("a parameter is missing");
      const context = node.createContext();
      const inputs = await product.fetch(context, params);
      const computed = computeSettled(product, inputs, { params, now_ms: context.now_ms });
      expect([...Value.Errors(product.data, computed.data)]).toEqual([]);
      const warnings = [...computed.warnings, ...context.rowWarnings()];
      return { ...computed, warnings, inputs, sources: context.sources() };
    },
  };
}
