import { type Computed, type Draft, missing, missingIn, NodeError } from "intel-node";
import { isBirthYearListed } from "../lists/birth-years.ts";
import { foldWallet } from "../lists/listing.ts";
import { SANCTION_LISTS } from "../lists/sanction-lists.ts";
import { type ChainFlags, isOracleListed } from "../screens/oracle.ts";
import type { ListState, SanctionsFound, SanctionsInputs } from "./fetch.ts";
import type { SanctionsData, SanctionsMatch, SanctionsParams, ScreenVerdict } from "./schema.ts";

const MATCHES_MAX = 20;
const SCOPE_NOTE =
  "Not a legal opinion. Not evaluated: ownership and control (such as OFAC's 50 percent rule), lists of other " +
  "countries, addresses that belong to a listed entity but stand in no list (OFAC says its own are not exhaustive).";

const toISO = (at_ms: number | null | undefined): string | null =>
  at_ms === null || at_ms === undefined ? null : new Date(at_ms).toISOString();

type EntityType = SanctionsMatch["entity_type"];
const isEntityType = (text: string): text is EntityType => ["person", "entity", "vessel", "aircraft"].includes(text);
const toKind = (kind: string): SanctionsMatch["match_kind"] =>
  kind === "primary" || kind === "weak" || kind === "wallet" ? kind : "alias";

function toMatch({ list, row, match }: SanctionsFound, birth_year: number | undefined): SanctionsMatch {
  return {
    list,
    entity_id: row.entity_id,
    primary_name: row.primary_name,
    matched_name: row.name,
    match_kind: toKind(row.kind),
    entity_type: isEntityType(row.entity_type) ? row.entity_type : "entity",
    programs: row.programs.split("; ").filter((one) => one !== ""),
    score: match?.score ?? 1,
    band: match?.band ?? "exact",
    aligned: (match?.aligned ?? []).map((one) => ({ ...one })),
    birth_year_agrees: birth_year === undefined ? null : isBirthYearListed(row.birth_years, birth_year),
    listed_on: row.listed_on,
    wallet_currency: row.currency,
  };
}

const ORDER = { exact: 0, strong: 1, possible: 2 } as const;
const compare = (a: SanctionsMatch, b: SanctionsMatch): number => ORDER[a.band] - ORDER[b.band] || b.score - a.score;

const isWanted = ({ entity_type }: SanctionsMatch, type: SanctionsParams["type"]): boolean =>
  type === "any" || (type === "person") === (entity_type === "person");

/** A name is a hit when it is exact or strong, unless the years of birth speak against it. */
const isHit = ({ band, birth_year_agrees }: SanctionsMatch): boolean =>
  band !== "possible" && birth_year_agrees !== false;

const isHex = (wallet: string): boolean => /^0x/i.test(wallet);

/** The wallets on a list, as requested. */
function findListed({ wallets, found }: SanctionsInputs): readonly string[] {
  const listed = new Set(found.map(({ row }) => row.name));
  return (wallets ?? []).filter((wallet) => listed.has(foldWallet(wallet)));
}

function judge(matches: readonly SanctionsMatch[], inputs: SanctionsInputs): ScreenVerdict {
  const { flags, lists, wallets } = inputs;
  const oracle = flags && isOracleListed(flags);
  if (oracle === true || matches.some(isHit)) return "hit";
  if (matches.length > 0) return "possible";
  const is_unasked = wallets?.some(isHex) ?? false;
  const is_whole = lists.every(({ fault }) => fault === null) && !is_unasked && (flags === null || oracle === false);
  return is_whole ? "clear" : "incomplete";
}

const describeList = ({ id, version, fault, unnamed }: ListState): SanctionsData["lists"][number] => ({
  id,
  title: SANCTION_LISTS[id].title,
  fresh: fault === null,
  fault,
  published_at: toISO(version?.published_at_ms),
  taken_at: toISO(version?.taken_at_ms),
  sha256: version?.version.split("sha256:")[1] ?? null,
  rows: (version?.rows ?? 0) - unnamed,
});

