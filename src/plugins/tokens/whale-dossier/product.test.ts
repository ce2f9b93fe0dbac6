import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/whale-scan.ts";
import { findLabel } from "../whales/labels.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });

describe("GET /whale-dossier", () => {
  test("shows three unlabelled wallets that moved most, and is refused when nothing was read", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const { data } = await run(node);
    expect(data.subjects.map(({ why_selected }) => why_selected.rank)).toEqual([1, 2, 3]);
    expect(data.subjects.map(({ address }) => findLabel(address))).toEqual([null, null, null]);
    const gross = data.subjects.map(({ why_selected }) => why_selected.gross_usd_24h);
    expect(gross).toEqual([...gross].sort((a, b) => b - a));
    for (const { flows, why_selected } of data.subjects) {
      expect(flows.in_usd_7d + flows.out_usd_7d).toBeCloseTo(why_selected.gross_usd_24h, 1);
    }
    const [first] = data.subjects;
    const named = await run(node, `address=${first?.address}`);
    expect(named.data.subjects).toHaveLength(1);
    expect(named.data.subjects[0]?.flows).toEqual(first?.flows as never);
  });

  test("an address that moved nothing is not found, and costs nothing", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const nobody = "address=0x52908400098527886e0f7030069857d2e4169ee7";
    expect((await refusalOf(run(node, nobody))).code).toBe("subject_not_found");
  });
});
