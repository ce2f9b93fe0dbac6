import { describe, expect, mock, spyOn, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { NodeFacts } from "../../../catalog/node-facts.ts";
import { SIMULATED_SELLER } from "../../../sandbox/simulated-strangers.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12) });
const PAYMENT = btoa('{"x402Version":2,"accepted":{"network":"eip155:8453","amount":"10000"},"payload":{}}');

describe("GET /agent-call", () => {
  test("gives a free answer back as it came", async () => {
    const { data, sources } = await run(createNode(), `target=${SIMULATED_SELLER}/live`);
    expect(data.body).toContain('"status":"live"');
    expect(data).toMatchObject({ untrusted: true, peer: { status: 200 }, peer_payment: { paid_by: "none" } });
    expect(sources).toMatchObject([{ provider: "peer", url: SIMULATED_SELLER }]);
  });

  test("passes the buyer's payment on, and gives the peer's receipt back", async () => {
    const asked = { target: `${SIMULATED_SELLER}/weather`, payment: PAYMENT, identity: "certificate" };
    const { data, warnings } = await run(createNode(), asked);
    expect(data.body).toContain('"temperature_c":21');
    expect(data.peer_payment).toMatchObject({ paid_by: "caller", receipt: '{"success":true}' });
    expect(data.peer_identity).toMatchObject({ proven_by: "nothing", node_id: null });
    expect(warnings).toContain("peer_identity.proven_by: the peer was paid on the name of its certificate alone");
  });

  test("does not pass a payment on to an address nobody signed for, unless the buyer says so", async () => {
    const refusal = await refusalOf(run(createNode(), { target: `${SIMULATED_SELLER}/weather`, payment: PAYMENT }));
    expect(refusal.status).toBe(422);
    expect(refusal.message).toContain("identity=certificate");
  });

  test("pays nobody who took so long to show who he is that no time is left for his answer", async () => {
    const provePayee: NodeFacts["provePayee"] = async (_, payee) => {
      const late = performance.now() + 6_001;
      spyOn(performance, "now").mockReturnValue(late);
      return { ...payee, proven_by: "wallet", node_id: "in1peer", sandbox: false, steps: [] };
    };
    const asked = { target: `${SIMULATED_SELLER}/weather`, payment: PAYMENT };
    const { status, message } = await refusalOf(run(createNode({ facts: { provePayee } }), asked));
    mock.restore();
    expect({ status, message }).toEqual({ status: 503, message: expect.stringContaining("too slow to be paid") });
  });

  test("a peer that wants to be paid first costs nothing, and its price is told", async () => {
    const refusal = await refusalOf(run(createNode(), `target=${SIMULATED_SELLER}/weather`));
    expect(refusal.status).toBe(503);
    expect(refusal.message).toContain("10000 of 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 on eip155:8453");
  });

  test("a peer that fails or is not there costs nothing", async () => {
    for (const target of [`${SIMULATED_SELLER}/broken`, "https://nowhere.example/x"]) {
      expect((await refusalOf(run(createNode(), `target=${target}`))).status).toBe(503);
    }
  });

  test("of this node itself only two free paths are relayed, and no payment to them", async () => {
    const own = "https://node.example.com";
    const { data } = await run(createNode(), `target=${own}/live`);
    expect(data.body).toContain('"status":"live"');
    for (const target of [`${own}/fear-greed`, `${own}/live?preview=1`]) {
      expect((await refusalOf(run(createNode(), { target }))).status).toBe(422);
    }
    expect((await refusalOf(run(createNode(), { target: `${own}/live`, payment: PAYMENT }))).status).toBe(422);
    expect(product.preview.of_node?.(own)).toEqual([{ target: `${own}/live`, identity: "manifest" }]);
    expect(product.preview.of_node?.("http://127.0.0.1:1")).toEqual([]);
  });
});
