import type { DatasetVersion, FetchContext, NameMatch } from "intel-node";
import { guessChain, readWallet } from "../addresses/address.ts";
import {
  findListedWallets,
  getNameIndex,
  LIST_IDS,
  type ListId,
  type ListingRow,
  type OpenList,
  openLists,
} from "../lists/sanction-lists.ts";
import { type ChainFlags, fetchChainFlags } from "../screens/oracle.ts";
import type { SanctionsParams } from "./schema.ts";

/** What an answer says of a list: of its newest version, null when it was never taken in. */
export interface ListState {
  readonly id: ListId;
  readonly version: Pick<DatasetVersion, "version" | "published_at_ms" | "taken_at_ms" | "rows"> | null;
  readonly fault: string | null;
  /** Entities without a name. */
  readonly unnamed: number;
}

const describeOpen = ({ id, reader, fault, unnamed }: OpenList): ListState => {
  if (reader === null) return { id, version: null, fault, unnamed };
  const { version, published_at_ms, taken_at_ms, rows } = reader;
  return { id, version: { version, published_at_ms, taken_at_ms, rows }, fault, unnamed };
};

/** A row that matched; `match` is null for wallets. */
export interface SanctionsFound {
  readonly list: ListId;
  readonly row: ListingRow;
  readonly match: NameMatch | null;
}

export interface SanctionsInputs {
  readonly read_at_ms: number;
  /** The lists are the sandbox's own. */
  readonly simulated?: boolean;
  /** A name, a wallet, or several wallets. */
  readonly query: string | null;
  /** Null unless several were asked for. */
  readonly wallets: readonly string[] | null;
  readonly wallet_chain: string | null;
  readonly lists: readonly ListState[];
  readonly found: readonly SanctionsFound[];
  /** Null unless the query is an EVM wallet. */
  readonly flags: ChainFlags | null;
}

const isListId = (text: string): text is ListId => LIST_IDS.some((id) => id === text);

async function findNames(list: OpenList, query: string, threshold: number): Promise<readonly SanctionsFound[]> {
  const index = await getNameIndex(list);
  const matches = index?.find(query, { threshold, limit: 50 }) ?? [];
  if (matches.length === 0 || !list.reader) return [];
  const by_row = new Map(matches.map((match) => [Number(match.listed.id), match]));
  const rows = await list.reader.find({ where: { row: { in: [...by_row.keys()] } }, limit: 500 });
  return rows.map((row) => ({ list: list.id, row, match: by_row.get(row.row) ?? null }));
}

/** The present lists and their matches; for an EVM wallet the on-chain oracle as well. */
export async function fetchSanctions(context: FetchContext, params: SanctionsParams): Promise<SanctionsInputs> {
  const { name, wallets: several, lists: wanted, threshold } = params;
  const query = name?.trim() ?? several ?? null;
  const wallets = several?.split(",") ?? null;
  const wallet = query === null || wallets !== null ? null : readWallet(query);
  const wallet_chain = wallet && guessChain(wallet);
  const ids =
    wanted === undefined ? LIST_IDS : LIST_IDS.filter((id) => wanted.split(",").filter(isListId).includes(id));
  const lists = await openLists(context, ids);
  const simulated = context.simulated === true;
  const read = { read_at_ms: context.now_ms, simulated, query, wallets, wallet_chain, lists: lists.map(describeOpen) };
  if (wallets !== null) {
    const rows = await findListedWallets(lists, wallets);
    return { ...read, found: rows.map(({ list, row }) => ({ list, row, match: null })), flags: null };
  }
  if (query === null) return { ...read, found: [], flags: null };
  if (wallet === null) {
    const found = await Promise.all(lists.map((list) => findNames(list, query, threshold)));
    return { ...read, found: found.flat(), flags: null };
  }
  const [listed, flags] = await Promise.all([
    findListedWallets(lists, [wallet]),
    wallet_chain === "evm" ? fetchChainFlags(context, wallet) : null,
  ]);
  return { ...read, found: listed.map(({ list, row }) => ({ list, row, match: null })), flags };
}
