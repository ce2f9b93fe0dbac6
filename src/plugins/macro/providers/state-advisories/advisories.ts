import { type Static, Type } from "@sinclair/typebox";
import { cleanForeign, cutForeign, type FetchContext, getOwn, unusable, Whole } from "intel-node";
import { stateAdvisories } from "./provider.ts";

export interface Advisory {
  readonly country: string;
  /** 1 normal precautions, 2 increased caution, 3 reconsider travel, 4 do not travel. */
  readonly level: number;
  readonly url: string;
}

const Row = Type.Object({
  Title: Type.String(),
  Link: Type.String(),
  /** FIPS 10-4 codes of the places it is about. */
  Category: Type.Optional(Type.Union([Whole("parts", Type.String()), Type.Null()])),
});
const ADVISORIES_MIN = 100;
const COUNTRY_CHARS_MAX = 60;
const CODE_CHARS_MAX = 8;

/**
 * "Qatar - Level 2: Exercise Increased Caution": the country before the dash, the level behind it. A country that were
 * left out for the spelling of its title would read as if its danger had passed.
 */
export function readTitle(title: string): { readonly country: string; readonly level: number } | null {
  const [, name = "", level = ""] = /^(.+?)\s*[-\u2010-\u2015:,]?\s*\bLevel\s*([1-4])\b/i.exec(title) ?? [];
  const country = cleanForeign(name.replace(/\s*Travel Advisory$/i, ""), COUNTRY_CHARS_MAX);
  return country === "" ? null : { country, level: Number(level) };
}

/** Places that share the title of one page, by FIPS 10-4 code. */
const PLACES: Readonly<Record<string, string>> = {
  CH: "Mainland China",
  HK: "Hong Kong",
  MC: "Macau",
  IS: "Israel",
  WE: "West Bank",
  GZ: "Gaza",
};
const SUMMARIES = /\s*[-–]\s*See Summaries$/i;

type Coded = Advisory & { readonly codes: string };

/** Rows that share a title and are of several places ("See Summaries"), each under the name of its own place. */
function tellApart(rows: readonly Coded[]): readonly Advisory[] {
  return [...Map.groupBy(rows, ({ country }) => country)].flatMap(([country, group]) => {
    const is_shared = SUMMARIES.test(country) || new Set(group.map(({ codes }) => codes)).size > 1;
    const title = country.replace(SUMMARIES, "");
    return group.map(({ codes, level, url }) => ({
      level,
      url,
      country: !is_shared || codes === "" ? title : (getOwn(PLACES, codes) ?? `${title} (${codes})`),
    }));
  });
}

function readRow({ Title, Link, Category }: Static<typeof Row>): Coded | null {
  const codes = (Category ?? []).map((code) => cleanForeign(code, CODE_CHARS_MAX)).filter((code) => code !== "");
  const named = readTitle(Title);
  return named && { ...named, url: cutForeign(Link), codes: codes.toSorted().join(", ") };
}

/** The advisory of every place, by name; of two for one place the higher. @throws UpstreamError */
export function fetchAdvisories(context: Pick<FetchContext, "get">): Promise<readonly Advisory[]> {
  return context.get(stateAdvisories, {
    path: "/api/TravelAdvisories",
    schema: Whole("screening", Row, { minItems: 1, maxItems: 1_000 }),
    ttl_ms: 0,
    read(rows) {
      const named = rows.flatMap((row) => readRow(row) ?? []);
      if (!named.every(({ url }) => /^https:\/\/travel\.state\.gov\//.test(url)))
        return unusable("an advisory links elsewhere");
      const found = new Map<string, Advisory>();
      for (const one of tellApart(named)) {
        const known = found.get(one.country);
        if (!known || known.level < one.level) found.set(one.country, one);
      }
      // A list that lost countries would read as if their danger had passed.
      return found.size < ADVISORIES_MIN ? unusable(`only ${found.size} countries have a level`) : [...found.values()];
    },
  });
}
