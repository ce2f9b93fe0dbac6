import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { job } from "../jobs/launches.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /insider-track", () => {
  test("launches of the last half hour, the worst first", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const { data } = await run(node, "limit=20");
    const scores = data.items.map(({ insider_score }) => insider_score);
    expect(scores.length).toBeGreaterThan(3);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(data.items[0]?.bundle).not.toBeNull();
  });

  test("one mint; without its report the score is a lower bound, without both there is none", async () => {
    const node = createNode();
    const mint = ZOO.find(({ id }) => id === "bundled-launch")?.address;
    expect((await run(node, `mint=${mint}`)).data.items[0]).toMatchObject({
      level: "elevated",
      score_is_lower_bound: false,
    });
    node.upstreams.setFault("rugcheck", "http500");
    node.clock.advance(600_000);
    expect((await run(node, `mint=${mint}`)).data.items[0]).toMatchObject({
      network: null,
      score_is_lower_bound: true,
    });
    node.upstreams.setFault("pump_fun", "http500");
    node.clock.advance(600_000);
    expect((await refusalOf(run(node, `mint=${mint}`))).status).toBe(503);
  });
});
