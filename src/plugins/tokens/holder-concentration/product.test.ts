import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { drawHolders } from "./charts.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const _VECTOR = [12.4, 6.1, 5.5, 3.2, 2.8, 2, 1.9, 1.5, 1.2, 1];
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });
const addressOf = (id: string) => ZOO.find((token) => token.id === id)?.address ?? id;

describe("GET /holder-concentration", () => {
  test("takes the pool out on every chain, and says whose list it is", async () => {
    const node = createNode();
    for (const [id, chain, source] of [
      ["meadow", "solana", "rugcheck"],
      ["lantern", "base", "blockscout"],
      ["orchard", "ethereum", "blockscout"],
    ] as const) {
      const { data } = await run(node, `token=${addressOf(id)}&chain=${chain}`);
      expect(data).toMatchObject({ source, band: "low", token: { chain } });
      expect(data.top1_pct).toBeCloseTo(3.1, 3);
      expect(data.top10_pct).toBeCloseTo(17.2, 3);
      expect(data.excluded.map(({ reason }) => reason)).toEqual(["pool"]);
      expect(BigInt(data.supply ?? "0")).toBeGreaterThan(0n);
    }
    const whale = (await run(node, `token=${addressOf("whale-holds-all")}`)).data;
    expect(whale.band).toBe("critical");
    const [curve] = drawHolders(whale);
    const sums = curve?.kind === "bars" ? curve.bars.map(({ value }) => value) : [];
    expect(sums[0]).toBeCloseTo(whale.top1_pct ?? 0, 3);
    expect(sums.at(-1)).toBeCloseTo(whale.top10_pct ?? 0, 3);
    expect(sums).toEqual(sums.toSorted((a, b) => a - b));
  });

  test("with Blockscout silent the ten are bounded by what GoPlus lists, and that is said", async () => {
    const node = createNode();
    const whole = (await run(node, `token=${addressOf("orchard")}&chain=ethereum`)).data;
    node.upstreams.setFault("blockscout", "http500");
    node.clock.advance(600_000);
    const { data, warnings } = await run(node, `token=${addressOf("orchard")}&chain=ethereum`);
    expect(data).toMatchObject({ source: "goplus", top10_pct: null, band: "low" });
    expect(data.source_depth).toBeLessThan(10);
    expect(data.top10_min_pct).toBeLessThanOrEqual(whole.top10_pct ?? 0);
    expect(data.top10_max_pct).toBeGreaterThanOrEqual(whole.top10_pct ?? 100);
    expect(warnings.join("\n")).toMatch(/^top10_pct: fewer than ten holders are listed \(goplus\); it lies between /m);
  });

  test("a source that is silent is replaced, and without any it costs nothing", async () => {
    const node = createNode();
    node.upstreams.setFault("rugcheck", "http500");
    const { data, warnings } = await run(node, `token=${addressOf("meadow")}`);
    expect(data).toMatchObject({ source: "goplus", insider_pct: null });
    expect(warnings.join()).toContain("rugcheck did not answer");
    node.upstreams.setFault("goplus", "http500");
    node.clock.advance(600_000);
    expect((await refusalOf(run(node, `token=${addressOf("meadow")}`))).status).toBe(503);
    expect((await refusalOf(run(node))).status).toBe(503);
  });
});
