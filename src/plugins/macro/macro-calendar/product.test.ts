import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });

describe("GET /macro-calendar", () => {
  test("every calendar is read, past releases have their numbers", async () => {
    const { data } = await run(createNode());
    expect(data.coverage.every(({ state }) => state === "ok")).toBe(true);
    const claims = data.events.find(({ kind, status }) => kind === "claims" && status === "released");
    expect(claims).toMatchObject({ period: "2026-09-19", unit: "claims" });
    expect(claims?.actual).toBeGreaterThan(100_000);
    expect([data.from, data.to]).toEqual(["2026-09-24", "2026-10-08"]);
    const far = await run(createNode(), "days=14");
    expect(far.data.to).toBe("2026-10-15");
    expect(far.data.events.length).toBeGreaterThan(data.events.length);
    expect(far.data.events.slice(0, data.events.length)).toEqual(data.events);
    expect(far.data.next_high_impact).toEqual(data.next_high_impact);
    expect(data.events.map(({ time_utc }) => time_utc)).toEqual(data.events.map(({ time_utc }) => time_utc).toSorted());
    expect(new Set(data.events.map(({ id }) => id)).size).toBe(data.events.length);
  });

  test("one of the Fed, the BEA and the BLS is enough; without all three there is no calendar", async () => {
    const node = createNode();
    for (const id of ["bea", "bls", "ecb", "eurostat", "fiscaldata", "fred"]) node.upstreams.setFault(id, "http500");
    const { data, warnings } = await run(node);
    expect(data.events.filter(({ kind }) => kind === "jobs").every(({ status }) => status === "estimated")).toBe(true);
    expect(warnings).toContain("coverage: bls could not be read or is not configured");
    node.upstreams.setFault("fed", "wrong_shape");
    node.clock.advance(7_200_000);
    expect((await refusalOf(run(node))).status).toBe(503);
  });
});
