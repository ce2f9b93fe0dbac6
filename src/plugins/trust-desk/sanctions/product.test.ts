import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { SIMULATED_LISTED_WALLET } from "../../../upstream/providers/simulated-wallets.ts";
import { LIST_IDS, SANCTION_LISTS } from "../lists/sanction-lists.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const HOUR_MS = 3_600_000;
const CLEAN = "0x52908400098527886e0f7030069857d2e4169ee7";
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

async function createLoaded(without: readonly string[] = []) {
  const node = createNode();
  for (const id of LIST_IDS) if (!without.includes(id)) await node.takeInDatasets(SANCTION_LISTS[id].dataset.name);
  return node;
}
const verdictOf = async (node: Awaited<ReturnType<typeof createLoaded>>, query: string): Promise<string> =>
  run(node, query).then(
    ({ data }) => String(data.verdict),
    () => "uncharged",
  );

describe("GET /sanctions", () => {
  test.each([
    ["Suex OTC SRO", "hit"],
    ["SUEX O.T.C. s.r.o.", "hit"],
    ["Banco Nacional Cuba", "hit"],
    ["Aerocaribean Airlines", "hit"],
    ["Yuryevich Dmitry Khoroshev", "hit"],
    ["Хорошев Дмитрий Юрьевич", "hit"],
    ["Dmitry Khoroshev", "possible"],
    ["Khoroshev", "possible"],
    ["Lockbitsupp", "hit"],
    ["Banco Central", "clear"],
    ["Dmitry Petrov", "clear"],
    ["1B64QRxfaa35MVkf7sDjuGUYAP5izQt7Qi", "hit"],
    ["42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi", "hit"],
    [SIMULATED_LISTED_WALLET.toUpperCase().replace("0X", "0x"), "hit"],
    ["Vladimir Putin", "possible"],
    ["Vladimir Vladimirovich Putin", "hit"],
    ["Путин Владимир Владимирович", "hit"],
    ["Lazarus Group", "hit"],
    ["Wagner Group", "hit"],
    ["Sirajuddin Haqqani", "possible"],
    ["0x098B716B8Aaf21512996dC57EB0615e2383E2f96", "hit"],
    ["3Lpoy53K625zVeE47ZasiG5jGkAxJ27kh1", "hit"],
    ["0X098B716B8AAF21512996DC57EB0615E2383E2F96", "hit"],
    ["eip155:1:0x098B716B8Aaf21512996dC57EB0615e2383E2f96", "hit"],
    ["Hamas", "hit"],
    ["Hezbollah", "possible"],
    ["Islamic State in Iraq and the Levant", "hit"],
    ["Nicolás Maduro Moros", "hit"],
    ["Медведев Дмитрий Анатольевич", "hit"],
    ["Ali Khamenei", "possible"],
    ["Osama bin Laden", "hit"],
    ["PMC Wagner", "hit"],
    ["Sberbank", "possible"],
    ["Hydra Market", "hit"],
    [CLEAN, "clear"],
  ])("%s is %s", async (name, verdict) => {
    const { data } = await run(await createLoaded(), new URLSearchParams({ name }).toString());
    expect(data.verdict).toBe(verdict as never);
  });

  test("a text meant as an address that is not one is refused: its absence from lists would say nothing", async () => {
    const node = await createLoaded();
    for (const name of ["149W62rY42aZBox8fGcmqNsXUzSStKeq8C", "0x098B716B8Aaf21512996dC57EB0615e2383E2f9"]) {
      const refused = await refusalOf(run(node, new URLSearchParams({ name }).toString()));
      expect([name, refused.code]).toEqual([name, "invalid_parameter"]);
    }
    // Tron's USDT contract, as it is written.
    const { data } = await run(node, "name=TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
    expect(data).toMatchObject({ query_type: "wallet", wallet_chain: "tron", verdict: "clear" });
  });

  test("clear in the sandbox says that its lists are not the real ones", async () => {
    const node = await createLoaded();
    expect((await run(node, "name=John%20Smith")).warnings.join()).toContain("the sandbox's lists");
    expect((await run(node, "name=Lazarus%20Group")).warnings.join()).not.toContain("the sandbox's lists");
  });

  test("of several wallets those that are listed are named, and the rest is never called clear unasked", async () => {
    const listed = [
      "42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi",
      SIMULATED_LISTED_WALLET.toUpperCase().replace("0X", "0x"),
    ];
    const node = await createLoaded();
    const several = await run(node, `wallets=${[CLEAN, ...listed].join(",")}`);
    expect(several.data).toMatchObject({ query_type: "wallets", verdict: "hit", listed_wallets: listed, oracle: null });
    const clean = await run(node, `wallets=${CLEAN}`);
    expect(clean.data).toMatchObject({ verdict: "incomplete", listed_wallets: [] });
    expect(clean.warnings.join()).toContain("oracle: it is not asked about several wallets");
    expect((await run(node, "wallets=So11111111111111111111111111111111111111112")).data.verdict).toBe("clear");
    expect((await refusalOf(run(node, `wallets=${CLEAN}&name=${CLEAN}`))).status).toBe(422);
    expect((await refusalOf(run(await createLoaded(["ofac_sdn"]), `wallets=${CLEAN}`))).status).toBe(503);
  });

  test("every list in the answer has its version, age and digest", async () => {
    const { data, sources } = await run(await createLoaded());
    expect(data).toMatchObject({ query: null, verdict: null });
    expect(data.lists.map(({ id }) => id)).toEqual([...LIST_IDS]);
    for (const list of data.lists) {
      expect(list).toMatchObject({ fresh: true, published_at: expect.stringMatching(/^2026-10-01T0[04]/) });
      expect(list.sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["ofac", "eu_fsf", "un_sc", "uk_fcdo"]));
  });

  test("each list missing, and each pair of them: never clear", async () => {
    for (const first of LIST_IDS) {
      for (const second of LIST_IDS) {
        const node = await createLoaded([first, second]);
        const due = [first, second].includes("ofac_sdn") ? "uncharged" : "incomplete";
        expect([first, second, await verdictOf(node, "name=Dmitry+Petrov")]).toEqual([first, second, due]);
        const listed = await verdictOf(node, "name=Suex+OTC");
        expect(["hit"]).toContain(listed);
      }
    }
  });

  test.each([
    [71, "clear"],
    [73, "uncharged"],
  ])("lists taken in %d h ago: %s", async (hours, verdict) => {
    const node = await createLoaded();
    node.clock.set(NOW_MS + hours * HOUR_MS);
    expect(await verdictOf(node, "name=Dmitry+Petrov")).toBe(verdict);
    expect(await verdictOf(node, "name=Suex+OTC")).toBe("hit");
  });

  test("a list that is left out of the question does not count", async () => {
    const node = await createLoaded(["eu"]);
    expect(await verdictOf(node, "name=Dmitry+Petrov&lists=ofac_sdn,un")).toBe("clear");
    expect(await verdictOf(node, "name=Dmitry+Petrov&lists=eu")).toBe("incomplete");
  });

  test("an oracle that is silent never clears a wallet, and takes no hit away", async () => {
    const node = await createLoaded();
    node.upstreams.setFault("evm_rpc", "http500");
    expect(await verdictOf(node, `name=${CLEAN}`)).toBe("incomplete");
    expect(await verdictOf(node, `name=${SIMULATED_LISTED_WALLET}`)).toBe("hit");
  });

  test("what an oracle said stays for a day when it falls silent, and goes when it says no", async () => {
    const node = await createLoaded(["ofac_cons", "un", "uk", "eu"]);
    const asked = `lists=eu&name=${SIMULATED_LISTED_WALLET}`;
    expect(await verdictOf(node, asked)).toBe("hit");
    node.upstreams.setFault("evm_rpc", "http500");
    node.clock.set(NOW_MS + 20 * HOUR_MS);
    expect(await verdictOf(node, asked)).toBe("hit");
    node.clock.set(NOW_MS + 45 * HOUR_MS);
    expect(await verdictOf(node, asked)).toBe("incomplete");
  });

  test("a year of birth that is another's makes a hit possible", async () => {
    const node = await createLoaded();
    const name = "lists=ofac_sdn&name=Dmitry+Yuryevich+Khoroshev";
    expect(await verdictOf(node, `${name}&birth_year=1994`)).toBe("hit");
    expect(await verdictOf(node, `${name}&birth_year=1960`)).toBe("possible");
  });

  test("a year within a listed range of years of birth agrees, in each list's own form", async () => {
    const node = await createLoaded();
    for (const list of ["un", "eu", "uk"]) {
      const name = `lists=${list}&name=Abderrahmane+Ould+el+Amar`;
      const { data } = await run(node, `${name}&birth_year=1979`);
      expect([list, data.verdict, data.matches[0]?.birth_year_agrees]).toEqual([list, "hit", true]);
      expect([list, await verdictOf(node, `${name}&birth_year=1985`)]).toEqual([list, "possible"]);
    }
  });

  test("a file that lost entries is refused, and the last good one stays", async () => {
    const node = await createLoaded();
    node.clock.set(NOW_MS + 30 * HOUR_MS);
    node.upstreams.setFault("ofac", "truncated");
    expect(await node.takeInDatasets("trust-desk/ofac-sdn")).toEqual(["trust-desk/ofac-sdn"]);
    expect(await verdictOf(node, "name=Suex+OTC")).toBe("hit");
    expect((await run(node)).data.lists[0]?.taken_at).toBe("2026-10-01T12:34:56.000Z");
  });

  test("an entity without a name is reported, and costs no list", async () => {
    const node = createNode({
      async bend(answer, { provider }) {
        if (provider !== "un_sc") return answer;
        const nobody = "<INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME/></INDIVIDUAL></INDIVIDUALS>";
        return new Response((await answer.text()).replace("</INDIVIDUALS>", nobody));
      },
    });
    expect(await node.takeInDatasets("trust-desk/un")).toEqual([]);
    const { data, warnings } = await run(node, "lists=un&name=Suex+OTC");
    expect(data.verdict).toBe("hit");
    expect(warnings).toContain("lists.un: 1 entity has no name in it and cannot be found by one");
  });

  test("without any list there is no answer", async () => {
    expect((await refusalOf(run(createNode(), "name=Dmitry+Petrov"))).status).toBe(503);
  });
});
