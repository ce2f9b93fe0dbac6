import { Type } from "@sinclair/typebox";
import { type FetchContext, type ISODate, parseNumber, unusable, Whole } from "intel-node";
import { b3Index } from "./provider.ts";

type Context = Pick<FetchContext, "get">;

export interface IndexMember {
  readonly symbol: string;
  readonly weight_pct: number;
}

/** The page's parameters travel as base64 of JSON. */
const encode = (value: unknown): string => btoa(JSON.stringify(value));
const toNumber = (text: string): number => parseNumber(text, { locale: "en" }) ?? Number.NaN;
const WEIGHTS_SUM = { from: 97, to: 103 };

const Portfolio = Type.Object({
  results: Whole("sum", Type.Object({ cod: Type.String(), part: Type.String() }), { minItems: 10 }),
});

/**
 * Members of the Ibovespa with their weights today, percent.
 * @throws UpstreamError
 */
export function fetchMembers(context: Context): Promise<readonly IndexMember[]> {
  const asked = encode({ language: "en-us", pageNumber: 1, pageSize: 9999, index: "IBOV", segment: "2" });
  return context.get(b3Index, {
    path: `/indexProxy/indexCall/GetPortfolioDay/${asked}`,
    schema: Portfolio,
    ttl_ms: 0,
    read({ results }) {
      const members = results.map(({ cod, part }) => ({ symbol: cod.trim(), weight_pct: toNumber(part) }));
      const sum = members.reduce((total, { weight_pct }) => total + weight_pct, 0);
      if (members.some(({ weight_pct }) => !(weight_pct > 0))) return unusable("a weight is not above 0");
      // A comma taken for a point would make it hundreds of times that.
      return sum >= WEIGHTS_SUM.from && sum <= WEIGHTS_SUM.to ? members : unusable(`the weights add up to ${sum}`);
    },
  });
}

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);
const Cell = Type.Union([Type.String(), Type.Null()]);
const Levels = Type.Object({
  results: Whole(
    "series",
    Type.Object({
      day: Type.Integer({ minimum: 1, maximum: 31 }),
      ...Object.fromEntries(MONTHS.map((month) => [`rateValue${month}`, Type.Optional(Cell)])),
    }),
    { minItems: 1 },
  ),
});

export type IndexLevel = readonly [date: ISODate, points: number];
/** The Ibovespa was between these for twenty years, and can move far. */
const POINTS = { min: 5_000, max: 2_000_000 };

/**
 * Closing levels of the Ibovespa in a year, oldest first.
 * @throws UpstreamError
 */
export function fetchLevels(context: Context, year: number): Promise<readonly IndexLevel[]> {
  const asked = encode({ language: "en-us", index: "IBOV", year: String(year) });
  return context.get(b3Index, {
    path: `/indexStatisticsProxy/IndexCall/GetPortfolioDay/${asked}`,
    schema: Levels,
    ttl_ms: 0,
    read({ results }) {
      const levels: IndexLevel[] = [];
      for (const row of results as readonly Readonly<Record<string, string | number | null>>[]) {
        for (const month of MONTHS) {
          const text = row[`rateValue${month}`];
          if (typeof text !== "string") continue;
          const points = parseNumber(text, { locale: "en" });
          if (points === null) continue;
          if (points === undefined || points < POINTS.min || points > POINTS.max)
            return unusable(`"${text.slice(0, 20)}" is not a level`);
          levels.push([`${year}-${String(month).padStart(2, "0")}-${String(row.day).padStart(2, "0")}`, points]);
        }
      }
      if (levels.length === 0) return unusable("there is no level in it");
      return levels.sort((a, b) => (a[0] < b[0] ? -1 : 1));
    },
  });
}
