import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { product as launchRisk } from "../launch-risk/product.ts";
import { product as rugcheck } from "../rugcheck/product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const risk = createProductRig(launchRisk, { now_ms: NOW_MS });
const sheet = createProductRig(rugcheck, { now_ms: NOW_MS });
const addressOf = (id: string): string => ZOO.find((token) => token.id === id)?.address ?? id;
const honest = (answer: unknown): unknown => answer;

type Answer = { readonly id?: number; readonly result?: unknown };
const A_WORD = `0x${"0".repeat(24)}${"7".repeat(40)}`;
/** Says that the token's code can be exchanged: the last two calls of the batch are the slots of a proxy. */
const withProxy = (answer: unknown): unknown =>
  Array.isArray(answer) && answer.length === 7
    ? (answer as Answer[])
        .toSorted((a, b) => Number(a.id) - Number(b.id))
        .map((one, index) => (index < 5 ? one : { ...one, result: A_WORD }))
    : answer;
/** Says that nobody can freeze: byte 46 of a mint says whether there is a freeze authority. */
function withoutFreeze(answer: unknown): unknown {
  const { result } = answer as { result?: { value?: ({ data: [string, string] } | null)[] } };
  const [account] = result?.value ?? [];
  if (!account) return answer;
  const data = Buffer.from(account.data[0], "base64");
  data.fill(0, 46, 50);
  const value = [{ ...account, data: [data.toString("base64"), "base64"] }];
  return { ...(answer as object), result: { ...result, value } };
}
const DISAGREE = /^authorities: two nodes of the chain disagree on ([a-z_, ]+); the worse of their words counts$/;

describe("a chain with two addresses", () => {
  test("that agree is worth what one is, and nothing is said", async () => {
    const asked = `mint=${addressOf("orchard")}&chain=ethereum`;
    const alone = await risk.run(risk.createNode(), asked);
    const { data, warnings } = await risk.run(risk.createNode({ second_rpc: honest }), asked);
    expect(data.items[0]).toMatchObject({ verdict: "SIZE", conflicts: [] });
    expect(data.items[0]?.risk).toBe(alone.data.items[0]?.risk as number);
    expect(warnings).toEqual(alone.warnings);
  });

  test("one reports a danger: the answer says which says what, and the worse counts", async () => {
    const asked = `mint=${addressOf("orchard")}&chain=ethereum`;
    const { data, warnings } = await risk.run(risk.createNode({ second_rpc: withProxy }), asked);
    expect(data.items[0]?.verdict).not.toBe("SIZE");
    expect(data.items[0]?.conflicts).toContainEqual({
      fact: "upgradable",
      values: [
        { source: "evm_rpc", value: 0 },
        { source: "evm_rpc_second", value: 1 },
      ],
    });
    expect(warnings.map((one) => DISAGREE.exec(one)?.[1])).toContain("is_proxy, proxy_admin");
  });

  test("one hides a danger: it does not make the token better", async () => {
    const asked = `mint=${addressOf("freezes-holders")}`;
    const { data, warnings } = await sheet.run(sheet.createNode({ second_rpc: withoutFreeze }), asked);
    expect(data).toMatchObject({ risk_level: "critical", hard_fails: [{ id: "H2_freeze_authority" }] });
    expect(data.conflicts.map(({ fact }) => fact)).toContain("freeze_active");
    expect(warnings.map((one) => DISAGREE.exec(one)?.[1])).toContain("freeze_authority");
  });

  test("the second is silent: the first counts, and the answer says so", async () => {
    const node = sheet.createNode({ second_rpc: () => ({ error: "busy" }) });
    const { data, warnings } = await sheet.run(node, `mint=${addressOf("meadow")}`);
    expect(data.risk_level).toBe("low");
    expect(warnings).toContain("authorities: the chain's second node did not answer, so the first stands alone");
  });
});
