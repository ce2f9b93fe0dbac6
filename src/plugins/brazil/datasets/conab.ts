import { assertAboveFloor, column, daysBetween, defineDataset, parseNumber } from "intel-node";
import { median } from "intel-node/quant/stats";
import { conab } from "../providers/conab/provider.ts";

/**
 * Products as Conab writes them (product and kind), by what they are called here. Of several kinds the first one named
 * counts, where the state has it: popcorn is not corn, and a bag of conilon costs half one of arabica.
 */
const PRODUCTS: Readonly<Record<string, readonly RegExp[]>> = {
  soy: [/^SOJA EM GR[ÃA]OS?$/],
  corn: [/^MILHO EM GR[ÃA]OS?$/],
  cattle: [/^BOI GORDO$/],
  coffee: [/^CAF[ÉE] AR[ÁA]BICA TIPO 6\b/, /^CAF[ÉE] AR[ÁA]BICA\b/],
  wheat: [/^TRIGO P[ÃA]O, PH 78, TIPO 1$/, /^TRIGO P[ÃA]O, PH 80, TIPO 1$/, /^TRIGO P[ÃA]O\b/],
};

/** A line's subject, and the rank of its kind in the list; null for another product. */
function findProduct(product: string, kind: string): { readonly product: string; readonly rank: number } | null {
  const text = `${product.trim()} ${kind.trim()}`;
  for (const [name, kinds] of Object.entries(PRODUCTS)) {
    const rank = kinds.findIndex((pattern) => pattern.test(text));
    if (rank >= 0) return { product: name, rank };
  }
  return null;
}

const FARM_GATE = "PREÇO RECEBIDO P/ PR";
/** A year and a bit, so that today's week has one of a year ago. */
const WEEKS_KEPT = 60;
/** An extra digit or a lost comma is not a price. */
const [FACTOR_MIN, FACTOR_MAX] = [0.2, 5];

interface Row {
  readonly product: string;
  /** Of its kind: 0 is the one that is meant. */
  readonly rank: number;
  readonly uf: string;
  readonly week_start: string;
  readonly week_end: string;
  readonly brl_per_kg: number;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const toISO = (text: string): string => text.trim().split("-").reverse().join("-");

/** A line of the file; null for another product or level, and for a week without a price; a text where it is odd. */
function readLine(line: Readonly<Record<string, string>>): Row | string | null {
  const cell = (name: string): string => (line[name] ?? "").trim();
  const found = findProduct(cell("produto"), cell("classificao_produto"));
  if (!found || !cell("dsc_nivel_comercializacao").startsWith(FARM_GATE)) return null;
  const [from = "", to = ""] = cell("data_inicial_final_semana").split(" - ");
  const price = parseNumber(cell("valor_produto_kg"), { locale: "pt-BR" });
  if (price === undefined || price === null || !(price > 0)) return null;
  const [week_start, week_end] = [toISO(from), toISO(to)];
  if (![week_start, week_end].every((day) => DAY.test(day))) return `"${from.slice(0, 20)}" is not a day`;
  return { ...found, uf: cell("uf"), week_start, week_end, brl_per_kg: price };
}

/**
 * Rows of the last weeks, those left out that are far from their own year: the median of the price's own product and
 * state.
 * @throws Error when the file is old.
 */
export function keepCredible(rows: readonly Row[]): readonly Omit<Row, "rank">[] {
  const newest =
    rows
      .map(({ week_end }) => week_end)
      .sort()
      .at(-1) ?? "";
  const recent = rows.filter(({ week_start }) => daysBetween(week_start, newest) < WEEKS_KEPT * 7);
  const groups = Map.groupBy(recent, ({ product, uf }) => `${product}/${uf}`);
  const kept = new Map<string, Row>();
  for (const [name, all] of groups) {
    // A series of one kind: prices of two would look like jumps.
    const best = Math.min(...all.map(({ rank }) => rank));
    const group = all.filter(({ rank }) => rank === best);
    const usual = median(group.map(({ brl_per_kg }) => brl_per_kg)) ?? 0;
    for (const row of group) {
      const factor = row.brl_per_kg / usual;
      const key = `${name}/${row.week_start}`;
      if (factor >= FACTOR_MIN && factor <= FACTOR_MAX && !kept.has(key)) kept.set(key, row);
    }
  }
  return [...kept.values()].map(({ rank: _, ...row }) => row);
}

/** Farm-gate prices of the last 60 weeks by product and state. */
export const dataset = defineDataset({
  name: "brazil/conab",
  schedule: "0 8 * * 2-6",
  providers: [conab],
  deadline_ms: 300_000,
  columns: {
    product: column.text(),
    uf: column.text(),
    week_start: column.text(),
    week_end: column.text(),
    brl_per_kg: column.real(),
  },
  key: ["product", "uf", "week_start"],
  indexes: [["week_start"]],
  max_age: "14d",
  async fetch(context) {
    const file = await context.fetchFile(conab, {
      path: "/downloads/arquivos/PrecosSemanalUF.txt",
      bytes_min: context.simulated ? 100 : 5_000_000,
    });
    const version = file.sha256.slice(0, 16);
    if (version === context.current?.version) return null;
    return { version, published_at_ms: null, files: { prices: file } };
  },
  async *parse(files) {
    const rows: Row[] = [];
    const faults: string[] = [];
    for await (const line of files.csv("prices", { delimiter: ";", charset: "latin1" })) {
      const row = readLine(line);
      if (typeof row === "string") faults.push(row);
      else if (row) rows.push(row);
    }
    assertAboveFloor({ dropped: faults.length, of: rows.length + faults.length }, faults[0] ?? "");
    yield* keepCredible(rows);
  },
});
