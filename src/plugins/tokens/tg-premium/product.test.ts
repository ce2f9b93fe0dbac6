import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job as launches } from "../jobs/launches.ts";
import { job as whales } from "../jobs/whale-scan.ts";
import { job as yields } from "../jobs/yields-sample.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /tg-premium", () => {
  test("has a message for each section with fresh data, and names the others", async () => {
    const node = createNode();
    const thin = await run(node);
    expect(thin.data.sections_missing).toEqual(["whale", "launch", "smart", "yield"]);
    await launches.run(node.createContext());
    await whales.run(node.createContext());
    await yields.run(node.createContext());
    node.clock.advance(1_000);
    const { data } = await run(node);
    expect(data.messages.map(({ section }) => section)).toEqual(expect.arrayContaining(["whale", "mev", "sentiment"]));
    const whale = data.messages.find(({ section }) => section === "whale");
    expect(whale?.html).toMatch(
      /<a href="https:\/\/(etherscan|basescan|mempool|solscan)\.[a-z]+\/tx\/[0-9A-Za-z]+">record<\/a>/,
    );
    expect(data.messages.find(({ section }) => section === "yield")?.plain).toMatch(/: [\d.]+ %/);
    expect(data.messages.every(({ char_count }) => char_count <= 3_500)).toBe(true);
    expect((await run(node, "sections=mev&lang=pt")).data.messages[0]?.plain).toContain("Blocos e gorjetas");
  });

  test("with fewer than two sections it costs nothing", async () => {
    const node = createNode();
    for (const provider of ["mev_relays", "jito"]) node.upstreams.setFault(provider, "http500");
    expect((await refusalOf(run(node))).status).toBe(503);
  });
});
