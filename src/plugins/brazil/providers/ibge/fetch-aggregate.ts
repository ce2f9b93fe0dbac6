import { Type } from "@sinclair/typebox";
import { type FetchContext, parseNumber, unusable, Whole } from "intel-node";
import type { SgsRow } from "../bcb-sgs/fetch-series.ts";
import { ibge } from "./provider.ts";

const Answer = Whole(
  "one",
  Type.Object({
    id: Type.String(),
    resultados: Whole(
      "one",
      Type.Object({
        series: Whole("one", Type.Object({ serie: Type.Record(Type.String(), Type.String()) }), { minItems: 1 }),
      }),
      { minItems: 1 },
    ),
  }),
  { minItems: 1, maxItems: 1 },
);

/** A table of IBGE's aggregates and the variable of it that is read. */
export interface Aggregate {
  readonly table: number;
  readonly variable: number;
  readonly range: readonly [min: number, max: number];
}

export const IPCA_MONTH: Aggregate = { table: 1737, variable: 63, range: [-5, 10] };
export const UNEMPLOYMENT: Aggregate = { table: 6381, variable: 4099, range: [2, 30] };

/**
 * The newest months of a table for the whole country, oldest first.
 * @throws UpstreamError
 */
export function fetchAggregate(
  context: Pick<FetchContext, "get">,
  { table, variable, range: [min, max] }: Aggregate,
  months: number,
): Promise<readonly SgsRow[]> {
  return context.get(ibge, {
    path: `/api/v3/agregados/${table}/periodos/-${months}/variaveis/${variable}?localidades=N1[all]`,
    schema: Answer,
    ttl_ms: 0,
    read([answer]) {
      if (answer?.id !== String(variable)) return unusable("it is another variable");
      const rows: SgsRow[] = [];
      for (const [period, text] of Object.entries(answer.resultados[0]?.series[0]?.serie ?? {})) {
        const value = parseNumber(text, { locale: "en" });
        if (!/^\d{6}$/.test(period) || value === undefined) return unusable("a period or a value cannot be read");
        if (value === null) continue;
        if (value < min || value > max) return unusable(`${value} in ${period} is outside ${min} to ${max}`);
        rows.push([`${period.slice(0, 4)}-${period.slice(4)}-01`, value]);
      }
      return rows.length === 0 ? unusable("it holds no value") : rows.sort((a, b) => (a[0] < b[0] ? -1 : 1));
    },
  });
}
