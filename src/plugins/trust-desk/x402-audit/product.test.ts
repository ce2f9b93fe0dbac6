import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { SIMULATED_SELLER } from "../../../sandbox/simulated-strangers.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

async function createLoaded() {
  const node = createNode();
  await node.takeInDatasets();
  return node;
}
const resultsOf = (checks: readonly { id: string; result: string }[]) =>
  Object.fromEntries(checks.map(({ id, result }) => [id, result]));

describe("GET /x402-audit", () => {
  test("an honest seller is sound, each check with evidence", async () => {
    const { data, warnings } = await run(await createLoaded(), `url=${SIMULATED_SELLER}/weather`);
    expect(data).toMatchObject({ verdict: "sound", requests_made: 7 });
    // The simulated registers list other sellers.
    expect(data.checks.filter(({ result }) => result === "fail").map(({ id }) => id)).toEqual(["D2"]);
    expect(data.pay_to_history).toMatchObject([{ account_type: "eoa", payments: expect.any(Number) }]);
    expect(data.payment?.accepts[0]).toMatchObject({ amount_usd: 0.01, asset_name: "USDC" });
    expect(warnings).toEqual([]);
  });

  test("a price that changes between two calls, and orders to its reader, are found", async () => {
    const node = await createLoaded();
    const changing = await run(node, `url=${SIMULATED_SELLER}/changing`);
    expect(resultsOf(changing.data.checks).P8).toBe("fail");
    const orders = await run(node, `url=${SIMULATED_SELLER}/orders`);
    expect(resultsOf(orders.data.checks).C1).toBe("fail");
    expect(orders.data.checks.find(({ id }) => id === "C1")?.fix).toContain("instruct nobody");
  });

  test("data without a payment, and a broken seller, are unsafe", async () => {
    const node = await createLoaded();
    for (const path of ["/live", "/broken"]) {
      const { data } = await run(node, `url=${SIMULATED_SELLER}${path}`);
      expect(data).toMatchObject({ verdict: "unsafe", payment: null });
      expect(data.score).toBeLessThanOrEqual(20);
    }
  });

  test("without lists, oracle or contract there is no good verdict", async () => {
    const bare = await run(createNode(), `url=${SIMULATED_SELLER}/weather`);
    expect(bare.data.verdict).toBe("caution");
    const node = await createLoaded();
    node.upstreams.setFault("evm_rpc", "http500");
    expect((await run(node, `url=${SIMULATED_SELLER}/weather`)).data.verdict).toBe("caution");
  });

  test("without explorer, registers or node the payee's history is not known, and no verdict improves", async () => {
    const node = await createLoaded();
    for (const provider of ["blockscout", "cdp_bazaar", "payai_bazaar"]) node.upstreams.setFault(provider, "http500");
    const { data, warnings } = await run(node, `url=${SIMULATED_SELLER}/weather`);
    expect(resultsOf(data.checks)).toMatchObject({ A3: "unknown", D2: "unknown" });
    expect(data.pay_to_history).toMatchObject([{ payments: null, last_paid_at: null }]);
    expect(warnings.join()).toContain("pay_to_history.payments: not known of 0x5290");
  });

  test("without a url the node looks at itself", async () => {
    const { data, warnings } = await run(await createLoaded());
    expect(data).toMatchObject({
      verdict: "sound",
      url: expect.stringMatching(/^https:..this-node[.]sandbox[.]example.[a-z]/),
    });
    expect(warnings).toEqual([expect.stringContaining("url: none was named")]);
  });

  test("an unknown seller gets no verdict, and nothing is charged", async () => {
    const node = await createLoaded();
    expect((await refusalOf(run(node, "url=https://nowhere.example/x"))).status).toBe(503);
  });
});
