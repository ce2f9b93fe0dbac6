import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { job } from "../jobs/launches.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /job/token-research", () => {
  test("no trap of the zoo is OK, no blue chip AVOID", async () => {
    const node = createNode();
    for (const token of ZOO.filter(({ truth }) => truth === "trap" || truth === "blue_chip")) {
      const { data } = await run(node, `token=${token.address}&chain=${token.chain}`);
      expect([token.id, data.verdict]).not.toEqual([token.id, token.truth === "trap" ? "OK" : "AVOID"]);
    }
  });

  test("says what would change it, and the source of every fact", async () => {
    const { data } = await run(createNode(), "token=USDC&chain=ethereum");
    expect(data.info).toEqual(["issuer_controlled"]);
    expect(data.evidence.every(({ sources }) => sources.length > 0)).toBe(true);
    expect(data.summary_points.length).toBeGreaterThan(3);
    const meadow = ZOO.find(({ id }) => id === "meadow")?.address;
    const { data: honest } = await run(createNode(), `token=${meadow}`);
    expect(honest.verdict === "OK" || honest.what_would_change_it.length > 0).toBe(true);
  });

  test("no sentence calls all known while a rule is not", async () => {
    const node = createNode();
    for (const token of ZOO.filter(({ truth }) => truth !== "blue_chip")) {
      const { data } = await run(node, `token=${token.address}&chain=${token.chain}`);
      const factors = data.factors.map(({ id }) => id);
      const rules = data.unknown.filter((id) => !factors.includes(id)).length;
      const told = data.summary_points.join(" ");
      expect([token.id, /and (\d+) rules? not known/.exec(told)?.[1] ?? "0"]).toEqual([token.id, String(rules)]);
      expect([token.id, data.confidence < 1 || data.unknown.length === 0]).toEqual([token.id, true]);
    }
  });

  test("without a token it is the newest launch; without markets it costs nothing", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    expect((await run(node)).data.resolution.method).toBe("address");
    node.upstreams.setFault("dexscreener", "http500");
    node.clock.advance(600_000);
    expect((await refusalOf(run(node, "token=SOL"))).status).toBe(503);
  });
});
