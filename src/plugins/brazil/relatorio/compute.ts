import {
  type Computed,
  formatNumber,
  renderMarkdown,
  showFact,
  toLocal,
  type Write,
  writeByTemplates,
} from "intel-node";
import { assertParts, dataOf, newestOf, warnOfParts } from "../written/parts.ts";
import { labelInPortuguese } from "../written/portuguese-labels.ts";
import { listRisks } from "../written/risks.ts";
import type { RelatorioInputs } from "./fetch.ts";
import { planRelatorio } from "./plan.ts";
import type { RelatorioData } from "./schema.ts";

const ZONE = "America/Sao_Paulo";
const NOON_MIN = 12 * 60;
const MISSING = "Dados indisponíveis nesta edição.";

const HEADINGS: readonly (readonly [id: string, heading: string])[] = [
  ["resumo", "Resumo executivo"],
  ["juros_inflacao", "Juros e inflação"],
  ["curva", "Curva de juros"],
  ["bolsa_cambio", "Bolsa e câmbio"],
  ["fiscal_externo", "Contas públicas e externas"],
  ["agro", "Agro"],
  ["cripto", "Cripto"],
  ["agenda", "Agenda"],
  ["riscos", "Riscos"],
];
const METHOD =
  "Os números vêm dos produtos do nó para o Brasil e para cripto, com as fontes listadas na resposta. Cada " +
  "número, data e nome das frases é conferido contra a tabela de dados. Não é recomendação de investimento.";

type Section = RelatorioData["sections"][number];
type Table = NonNullable<Section["table"]>;

const brazilian = (iso: string): string => iso.slice(0, 10).split("-").toReversed().join("/");

/** Releases and decisions, by their time in Brazil. */
function tableOfAgenda(inputs: RelatorioInputs): Table | null {
  const events = dataOf(inputs.parts, "macro")?.calendar;
  if (!events || events.length === 0) return null;
  const rows = events
    .slice(0, 40)
    .map(({ time_utc, title, source }) => [brazilian(time_utc), title, source.toUpperCase()]);
  return { columns: ["Data", "Evento", "Fonte"], rows };
}

const SIM = new Map<boolean | null, string>([
  [true, "sim"],
  [false, "não"],
  [null, "desconhecido"],
]);

/** Cells of a row in Markdown: a bar would end one. */
const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "/")).join(" | ")} |`;
const renderTable = ({ columns, rows }: Table): string =>
  [row(columns), row(columns.map(() => "---")), ...rows.map(row)].join("\n");

/** The facts a section shows, as its table. */
function tableOfFacts(facts: RelatorioData["facts"], ids: ReadonlySet<string> | null): Table {
  const shown = facts.filter(({ id }) => ids === null || ids.has(id));
  return {
    columns: ["Dado", "Valor", "Data", "Fonte"],
    rows: shown.map((fact) => [labelInPortuguese(fact), showFact(fact, "pt-BR"), brazilian(fact.as_of), fact.from]),
  };
}

function listSections(inputs: RelatorioInputs, written: ReturnType<typeof writeByTemplates>["written"]): Section[] {
  const number = (value: number) => formatNumber(value, { locale: "pt-BR" });
  const risks: Table = {
    columns: ["Gatilho", "Acionado", "Valor", "Limite"],
    rows: listRisks(inputs.parts).map(({ id, triggered, value, threshold }) => [
      ...[id, SIM.get(triggered) ?? ""],
      ...[value === null ? "-" : number(value), number(threshold)],
    ]),
  };
  const sections = HEADINGS.map(([id, heading]): Section => {
    const block = written.blocks.find((one) => one.id === id);
    const table = block ? tableOfFacts(written.facts, new Set(block.facts)) : null;
    const own = id === "agenda" ? tableOfAgenda(inputs) : id === "riscos" ? risks : id === "resumo" ? null : table;
    return { id, heading, table: own, text: block?.text ?? MISSING, written_by: block?.written_by ?? null };
  });
  return [
    ...sections,
    { id: "dados", heading: "Tabela de dados", table: tableOfFacts(written.facts, null), text: "", written_by: null },
    { id: "metodologia", heading: "Metodologia e fontes", table: null, text: METHOD, written_by: null },
  ];
}

/**
 * The daily report in Portuguese.
 * @throws NodeError when two of interest rates, curve and exchange are missing.
 */
export function computeRelatorio(
  inputs: RelatorioInputs,
  { now_ms, write = writeByTemplates }: { readonly now_ms: number; readonly write?: Write },
): Computed<RelatorioData> {
  const { parts, crypto } = inputs;
  assertParts(parts, ["macro", "curve"], "relatorio");
  const plan = planRelatorio(inputs);
  const { written, warnings } = write(plan);
  const sections = listSections(inputs, written);
  const local = toLocal(ZONE, now_ms);
  const title = `Relatório de mercado do Brasil - ${brazilian(local.date)}`;
  const markdown = renderMarkdown(
    title,
    sections.map(({ heading, text, table }) => ({
      heading,
      text: [text, table ? renderTable(table) : ""].filter((one) => one !== "").join("\n\n"),
    })),
  );
  return {
    as_of_ms: newestOf(parts),
    warnings: [
      ...warnOfParts(parts, { equity: "sections.bolsa_cambio", agro: "sections.agro" }),
      ...(crypto.ok ? [] : ["sections.cripto: /market-brief could not be had"]),
      ...listRisks(parts).flatMap(({ id, value }) => (value === null ? [`risks.${id}: its value is unknown`] : [])),
      ...plan.warnings,
      ...warnings,
    ],
    data: {
      title,
      edition: local.minutes < NOON_MIN ? "pre_abertura" : "pos_fechamento",
      language: "pt-BR",
      markdown,
      sections,
      risks: listRisks(parts).map((one) => ({ ...one })),
      word_count: markdown.split(/\s+/).length,
      ...written,
    },
  };
}
