import {
  createNameIndexInSteps,
  type DatasetDefinition,
  type DatasetReader,
  type FetchContext,
  type ListedName,
  type NameIndex,
  NodeError,
  type ProviderDefinition,
  systemTimers,
} from "intel-node";
import { dataset as eu } from "../datasets/eu.ts";
import { dataset as ofacCons } from "../datasets/ofac-cons.ts";
import { dataset as ofacSdn } from "../datasets/ofac-sdn.ts";
import { dataset as uk } from "../datasets/uk.ts";
import { dataset as un } from "../datasets/un.ts";
import { euFsf } from "../providers/eu-fsf/provider.ts";
import { ofac } from "../providers/ofac/provider.ts";
import { ukFcdo } from "../providers/uk-fcdo/provider.ts";
import { unSc } from "../providers/un-sc/provider.ts";
import { foldWallet, type LISTING_COLUMNS } from "./listing.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const LIST_IDS = ["ofac_sdn", "ofac_cons", "eu", "un", "uk"] as const;
export type ListId = (typeof LIST_IDS)[number];
type Columns = typeof LISTING_COLUMNS;

interface SanctionList {
  readonly title: string;
  readonly provider: ProviderDefinition;
  readonly dataset: DatasetDefinition<Columns>;
  /** The greatest age of its import to be called fresh. */
  readonly taken_max_ms: number;
  /** The greatest age of its publisher's date; null for lists that do not change for months. */
  readonly published_max_ms: number | null;
}

const month = 31 * DAY_MS;
/** Ages: products/amendments, section 1: OFAC 72 h, every other list 7 days. */
export const SANCTION_LISTS: Readonly<Record<ListId, SanctionList>> = {
  ofac_sdn: {
    title: "OFAC specially designated nationals (XML edition)",
    provider: ofac,
    dataset: ofacSdn,
    taken_max_ms: 72 * HOUR_MS,
    published_max_ms: month,
  },
  ofac_cons: {
    title: "OFAC consolidated non-SDN lists (XML edition)",
    provider: ofac,
    dataset: ofacCons,
    taken_max_ms: 72 * HOUR_MS,
    published_max_ms: null,
  },
  eu: {
    title: "EU consolidated financial sanctions (XML edition)",
    provider: euFsf,
    dataset: eu,
    taken_max_ms: 7 * DAY_MS,
    published_max_ms: month,
  },
  un: {
    title: "UN Security Council consolidated list (XML edition)",
    provider: unSc,
    dataset: un,
    taken_max_ms: 7 * DAY_MS,
    published_max_ms: null,
  },
  uk: {
    title: "UK Sanctions List (XML edition)",
    provider: ukFcdo,
    dataset: uk,
    taken_max_ms: 7 * DAY_MS,
    published_max_ms: month,
  },
};
export const LIST_PROVIDERS: readonly ProviderDefinition[] = [ofac, euFsf, unSc, ukFcdo];

/** A list at the time of a call. */
export interface OpenList {
  readonly id: ListId;
  /** Null when it was never taken in. */
  readonly reader: DatasetReader<ListingRow> | null;
  /** Entities in it without a name: no one can match them. */
  readonly unnamed: number;
  /** Why it cannot carry a "clear"; null when it can. */
  readonly fault: string | null;
}
/** One name or wallet of a list. */
export interface ListingRow {
  readonly row: number;
  readonly entity_id: string;
  readonly entity_type: string;
  readonly primary_name: string;
  readonly kind: string;
  readonly name: string;
  readonly currency: string | null;
  readonly programs: string;
  readonly listed_on: string | null;
  readonly birth_years: string;
}

function findFault(id: ListId, reader: DatasetReader<ListingRow>, now_ms: number): string | null {
  const { taken_max_ms, published_max_ms } = SANCTION_LISTS[id];
  const taken_ms = now_ms - reader.taken_at_ms;
  if (taken_ms > taken_max_ms) return `it was last seen ${Math.floor(taken_ms / HOUR_MS)} h ago`;
  if (published_max_ms === null || reader.published_at_ms === null) return null;
  const published_ms = now_ms - reader.published_at_ms;
  return published_ms > published_max_ms ? `it was published ${Math.floor(published_ms / DAY_MS)} days ago` : null;
}

/** The present lists; each that is read becomes a source. Never fails: a missing list says so. */
export function openLists(
  context: Pick<FetchContext, "dataset" | "now_ms">,
  ids: readonly ListId[] = LIST_IDS,
): Promise<readonly OpenList[]> {
  return Promise.all(
    ids.map(async (id): Promise<OpenList> => {
      try {
        const reader = await context.dataset(SANCTION_LISTS[id].dataset);
        const unnamed = await reader.count({ kind: "unnamed" });
        return { id, reader, unnamed, fault: findFault(id, reader, context.now_ms) };
      } catch (error) {
        if (!(error instanceof NodeError)) throw error;
        return { id, reader: null, unnamed: 0, fault: "it was not taken in yet" };
      }
    }),
  );
}

const PAGE_ROWS = 2_000;
const indexes = new Map<ListId, { readonly key: string; readonly index: Promise<NameIndex> }>();

const pause = (): Promise<void> => new Promise((resolve) => systemTimers.after(0, resolve));

async function buildIndex(reader: DatasetReader<ListingRow>): Promise<NameIndex> {
  const names: ListedName[] = [];
  for (let from = 0; ; ) {
    const rows = await reader.find({ where: { row: { from } }, limit: PAGE_ROWS });
    for (const { row, name, kind } of rows) {
      if (kind === "primary" || kind === "alias" || kind === "weak") names.push({ id: String(row), name, kind });
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return createNameIndexInSteps(names, pause);
    from = last.row + 1;
    // A page is read in one go, and the next one would follow at once.
    await pause();
  }
}

/** The index of a list's names; made once for each version. */
export function getNameIndex({ id, reader }: OpenList): Promise<NameIndex> | null {
  if (!reader) return null;
  const key = `${reader.version} ${reader.taken_at_ms} ${reader.rows}`;
  const known = indexes.get(id);
  if (known?.key === key) return known.index;
  const index = buildIndex(reader);
  indexes.set(id, { key, index });
  // A failed one is not kept.
  index.catch(() => indexes.delete(id));
  return index;
}

/** Rows of wallets with one of these addresses, with their list. */
export async function findListedWallets(
  lists: readonly OpenList[],
  addresses: readonly string[],
): Promise<readonly { readonly list: ListId; readonly row: ListingRow }[]> {
  const wanted = [...new Set(addresses.map(foldWallet))].slice(0, 500);
  const found = await Promise.all(
    lists.map(async ({ id, reader }) => {
      const rows = (await reader?.find({ where: { kind: "wallet", name: { in: wanted } }, limit: 500 })) ?? [];
      return rows.map((row) => ({ list: id, row }));
    }),
  );
  return found.flat();
}
