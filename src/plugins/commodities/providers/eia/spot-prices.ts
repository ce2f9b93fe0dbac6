import { Type } from "@sinclair/typebox";
import { compareText, type FetchContext, parseNumber, unusable, Whole } from "intel-node";
import { eia } from "./provider.ts";

/** Its routes, and what each series is priced in. */
export const EIA_ROUTES = {
  RWTC: { route: "petroleum/pri/spt", units: "$/BBL" },
  RBRTE: { route: "petroleum/pri/spt", units: "$/BBL" },
  RNGWHHD: { route: "natural-gas/pri/fut", units: "$/MMBTU" },
} as const;
export type EIASeries = keyof typeof EIA_ROUTES;

/** Values are strings since version 2.1.6 of the interface. */
const Row = Type.Object({
  period: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  series: Type.String(),
  value: Type.Union([Type.String({ maxLength: 30 }), Type.Number(), Type.Null()]),
  units: Type.String({ maxLength: 30 }),
});
const Answer = Type.Object({ response: Type.Object({ data: Whole("series", Row, { minItems: 1, maxItems: 5_000 }) }) });

/** Enough for a year of trading days and a month before it. */
const ROWS = 300;

/** Daily observations, oldest first, in the unit of the route. @throws UpstreamError */
export function fetchEIASeries(
  context: Pick<FetchContext, "get">,
  series: EIASeries,
  ttl_ms: number,
): Promise<readonly { readonly date: string; readonly value: number }[]> {
  const { route, units } = EIA_ROUTES[series];
  const query = [
    ...["frequency=daily", "data[0]=value", `facets[series][]=${series}`],
    ...["sort[0][column]=period", "sort[0][direction]=desc", `length=${ROWS}`],
  ].join("&");
  return context.get(eia, {
    path: `/v2/${route}/data/?${query}`,
    schema: Answer,
    ttl_ms,
    read({ response: { data } }) {
      const rows = [];
      for (const { period: date, series: id, value: written, units: unit } of data) {
        if (id !== series || unit.toUpperCase() !== units) return unusable(`a row is ${id} in ${unit}`);
        const value = typeof written === "string" ? parseNumber(written, { locale: "en" }) : written;
        if (value === undefined) return unusable(`"${written}" is not a number`);
        if (value !== null) rows.push({ date, value });
      }
      return rows.length > 0 ? rows.toSorted((a, b) => compareText(a.date, b.date)) : unusable("no row has a value");
    },
  });
}
