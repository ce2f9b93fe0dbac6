import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { NodeError } from "../../../core/errors.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 24, 56) });

describe("GET /global-morning-brief", () => {
  test("a node whose jobs never ran sells it, written by templates, with its sources", async () => {
    const { data, sources } = await run(createNode());
    expect(data).toMatchObject({ written_by: "template", writer: { model: null } });
    expect(data.blocks.length).toBeGreaterThan(0);
    expect(sources.length).toBeGreaterThan(0);
  });

  test("when nobody answers, nothing is sold", async () => {
    const node = createNode();
    node.upstreams.setFault("*", "http500");
    await expect(run(node)).rejects.toThrow(NodeError);
  });
});
