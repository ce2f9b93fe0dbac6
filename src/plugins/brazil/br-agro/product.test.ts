import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job as tradeFile } from "../jobs/b3-trade-file.ts";
import { job as ibge } from "../jobs/ibge.ts";
import { job as ptax } from "../jobs/ptax.ts";
import { product } from "./product.ts";

describe("GET /br-agro", () => {
  const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 24, 56) });

  test("is made of what is stored; Conab's latin1 file is a dataset", async () => {
    const node = createNode();
    for (const job of [tradeFile, ptax, ibge]) await job.run(node.createContext());
    const thin = await run(node);
    expect(thin.data).toMatchObject({ physical: null, basis: null, settled_markets: 4 });
    expect(thin.warnings).toContain("physical, basis: Conab's file could not be had, or is old");
    expect(await node.takeInDatasets("brazil/conab")).toEqual([]);
    const { data, sources } = await run(node);
    expect(
      data.physical?.find(({ product: name, uf }) => name === "coffee" && uf === "MG")?.brl_per_sack_60kg,
    ).toBeGreaterThan(1_000);
    expect(data.physical?.find(({ product: name }) => name === "cattle")?.brl_per_arroba_15kg).toBeGreaterThan(200);
    expect(data.basis?.length).toBeGreaterThan(4);
    expect(data.futures.filter(({ front }) => front)).toHaveLength(6);
    expect(data.crop?.map(({ crop }) => crop)).toContain("corn_second");
    expect(data.futures).toHaveLength(6);
    const all = (await run(node, "futures=40&places=4")).data;
    expect(all.futures.length).toBeGreaterThan(30);
    expect(all.futures.filter(({ front }) => front)).toHaveLength(6);
    expect(all.physical?.length).toBeGreaterThan(data.physical?.length ?? 0);
    expect(data.fx.date).toBe("2026-09-30");
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(
      new Set(["b3_files", "bcb_olinda", "ibge", "conab"]),
    );
    expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
  });

  test("without settlements or PTAX nothing is sold", async () => {
    const node = createNode();
    await ptax.run(node.createContext());
    expect((await refusalOf(run(node))).message).toContain("no settlements");
    const other = createNode();
    await tradeFile.run(other.createContext());
    expect((await refusalOf(run(other))).message).toContain("no PTAX");
  });
});
