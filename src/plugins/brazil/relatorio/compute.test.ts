import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createBrazilNode } from "../../../../test/helpers/brazil-parts.ts";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { listUntraceable } from "../../../../test/helpers/stranger-reads.ts";
import { NodeError } from "../../../core/errors.ts";
import { createSentences } from "../../../grounding/sentences.ts";
import { listRisks } from "../written/risks.ts";
import { computeRelatorio } from "./compute.ts";
import { fetchRelatorio, type RelatorioInputs } from "./fetch.ts";
import { planRelatorio } from "./plan.ts";
import { product } from "./product.ts";

let node: SimulatedNode;
let inputs: RelatorioInputs;
beforeAll(async () => {
  node = await createBrazilNode();
  inputs = await fetchRelatorio(node.createContext());
});
afterAll(() => node.close());

const now_ms = Date.UTC(2026, 0, 13, 1);
const FAILED = { ok: false, error: new NodeError("upstream_unavailable", "gone") } as const;

/** The inputs with some figures of the macro product. */
function withSelic(selic: object): RelatorioInputs {
  const { macro } = inputs.parts;
  if (!macro.ok) throw new Error("no macro");
  const data = { ...macro.value.data, selic: { ...macro.value.data.selic, ...selic } };
  return { ...inputs, parts: { ...inputs.parts, macro: { ok: true, value: { ...macro.value, data } } } };
}

/** What a section says of some inputs. */
function say(from: RelatorioInputs, id: string): string {
  const plan = planRelatorio(from);
  const write = createSentences(plan.pack, "pt-BR");
  plan.blocks.find((one) => one.id === id)?.template(write);
  return write.block(id)?.text ?? "";
}

