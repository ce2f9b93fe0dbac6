import { type Static, Type } from "@sinclair/typebox";
import { type EachRow, type FetchContext, type Unusable, unusable, Whole } from "intel-node";
import { type Theatre, theatreOf } from "../../theatres/theatres.ts";
import { gdeltEvents } from "./provider.ts";

/** Mentions of all events of a place, of those that are material conflict, and the sum of Goldstein x mentions. */
const PlaceCount = Type.Tuple([Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 0 }), Type.Number()]);
export type PlaceCount = Static<typeof PlaceCount>;

/** What one file says: no row of it is kept. */
export const EventCounts = Type.Object({
  world: PlaceCount,
  /** Mentions of assault, fight and mass violence (event roots 18 to 20), whole world. */
  violence: Type.Integer({ minimum: 0 }),
  /** By FIPS 10-4 code, the countries of a theatre alone. */
  countries: Type.Record(Type.String(), PlaceCount),
  /** By theatre: the pages that report its most mentioned conflict events, with the mentions. */
  pages: Type.Record(Type.String(), Whole("parts", Type.Tuple([Type.String(), Type.Integer()]))),
});
export type EventCounts = Static<typeof EventCounts>;

export const QUARTER_MS = 900_000;
const COLUMNS = 61;
/** Places of the columns that are read; GDELT 2.0 event codebook, 2015. */
const AT = { root: 28, quad: 29, goldstein: 30, mentions: 31, country: 53, url: 60 } as const;
const MATERIAL_CONFLICT = "4";
const VIOLENT_ROOTS = new Set(["18", "19", "20"]);
const URL_CHARS_MAX = 500;
const PAGES_MAX = 3;
/** A file in which most rows cannot be read is not of this form. */
/** Counts over all of a file: with more rows missing they would be other counts. */
const READABLE_RATIO_MIN = 0.9;

/** `20261122151500.export.CSV.zip` of a quarter of an hour. */
export const fileNameOf = (at_ms: number): string =>
  `${new Date(at_ms).toISOString().replace(/\D/g, "").slice(0, 14)}.export.CSV.zip`;

const add = (to: PlaceCount, [mentions, conflict, goldstein]: PlaceCount): PlaceCount => [
  to[0] + mentions,
  to[1] + conflict,
  to[2] + goldstein,
];

function readRow(line: string) {
  const cells = line.split("\t");
  const [goldstein, mentions] = [Number(cells[AT.goldstein]), Number(cells[AT.mentions])];
  const is_row = cells.length === COLUMNS && /^[1-4]$/.test(cells[AT.quad] ?? "");
  if (!is_row || !(mentions > 0) || !Number.isSafeInteger(mentions) || !(Math.abs(goldstein) <= 10))
    return unusable("it is not an event");
  const is_conflict = cells[AT.quad] === MATERIAL_CONFLICT;
  const count: PlaceCount = [mentions, is_conflict ? mentions : 0, goldstein * mentions];
  const url = cells[AT.url] ?? "";
  const page = url.length <= URL_CHARS_MAX && /^https?:\/\/[^\s<>"]+$/.test(url) && URL.canParse(url) ? url : null;
  return { count, country: cells[AT.country] ?? "", is_violent: VIOLENT_ROOTS.has(cells[AT.root] ?? ""), page };
}

/** The counts of a file, or why it is unusable. Rows with another number of columns are skipped. */
export function readEventFile(text: string, eachRow: EachRow): EventCounts | Unusable {
  const lines = text.split("\n").filter((line) => line !== "");
  const rows = eachRow(lines, readRow, { floor: READABLE_RATIO_MIN });
  if (rows.length === 0) return unusable("there is no event in it");
  let [world, violence]: [PlaceCount, number] = [[0, 0, 0], 0];
  const countries: Record<string, PlaceCount> = {};
  const pages = new Map<Theatre, Map<string, number>>();
  for (const { count, country, is_violent, page } of rows) {
    world = add(world, count);
    if (is_violent) violence += count[0];
    const theatre = theatreOf(country);
    if (theatre === undefined) continue;
    countries[country] = add(countries[country] ?? [0, 0, 0], count);
    if (page === null || count[1] === 0) continue;
    const told = pages.get(theatre) ?? new Map<string, number>();
    told.set(page, Math.max(told.get(page) ?? 0, count[1]));
    pages.set(theatre, told);
  }
  const top = [...pages].map(([theatre, told]) => [
    theatre,
    [...told].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, PAGES_MAX),
  ]);
  return { world, violence, countries, pages: Object.fromEntries(top) };
}

/** The file of the quarter of an hour that ended at a time. @throws UpstreamError */
export function fetchEventFile(context: Pick<FetchContext, "get">, at_ms: number): Promise<EventCounts> {
  return context.get(gdeltEvents, {
    path: `/gdeltv2/${fileNameOf(at_ms)}`,
    format: "text",
    unpack: [{ kind: "zip", bytes_max: 20_000_000 }],
    schema: Type.String({ minLength: 1 }),
    ttl_ms: 0,
    read: (text, _, eachRow) => readEventFile(text, eachRow),
  });
}
