import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TObject, TSchema } from "@sinclair/typebox";
import type { ProductDefinition } from "../../src/catalog/product.ts";
import { NodeError } from "../../src/core/errors.ts";
import { job as backfill } from "../../src/plugins/brazil/jobs/b3-backfill.ts";
import { job as index } from "../../src/plugins/brazil/jobs/b3-index.ts";
import { job as tradeFile } from "../../src/plugins/brazil/jobs/b3-trade-file.ts";
import { job as focus } from "../../src/plugins/brazil/jobs/focus.ts";
import { job as ibge } from "../../src/plugins/brazil/jobs/ibge.ts";
import { job as ptax } from "../../src/plugins/brazil/jobs/ptax.ts";
import { job as sgs } from "../../src/plugins/brazil/jobs/sgs.ts";
import { createProductRig } from "./product-rig.ts";
import { createSimulatedNode, type SimulatedNode } from "./simulated-node.ts";

/** The day the published curve is of, in the evening. */
const NOW_MS = Date.UTC(2026, 0, 13, 1);
/** Rounds of the backfill: enough for changes of five days. */
const ROUNDS = 8;

/** A node whose Brazilian jobs have run; close it. */
export async function createBrazilNode(): Promise<SimulatedNode> {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  for (const job of [tradeFile, sgs, ptax, focus, ibge, index]) await job.run(node.createContext());
  for (let round = 0; round < ROUNDS; round += 1) await backfill.run(node.createContext());
  return node;
}

/** A product written of what Brazil's jobs stored: sold by templates with its sources, and not sold without them. */
export function testWrittenOfBrazil<P extends TObject, D extends TSchema, I>(
  product: ProductDefinition<P, D, I>,
): void {
  const rig = createProductRig(product, { now_ms: NOW_MS });
  let node: SimulatedNode;
  beforeAll(async () => {
    node = await createBrazilNode();
  });
  afterAll(() => node.close());

  describe(`GET ${product.path}`, () => {
    test("is written by templates, and names the sources of its parts", async () => {
      const { data, sources } = await rig.run(node);
      expect(data as object).toMatchObject({ written_by: "template", writer: { model: null } });
      expect(sources.length).toBeGreaterThan(2);
    });

    test("a node whose jobs never ran sells nothing", async () => {
      await expect(rig.run(rig.createNode())).rejects.toThrow(NodeError);
    });
  });
}
