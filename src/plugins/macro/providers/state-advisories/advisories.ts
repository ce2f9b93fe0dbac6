import { Type } from "@sinclair/typebox";
import { type FetchContext, Whole } from "intel-node";
import { stateAdvisories } from "./provider.ts";

export interface Advisory {
  readonly country: string;
  /** 1 normal precautions, 2 increased caution, 3 reconsider travel, 4 do not travel. */
  readonly level: number;
  readonly url: string;
}

const Row = Type.Object({
  Title: Type.String({ maxLength: 300 }),
  Link: Type.String({ maxLength: 1_000 }),
});
const ADVISORIES_MIN = 100;
const COUNTRY_CHARS_MAX = 60;

/** "Qatar - Level 2: Exercise Increased Caution": the country before the dash, the level behind it. */
export function readTitle(title: string): { readonly country: string; readonly level: number } | null {
  const [, name = "", level = ""] = /^(.+?)\s*[-–]\s*Level\s+([1-4])\b/.exec(title) ?? [];
  const country = name.replace(/\s*Travel Advisory$/i, "").trim();
  return country === "" || country.length > COUNTRY_CHARS_MAX ? null : { country, level: Number(level) };
}

/** The advisory of every country, by name; of two for one country the higher. @throws UpstreamError */
export function fetchAdvisories(context: Pick<FetchContext, "get">): Promise<readonly Advisory[]> {
  return context.get(stateAdvisories, {
    path: "/api/TravelAdvisories",
    schema: Whole("screening", Row, { minItems: 1, maxItems: 1_000 }),
    ttl_ms: 0,
    read(rows) {
      const found = new Map<string, Advisory>();
      for (const { Title, Link } of rows) {
        const named = readTitle(Title);
        if (!named) continue;
        if (!/^https:\/\/travel\.state\.gov\//.test(Link)) return "an advisory links elsewhere";
        const known = found.get(named.country);
        if (!known || known.level < named.level) found.set(named.country, { ...named, url: Link });
      }
      // A list that lost countries would read as if their danger had passed.
      return found.size < ADVISORIES_MIN ? `only ${found.size} countries have a level` : [...found.values()];
    },
  });
}
