import {
  assertAboveFloor,
  column,
  type DatasetFetch,
  type FetchedDataset,
  type FileRequest,
  type ProviderDefinition,
} from "intel-node";
import { type BirthYears, renderBirthYears } from "./birth-years.ts";

export type EntityType = "person" | "entity" | "vessel" | "aircraft";

/** One name or wallet of one entity; an entity has as many rows as it has names and wallets, or one without a name. */
export const LISTING_COLUMNS = {
  row: column.integer(),
  entity_id: column.text(),
  entity_type: column.text(),
  primary_name: column.text(),
  kind: column.text(),
  /** The name as the list writes it; of a wallet its address in the form `foldWallet` gives it. */
  name: column.text(),
  /** What the list says the wallet is of, such as "XBT". */
  currency: column.nullable(column.text()),
  /** Joined by "; ". */
  programs: column.text(),
  listed_on: column.nullable(column.text()),
  /** Years of birth that the list gives, as `renderBirthYears` writes them. */
  birth_years: column.text(),
} as const;

export const LISTING_FORM = { columns: LISTING_COLUMNS, key: ["row"], indexes: [["kind", "name"]] } as const;

export interface ListedEntity {
  readonly id: string;
  readonly type: EntityType;
  readonly names: readonly { readonly name: string; readonly kind: "primary" | "alias" | "weak" }[];
  readonly wallets: readonly { readonly address: string; readonly currency: string | null }[];
  readonly programs: readonly string[];
  readonly listed_on: string | null;
  readonly birth_years: readonly BirthYears[];
}

/** Addresses in hexadecimal and bech32 are the same in either case; all others are not. */
export function foldWallet(address: string): string {
  const is_caseless = /^0x[0-9a-f]{40}$/i.test(address) || /^(bc1|ltc1|addr1|cosmos1)[0-9a-z]{20,}$/i.test(address);
  return is_caseless ? address.toLowerCase() : address;
}

/** Wallets in the free text of a list: only forms that cannot be anything else. */
export const findWallets = (text: string): readonly { address: string; currency: null }[] =>
  [...text.matchAll(/\b(?:0x[0-9a-fA-F]{40}|bc1[0-9a-z]{25,60}|T[1-9A-HJ-NP-Za-km-z]{33})\b/g)].map(([address]) => ({
    address,
    currency: null,
  }));

/** The placeholder where a list has no name. */
const NO_NAME = "(no name)";

/** Rows of an entity, without their numbers: names, then wallets; of one that has neither, that it is there. */
function* listRows(entity: ListedEntity) {
  const names = entity.names.filter(({ name }) => name.trim() !== "");
  const common = {
    entity_id: entity.id,
    entity_type: entity.type,
    primary_name: (names.find(({ kind }) => kind === "primary") ?? names[0])?.name.trim() ?? NO_NAME,
    programs: entity.programs.join("; "),
    listed_on: entity.listed_on,
    birth_years: renderBirthYears(entity.birth_years),
  };
  const seen = new Set<string>();
  for (const { name, kind } of names) {
    if (seen.has(name.trim())) continue;
    seen.add(name.trim());
    yield { ...common, kind, name: name.trim(), currency: null };
  }
  for (const { address, currency } of entity.wallets) {
    const name = foldWallet(address.trim());
    if (name === "" || seen.has(name)) continue;
    seen.add(name);
    yield { ...common, kind: "wallet", name, currency };
  }
  if (names.length === 0) yield { ...common, kind: "unnamed", name: "", currency: null };
}

/**
 * Rows of entities, numbered through. An entity without a name is kept as a row of kind "unnamed", which every answer
 * counts in its warnings: no one can be screened against it, and the others are not affected.
 * @throws Error where too many have none.
 */
export async function* writeRows(entities: AsyncIterable<ListedEntity>) {
  let [row, of, dropped] = [0, 0, 0];
  for await (const entity of entities) {
    of += 1;
    for (const one of listRows(entity)) {
      if (one.kind === "unnamed") dropped += 1;
      yield { ...one, row: row++ };
    }
  }
  assertAboveFloor({ dropped, of }, "entities have no name");
}

export interface ListFile extends Omit<FileRequest, "format"> {
  readonly provider: ProviderDefinition;
  /** Finds the day of publication in the first 4 KB, as `Date.parse` understands it. */
  readonly published: RegExp;
  /** Days and months change places: 11/21/2026 is 21 November for the publisher. */
  readonly day_first?: boolean;
  /** The same file at another host of the publisher. */
  readonly otherwise?: { readonly host: string; readonly path: string };
}

const HEAD_BYTES = 4_096;
/** An unchanged list is taken in again after this, so that its age says when it was last seen to hold. */
const SAME_MS = 20 * 3_600_000;

async function readPublished(path: string, { published, day_first }: ListFile): Promise<number | null> {
  const [, text] = published.exec(await Bun.file(path).slice(0, HEAD_BYTES).text()) ?? [];
  if (text === undefined) return null;
  const [, a = "", b = "", year = ""] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? [];
  const iso = year === "" ? text : day_first ? `${year}-${b}-${a}` : `${year}-${a}-${b}`;
  const at_ms = Date.parse(iso);
  return Number.isFinite(at_ms) ? at_ms : null;
}

/**
 * Downloads a list of one file. Its version is the day it was published and the digest of what came.
 * @throws UpstreamError
 */
export async function fetchList(context: DatasetFetch, list: ListFile): Promise<FetchedDataset | null> {
  const { provider, published, day_first, otherwise, ...request } = list;
  const file = await context.fetchFile(provider, { bytes_min: 500, ...request }).catch((error: unknown) => {
    if (otherwise === undefined) throw error;
    return context.fetchFile(provider, { bytes_min: 500, ...request, ...otherwise });
  });
  const { current, now_ms } = context;
  if (current?.version.endsWith(file.sha256) && now_ms - current.taken_at_ms < SAME_MS) return null;
  const published_at_ms = await readPublished(file.path, list);
  const day = published_at_ms === null ? "undated" : new Date(published_at_ms).toISOString().slice(0, 10);
  return { version: `${day} sha256:${file.sha256}`, published_at_ms, files: { list: file } };
}