/** A list with its faults, if any. */
const explainList = (list: ListState): Draft<SanctionsData["lists"][number]> => ({
  ...missingIn(describeList(list), "no file of it was taken in, or it is not dated"),
  fault: list.fault,
});

const describeOracle = (flags: ChainFlags | null): SanctionsData["oracle"] =>
  flags && { ethereum: flags.ethereum?.is_sanctioned ?? null, base: flags.base?.is_sanctioned ?? null };

const DAY_MS = 86_400_000;
const AGE_TOLD_DAYS = 7;
/** A freshly imported list can still be a week old at its publisher: that is reported, but not a fault. */
function describeAge({ id, version }: ListState, now_ms: number): string | null {
  if (!version || version.published_at_ms === null || SANCTION_LISTS[id].published_max_ms === null) return null;
  const days = Math.floor((now_ms - version.published_at_ms) / DAY_MS);
  return days >= AGE_TOLD_DAYS
    ? `lists.${id}: its publisher dated it ${days} days ago, no newer edition was seen`
    : null;
}

const describeUnnamed = ({ id, unnamed }: ListState): string =>
  `lists.${id}: ${unnamed} ${unnamed === 1 ? "entity has" : "entities have"} no name in it and cannot be found by one`;

/** What was not asked for, and what is not as it should be with the lists. */
function listWarnings({ lists, query, wallets, read_at_ms }: SanctionsInputs): readonly string[] {
  return [
    ...(query === null ? ["query, query_type, verdict: nothing was asked for; this is the state of the lists"] : []),
    ...(wallets?.some(isHex) ? ["oracle: it is not asked about several wallets at once; ask for one by name"] : []),
    ...lists.filter(({ fault }) => fault !== null).map(({ id, fault }) => `lists.${id}: ${fault}`),
    ...lists.filter(({ fault }) => fault === null).flatMap((list) => describeAge(list, read_at_ms) ?? []),
    ...lists.filter(({ unnamed }) => unnamed > 0).map(describeUnnamed),
  ];
}

/**
 * @throws NodeError upstream_unavailable when nothing was found and OFAC's list is missing or old: "not found" would
 * be worth nothing.
 */
export function computeSanctions(inputs: SanctionsInputs, params: SanctionsParams): Computed<Draft<SanctionsData>> {
  const { query, wallet_chain, lists, found, flags } = inputs;
  const all = found.map((one) => toMatch(one, params.birth_year));
  const matches = (
    wallet_chain === null && inputs.wallets === null ? all.filter((one) => isWanted(one, params.type)) : all
  )
    .sort(compare)
    .slice(0, MATCHES_MAX);
  const verdict = query === null ? null : judge(matches, inputs);
  const essential = lists.find(({ id }) => id === "ofac_sdn");
  if (verdict !== "hit" && verdict !== "possible" && essential !== undefined && essential.fault !== null) {
    throw new NodeError("upstream_unavailable", `OFAC's list cannot be relied on now: ${essential.fault}`);
  }
  const oracle = describeOracle(flags);
  const taken = lists.flatMap(({ version }) => (version ? [version.taken_at_ms] : []));
  return {
    // A wallet's oracle is read now; of names the newest list speaks.
    as_of_ms: flags?.ethereum?.block_at_ms || Math.max(0, ...taken),
    data: {
      query,
      query_type: query === null ? null : inputs.wallets ? "wallets" : wallet_chain === null ? "name" : "wallet",
      wallet_chain,
      verdict,
      matches: matches.map((one) => ({ ...one, listed_on: one.listed_on ?? missing("the list does not say") })),
      listed_wallets: [...findListed(inputs)],
      lists: lists.map(explainList),
      oracle: oracle && missingIn(oracle, "the contract could not be asked"),
      threshold: params.threshold,
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...listWarnings(inputs),
      ...(inputs.simulated && verdict === "clear"
        ? ["verdict: these are the sandbox's lists, some dozens of public entries; it says nothing of the real ones"]
        : []),
    ],
  };
}
