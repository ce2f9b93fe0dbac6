import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { fred } from "./provider.ts";

/**
 * Series that may be sold, by the licence FRED states for each: in the public domain, or free with a citation. What is
 * not here (SP500, DJIA, NASDAQCOM, VIXCLS, ICE spreads, UMCSENT need the owner's approval) is never asked for.
 */
const SELLABLE = {
  public_domain: [
    ...["DGS1MO", "DGS3MO", "DGS1", "DGS2", "DGS5", "DGS10", "DGS30", "DFII10", "DFF", "WALCL", "M2SL", "CPIAUCSL"],
    ...["CPIAUCNS", "CPILFESL", "PPIFIS", "UNRATE", "PAYEMS", "PCEPI", "PCEPILFE", "GDPC1", "A191RL1Q225SBEA", "RSAFS"],
    ...["ICSA", "INDPRO", "JTSJOL", "DCOILWTICO", "DCOILBRENTEU", "DHHNGSP", "DTWEXBGS"],
  ],
  citation: [
    ...["T10Y2Y", "T10YIE", "SOFR", "RRPONTSYD", "NIKKEI225", "PCOPPUSDM", "PWHEAMTUSDM", "PMAIZMTUSDM", "PSOYBUSDM"],
    ...["PSUGAISAUSDM", "USEPUINDXD"],
  ],
} as const;
export type FredId = (typeof SELLABLE)["public_domain" | "citation"][number];

const ALLOWED = new Set<string>([...SELLABLE.public_domain, ...SELLABLE.citation]);

/** One observation. Days on which nothing was observed are left out, never filled. */
export interface FredObservation {
  /** The day, or the first day of the period, YYYY-MM-DD. */
  readonly date: string;
  readonly value: number;
}

const TTL_MS = 3_600_000;
const ROW = /^(\d{4}-\d{2}-\d{2}),(-?\d*\.?\d*)$/;

/** Observations of a file, oldest first, or why it cannot be read. */
export function readFredCSV(text: string, id: string): readonly FredObservation[] | Unusable {
  if (!text.endsWith("\n")) return unusable("the file is cut off");
  const [head, ...lines] = text.replaceAll("\r", "").trim().split("\n");
  if (head !== `observation_date,${id}`) return unusable("not a file of this series");
  const observations: FredObservation[] = [];
  for (const line of lines) {
    const [, date = "", value = ""] = ROW.exec(line) ?? [];
    if (date === "") return unusable(`"${line.slice(0, 40)}" is no observation`);
    if (/\d/.test(value)) observations.push({ date, value: Number(value) });
  }
  return observations.length > 0 ? observations : unusable("no observations");
}

/**
 * A series since a day.
 * @throws RangeError for a series that may not be sold.
 * @throws UpstreamError
 */
export async function fetchFredSeries(
  context: Pick<FetchContext, "get">,
  { id, since, ttl_ms = TTL_MS }: { readonly id: FredId; readonly since: string; readonly ttl_ms?: number },
): Promise<readonly FredObservation[]> {
  if (!ALLOWED.has(id)) throw new RangeError(`the licence of ${id} does not allow selling it`);
  return context.get(fred, {
    path: `/graph/fredgraph.csv?id=${id}&cosd=${since}`,
    format: "text",
    schema: Type.String({ minLength: 20 }),
    ttl_ms,
    read: (text) => readFredCSV(text, id),
  });
}