describe("GET /relatorio", () => {
  test("has every section, in order, with its table, and matches its schema", () => {
    const { data, warnings } = computeRelatorio(inputs, { now_ms });
    expect([...Value.Errors(product.data, data)]).toEqual([]);
    expect(data.sections.map(({ id }) => id)).toEqual([
      ...["resumo", "juros_inflacao", "curva", "bolsa_cambio", "fiscal_externo", "agro", "cripto", "agenda"],
      ...["riscos", "dados", "metodologia"],
    ]);
    expect(data.sections.filter(({ text }) => text.includes("indisponíveis"))).toEqual([]);
    expect(warnings).toEqual([]);
    expect(data).toMatchObject({ edition: "pos_fechamento", language: "pt-BR" });
    expect(data.title).toContain("12/01/2026");
    expect(data.markdown.length).toBeLessThan(30_000);
  });

  test("every block can be traced with nothing but the answer: its days and figures are facts it cites", () => {
    const { data } = computeRelatorio(inputs, { now_ms });
    expect(listUntraceable(data, "pt-BR")).toEqual([]);
    expect(data.facts.some(({ id, unit }) => unit === "day" && data.blocks.some((one) => one.facts.includes(id)))).toBe(
      true,
    );
  });

  test("the text keeps to its facts, and follows each of them", () => {
    expect(expectGrounded(planRelatorio(inputs))).toBeGreaterThan(35);
  });

  test("says the published sentence on interest rates, to the letter", () => {
    const given = withSelic({ target_pct: 15, since_date: "2025-06-18", next_meeting_date: "2026-01-28" });
    expect(say(given, "juros_inflacao")).toStartWith(
      "A meta da Selic está em 15% ao ano desde 18/06/2025; a próxima decisão do Copom é em 28/01/2026.",
    );
  });

  test("a curve made of bonds, which begin years ahead, leaves facts out and names each of them", () => {
    const { curve: part } = inputs.parts;
    if (!part.ok) throw new Error("no curve");
    const curve = part.value.data.curve.map((one) => (one.tenor === "1y" ? { ...one, nominal: null } : one));
    const value = { ...part.value, data: { ...part.value.data, curve, copom_path: null } };
    const parts = { ...inputs.parts, curve: { ok: true, value } as const };
    const { data, warnings } = computeRelatorio({ ...inputs, parts }, { now_ms });
    expect(data.facts.filter(({ name }) => ["di_1y", "next_step", "next_rate"].includes(name))).toEqual([]);
    expect(warnings).toEqual(["facts: /br-curve has no di_1y, next_step, next_rate"]);
  });

  test("writes figures as the language does", () => {
    expect(say(inputs, "curva")).toContain("O DI de 1 ano fechou em 13,69% (");
    expect(say(inputs, "fiscal_externo")).toMatch(/US\$ \d+,\d+ bilhões/);
  });

  test("nouns and verbs agree with their number", () => {
    const { macro, equity } = inputs.parts;
    if (!macro.ok || !equity.ok) throw new Error("a part is missing");
    const withEvents = (count: number): RelatorioInputs => {
      const calendar = (macro.value.data.calendar ?? []).slice(0, count);
      const value = { ...macro.value, data: { ...macro.value.data, calendar } };
      return { ...inputs, parts: { ...inputs.parts, macro: { ok: true, value } } };
    };
    expect(say(withEvents(1), "agenda")).toContain("a agenda tem 1 divulgação ou decisão.");
    expect(say(withEvents(2), "agenda")).toContain("a agenda tem 2 divulgações e decisões.");
    const withAdvancers = (advancers: number): RelatorioInputs => {
      const { members } = equity.value.data;
      const data = { ...equity.value.data, members: members && { ...members, advancers } };
      return { ...inputs, parts: { ...inputs.parts, equity: { ok: true, value: { ...equity.value, data } } } };
    };
    expect(say(withAdvancers(1), "bolsa_cambio")).toMatch(/No índice, 1 papel de \d+ subiu \(/);
    expect(say(withAdvancers(7), "bolsa_cambio")).toMatch(/No índice, 7 papéis de \d+ subiram \(/);
    const withRatio = (value: number) => {
      const plan = planRelatorio(inputs);
      const facts = plan.pack.facts.map((fact) => (fact.name === "cattle_corn" ? { ...fact, value } : fact));
      const write = createSentences({ ...plan.pack, facts }, "pt-BR");
      plan.blocks.find(({ id }) => id === "agro")?.template(write);
      return write.block("agro")?.text ?? "";
    };
    expect(withRatio(1.87)).toContain("compra 1,87 saca de milho");
    expect(withRatio(2)).toContain("compra 2 sacas de milho");
    const listed = listRisks(inputs.parts).filter(({ triggered }) => triggered).length;
    expect(say(inputs, "riscos")).toContain(listed === 1 ? "1 está acionado" : `${listed} estão acionados`);
  });

  test("every table is in Portuguese, with its own form of numbers, days and units", () => {
    const { data } = computeRelatorio(inputs, { now_ms });
    const rows = data.sections.find(({ id }) => id === "dados")?.table?.rows ?? [];
    expect(rows.length).toBeGreaterThan(40);
    const english = new Set(data.facts.map(({ label }) => label));
    const left = rows.map(([label = ""]) => label).filter((label) => english.has(label));
    expect(left).toEqual([]);
    for (const [label = "", value = "", date = ""] of rows) {
      expect([label, value]).toEqual([label, value.replace(/\d[.]\d(?!\d{2})/, "decimal point")]);
      expect(date).toMatch(/^\d{2}\/\d{2}\/\d{4}$/);
    }
    expect(data.markdown).not.toMatch(/ {2}\S| ,|\.\.| \.|\d \d{3}/);
  });

  test("triggers are on beyond their threshold, and unknown without a value", () => {
    const of = (id: string, parts = inputs.parts) => listRisks(parts).find((one) => one.id === id);
    expect(of("ipca_above_band")).toMatchObject({ threshold: 4.5, triggered: false });
    expect(of("ibov_drawdown_pct", { ...inputs.parts, equity: FAILED })).toMatchObject({
      value: null,
      triggered: null,
    });
  });

  test("a missing section stays, says so, and has a warning", () => {
    const { data, warnings } = computeRelatorio({ ...inputs, crypto: FAILED }, { now_ms });
    expect(data.sections.find(({ id }) => id === "cripto")?.text).toBe("Dados indisponíveis nesta edição.");
    expect(warnings).toContain("sections.cripto: /market-brief could not be had");
  });

  test("without interest rates nothing is sold", () => {
    const parts = { ...inputs.parts, macro: FAILED };
    expect(() => computeRelatorio({ ...inputs, parts }, { now_ms })).toThrow(NodeError);
  });
});
