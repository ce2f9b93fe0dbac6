import { Type } from "@sinclair/typebox";
import { addDays, type FetchContext, type ISODate, parseNumber, type Unusable, unusable, Whole } from "intel-node";
import type { SGSSeries } from "../../macro/series.ts";
import { bcbSGS } from "./provider.ts";

/** An observation: its day, or the first day of its month; in the series' unit. */
export type SgsRow = readonly [date: ISODate, value: number];

const Row = Type.Object({ data: Type.String({ pattern: "^\\d{2}/\\d{2}/\\d{4}$" }), valor: Type.String() });
const Answer = Whole("series", Row, { minItems: 1 });

const toBrazilian = (date: ISODate): string => date.split("-").reverse().join("/");
const toISO = (date: string): ISODate => date.split("/").reverse().join("-");

/** @returns the reason to refuse it: a value that the series cannot have. */
export function readSeries(
  rows: readonly { readonly data: string; readonly valor: string }[],
  { code, range: [min, max] }: SGSSeries,
  today: ISODate,
): readonly SgsRow[] | Unusable {
  const found: SgsRow[] = [];
  for (const { data, valor } of rows) {
    const value = parseNumber(valor, { locale: "en" });
    if (value === undefined) return unusable(`"${valor.slice(0, 20)}" is not a number`);
    const date = toISO(data);
    // Targets are printed ahead of their days.
    if (value === null || date > today) continue;
    if (value < min || value > max)
      return unusable(`${value} on ${date} cannot be series ${code}: it is outside ${min} to ${max}`);
    found.push([date, value]);
  }
  if (found.length === 0) return unusable("it holds no observation");
  return found.sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

/**
 * A series' observations up to today, oldest first. Daily ones have to be asked for by dates.
 * @throws UpstreamError
 */
export function fetchSeries(
  context: Pick<FetchContext, "get">,
  series: SGSSeries,
  today: ISODate,
): Promise<readonly SgsRow[]> {
  const window = `dataInicial=${toBrazilian(addDays(today, -series.days))}&dataFinal=${toBrazilian(today)}`;
  return context.get(bcbSGS, {
    path: `/dados/serie/bcdata.sgs.${series.code}/dados?formato=json&${window}`,
    schema: Answer,
    ttl_ms: 0,
    read: (rows) => readSeries(rows, series, today),
  });
}
