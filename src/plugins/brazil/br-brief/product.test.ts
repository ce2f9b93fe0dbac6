import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createBrazilNode } from "../../../../test/helpers/brazil-parts.ts";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NodeError } from "../../../core/errors.ts";
import { product } from "./product.ts";

const rig = createProductRig(product, { now_ms: Date.UTC(2026, 0, 13, 1) });
let node: SimulatedNode;
beforeAll(async () => {
  node = await createBrazilNode();
}, 60_000);
afterAll(() => node.close());

describe("GET /br-brief", () => {
  test("is written by templates, and names the sources of its parts", async () => {
    const { data, sources } = await rig.run(node);
    expect(data).toMatchObject({ written_by: "template", writer: { model: null } });
    expect(sources.length).toBeGreaterThan(2);
  });

  test("a node whose jobs never ran sells nothing", async () => {
    await expect(rig.run(rig.createNode())).rejects.toThrow(NodeError);
  });
});
