import { describe, expect, mock, spyOn, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { FetchContext } from "../../../catalog/context.ts";
import type { NodeFacts } from "../../../catalog/node-facts.ts";
import type { NodeError } from "../../../core/errors.ts";
import type { GuardedRequest } from "../../../guarded-fetch/types.ts";
import { SIMULATED_SELLER } from "../../../sandbox/simulated-strangers.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12) });
const PAYMENT = btoa('{"x402Version":2,"accepted":{"network":"eip155:8453","amount":"10000"},"payload":{}}');

/** A run whose peer answers what carries a payment only when it is let, and after this run's time. */
function createSlowPeer(context: FetchContext) {
  const answer = Promise.withResolvers<void>();
  const paid: GuardedRequest[] = [];
  const askStranger: FetchContext["askStranger"] = async (request) => {
    if (request.headers?.["payment-signature"] !== undefined) {
      paid.push(request);
      expect(request).toMatchObject({ outlives_run: true });
      if (paid.length === 1) {
        const late = performance.now() + 11_490;
        spyOn(performance, "now").mockReturnValue(late);
        await answer.promise;
      }
    }
    return context.askStranger(request);
  };
  return { context: { ...context, askStranger }, answer, paid };
}

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
    expect(data.peer_payment.passed_on).toEqual({
      origin: SIMULATED_SELLER,
      network: "eip155:8453",
      amount_atomic: "10000",
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      pay_to: "0x52908400098527886e0f7030069857d2e4169ee7",
      scheme: "exact",
      at: "2026-10-01T12:00:00.000Z",
    });
    expect(data.peer_identity).toMatchObject({ proven_by: "nothing", node_id: null });
    expect(warnings).toContain("peer_identity.proven_by: the peer was paid on the name of its certificate alone");
  });

  test("does not pass a payment on to an unproven address, unless the buyer says so", async () => {
    const refusal = await refusalOf(run(createNode(), { target: `${SIMULATED_SELLER}/weather`, payment: PAYMENT }));
    expect(refusal.status).toBe(422);
    expect(refusal.message).toContain("identity=certificate");
  });

  test("does not pay a peer whose proof took so long that no time is left for its answer", async () => {
    const provePayee: NodeFacts["provePayee"] = async (_, payee) => {
      const late = performance.now() + 4_001;
      spyOn(performance, "now").mockReturnValue(late);
      return { ...payee, proven_by: "wallet", node_id: "in1peer", sandbox: false, steps: [] };
    };
    const asked = { target: `${SIMULATED_SELLER}/weather`, payment: PAYMENT };
    const { status, message } = await refusalOf(run(createNode({ facts: { provePayee } }), asked));
    mock.restore();
    expect({ status, message }).toEqual({ status: 503, message: expect.stringContaining("too slow to be paid") });
  });

  test("a peer slower than this node's limits is asked once, and its answer is kept for the next call", async () => {
    const node = createNode();
    const { context, answer, paid } = createSlowPeer(node.createContext());
    const params = { target: `${SIMULATED_SELLER}/weather`, payment: PAYMENT, identity: "certificate" } as const;
    const late = (await product.fetch(context, params).catch((error: unknown) => error)) as NodeError;
    mock.restore();
    expect(late.message).toContain("which has not answered yet");
    expect(late.options).toMatchObject({ passed_on: { origin: SIMULATED_SELLER, amount_atomic: "10000" } });
    answer.resolve();
    const inputs = await product.fetch(context, params);
    expect(inputs).toMatchObject({ answer: { status: 200 }, passed_on: { origin: SIMULATED_SELLER } });
    expect(paid).toHaveLength(1);
    // It was handed over: from now on the same payment is the peer's to judge.
    await product.fetch(context, params);
    expect(paid).toHaveLength(2);
  });

  test("a peer that wants to be paid first was reached: its terms are the answer", async () => {
    const { data, warnings } = await run(createNode(), `target=${SIMULATED_SELLER}/weather`);
    expect(data.peer.status).toBe(402);
    expect(data.peer_payment).toMatchObject({ required: true, paid_by: "none", passed_on: null });
    expect(data.peer_payment.accepts).toMatchObject([
      {
        amount_atomic: "10000",
        network: "eip155:8453",
        scheme: "exact",
        asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      },
    ]);
    expect(warnings).toContain("peer_payment: the peer wants to be paid first: accepts says how");
  });

  test("so was one that fails; one that is not there costs nothing", async () => {
    const { data, warnings } = await run(createNode(), `target=${SIMULATED_SELLER}/broken`);
    expect(data.peer.status).toBeGreaterThanOrEqual(500);
    expect(warnings).toContain(`peer.status: the peer failed with ${data.peer.status}`);
    expect((await refusalOf(run(createNode(), "target=https://nowhere.example/x"))).status).toBe(503);
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
