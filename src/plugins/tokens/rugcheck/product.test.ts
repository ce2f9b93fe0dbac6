import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { job } from "../jobs/launches.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });
const mintOf = (id: string): string => ZOO.find((token) => token.id === id)?.address ?? id;

describe("GET /rugcheck", () => {
  test("an honest mint is low, a freezing one critical, issuers' powers are shown and not a trap", async () => {
    const node = createNode();
    const sheet = async (id: string) => (await run(node, `mint=${mintOf(id)}`)).data;
    expect(await sheet("meadow")).toMatchObject({ risk_level: "low", coverage: 1, hard_fails: [] });
    const freezes = await sheet("freezes-holders");
    expect(freezes).toMatchObject({ risk_level: "critical", hard_fails: [{ id: "H2_freeze_authority" }] });
    expect(freezes.authorities.freeze.address).not.toBeNull();
    const usdc = await sheet("USDC-solana");
    expect(usdc).toMatchObject({ risk_level: "medium", hard_fails: [] });
    expect(usdc.authorities.mint.address).not.toBeNull();
    expect((await sheet("fee-twelve-percent")).extensions.fee_bps).toBe(1_200);
    expect((await sheet("permanent-delegate")).extensions.permanent_delegate).toBe(true);
  });

  test("without a mint it is the newest launch; without one stored it costs nothing", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await job.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data.liquidity.venue).toBe("curve");
    expect(warnings.join()).toContain("mint: none was named");
  });

  test("opinions can fall silent; without chain and opinions there is no sheet", async () => {
    const node = createNode();
    node.upstreams.setFault("rugcheck", "http500");
    const { data, warnings } = await run(node, `mint=${mintOf("meadow")}`);
    expect(data).toMatchObject({ risk_level: "medium", insiders: { pct: null } });
    expect(warnings.join()).toContain("rugcheck did not answer");
    node.upstreams.setFault("goplus", "html");
    node.upstreams.setFault("solana_rpc", "wrong_shape");
    node.clock.advance(600_000);
    expect((await refusalOf(run(node, `mint=${mintOf("meadow")}`))).status).toBe(503);
  });
});
