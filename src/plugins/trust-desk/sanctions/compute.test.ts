import { describe, expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { LIST_IDS, type ListingRow } from "../lists/sanction-lists.ts";
import type { ChainFlags } from "../screens/oracle.ts";
import { computeSanctions } from "./compute.ts";
import type { ListState, SanctionsFound, SanctionsInputs } from "./fetch.ts";
import type { SanctionsData } from "./schema.ts";

const NOW_MS = Date.UTC(2026, 9, 1);
const PARAMS = { name: "x", type: "any", threshold: 0.82 } as const;
const ROW: ListingRow = {
  row: 1,
  entity_id: "7",
  entity_type: "person",
  primary_name: "A, B",
  kind: "alias",
  name: "B A",
  currency: null,
  programs: "ONE; TWO",
  listed_on: null,
  birth_years: "1970 1971",
};
const version = { version: "2026-10-01 sha256:ab", published_at_ms: NOW_MS, taken_at_ms: NOW_MS, rows: 3 };
const list = (id: ListState["id"], fault: string | null = null): ListState => ({
  id,
  version: fault === null ? version : null,
  fault,
  unnamed: 0,
});
const said = (chain: "ethereum" | "base", is_sanctioned: boolean | null) => ({
  chain,
  block_at_ms: NOW_MS,
  is_sanctioned,
  frozen: {},
});
const flags = (ethereum: boolean | null, base: boolean | null): ChainFlags => ({
  ethereum: said("ethereum", ethereum),
  base: said("base", base),
});
const inputs = (change: Partial<SanctionsInputs> = {}): SanctionsInputs => ({
  read_at_ms: NOW_MS,
  query: "x",
  wallets: null,
  wallet_chain: null,
  flags: null,
  found: [],
  lists: LIST_IDS.map((id) => list(id)),
  ...change,
});
const found = (band: "exact" | "strong" | "possible", score = 0.96): SanctionsFound => ({
  list: "un",
  row: ROW,
  match: { listed: { id: "1", name: "B A", kind: "alias" }, score, band, aligned: [] },
});
const judge = (change: Partial<SanctionsInputs>, params = {}): string => {
  try {
    return String(settled<SanctionsData>(computeSanctions(inputs(change), { ...PARAMS, ...params })).data.verdict);
  } catch {
    return "uncharged";
  }
};

/** The better a verdict, the higher. */
const RANK: Readonly<Record<string, number>> = { hit: 0, possible: 1, incomplete: 2, uncharged: 2, clear: 3 };

describe("the verdict", () => {
  test("of a name follows the best band", () => {
    expect(judge({ found: [found("exact")] })).toBe("hit");
    expect(judge({ found: [found("strong")] })).toBe("hit");
    expect(judge({ found: [found("possible", 0.9)] })).toBe("possible");
    expect(judge({})).toBe("clear");
  });

  test("of a person who was born in another year is possible, never clear", () => {
    expect(judge({ found: [found("exact")] }, { birth_year: 1972 })).toBe("hit");
    expect(judge({ found: [found("exact")] }, { birth_year: 1990 })).toBe("possible");
  });

  test("of a person who was born within a listed range of years is a hit", () => {
    const person = found("exact");
    const asked = (birth_years: string, birth_year: number) =>
      settled<SanctionsData>(
        computeSanctions(inputs({ found: [{ ...person, row: { ...ROW, birth_years } }] }), { ...PARAMS, birth_year }),
      ).data;
    expect(asked("1977-1982", 1979)).toMatchObject({ verdict: "hit", matches: [{ birth_year_agrees: true }] });
    expect(asked("1977-1982", 1985)).toMatchObject({ verdict: "possible", matches: [{ birth_year_agrees: false }] });
    expect(asked("~1968", 1972)).toMatchObject({ verdict: "hit", matches: [{ birth_year_agrees: true }] });
    expect(asked("", 1972)).toMatchObject({ verdict: "hit", matches: [{ birth_year_agrees: null }] });
  });

  test("leaves out what is not of the asked type", () => {
    expect(judge({ found: [found("exact")] }, { type: "entity" })).toBe("clear");
    expect(judge({ found: [found("exact")] }, { type: "person" })).toBe("hit");
  });

  test("never improves when inputs are taken away, one by one and in pairs", () => {
    const cases: readonly Partial<SanctionsInputs>[] = [
      {},
      { found: [found("strong")] },
      { found: [found("possible", 0.85)] },
      { wallet_chain: "evm", flags: flags(false, false) },
      { wallet_chain: "evm", flags: flags(true, false) },
      { wallet_chain: "evm", flags: flags(false, true) },
    ];
    const without = (id: ListState["id"]) => (one: SanctionsInputs) => ({
      ...one,
      lists: one.lists.map((have) => (have.id === id ? list(id, "it was not taken in yet") : have)),
      found: one.found.filter((hit) => hit.list !== id || one.query === "x"),
    });
    const silent = (chain: "ethereum" | "base") => (one: SanctionsInputs) => ({
      ...one,
      flags: one.flags && { ...one.flags, [chain]: null },
    });
    const removals = [...LIST_IDS.map(without), silent("ethereum"), silent("base")];
    for (const one of cases) {
      const whole = RANK[judge(one)] ?? -1;
      for (const first of removals) {
        for (const second of removals) {
          const rest = second(first(inputs(one)));
          // A hit of one oracle is not cleared by the other one's "no".
          const rank = RANK[judge(rest)] ?? -1;
          if (one.flags?.ethereum?.is_sanctioned !== true && one.flags?.base?.is_sanctioned !== true) {
            expect(rank).toBeLessThanOrEqual(whole);
          }
          const is_less = one.flags !== undefined || rest.lists.some(({ fault }) => fault !== null);
          if (is_less) expect(judge(rest)).not.toBe("clear");
        }
      }
    }
  });

  test("is null for the state of the lists, and says so", () => {
    const { data, warnings } = settled<SanctionsData>(computeSanctions(inputs({ query: null }), PARAMS));
    expect(data.verdict).toBeNull();
    expect(warnings.some((text) => text.startsWith("query, query_type, verdict:"))).toBe(true);
  });
});
