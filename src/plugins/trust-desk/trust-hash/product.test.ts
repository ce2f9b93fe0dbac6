import { describe, expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/seal.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /trust-hash", () => {
  test("seals what the node answers, each seal naming the one before it", async () => {
    const node = createNode();
    await node.takeInDatasets();
    await job.run(node.createContext());
    const first = (await run(node)).data;
    node.clock.set(NOW_MS + 3_600_000);
    await job.run(node.createContext());
    const second = (await run(node)).data;
    expect(first.leaves.map((leaf) => leaf.product)).toContain("/mempool");
    expect(second).toMatchObject({ seq: 2, prev_hash: first.record_hash });
  });

  test("is signed by the node's key", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const { data } = await run(node);
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: data.public_key }, format: "jwk" });
    const signature = Buffer.from(data.signature, "base64url");
    expect(verify(null, Buffer.from(data.signed_text), key, signature)).toBe(true);
    expect(verify(null, Buffer.from(`${data.signed_text} `), key, signature)).toBe(false);
  });

  test("an earlier answer is proven by its own seal, an unknown one by none", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const leaf = (await run(node)).data.leaves.find((one) => one.product === "/mempool");
    node.clock.set(NOW_MS + 3_600_000);
    await job.run(node.createContext());
    expect((await run(node, `hash=${leaf?.leaf_hash}`)).data).toMatchObject({
      seq: 1,
      proof: { leaf_index: expect.any(Number) },
    });
    expect((await refusalOf(run(node, `hash=${"a".repeat(64)}`))).code).toBe("subject_not_found");
  });

  test("before the first seal nothing is sold", async () => {
    expect((await refusalOf(run(createNode()))).code).toBe("no_history");
  });
});
