import { existsSync } from "node:fs";
import { join } from "node:path";
import { createPlans } from "../catalog/plans.ts";
import { systemClock } from "../core/clock.ts";
import { loadInstance, requireOperatorToken } from "../files/identity-file.ts";
import { findLedgerPlace, type LedgerConfig } from "../files/ledger-place.ts";
import { type Ledger, openLedger, openLedgerInPostgres } from "../ledger/ledger.ts";
import { isHeldByNode, lockDataDirectory } from "../ledger/sqlite/open.ts";
import { nameInCluster } from "../node/cluster-facts.ts";
import { loadConfigFile } from "./load-config-file.ts";

export interface BooksOptions {
  readonly data: string | undefined;
  readonly config: string;
  /** Address of the running node; default: the configured host and port. */
  readonly url: string | undefined;
}

/** The place of the books that a command changes. */
export interface BooksPlace {
  readonly directory: string;
  readonly url: string | undefined;
  readonly plans: ReturnType<typeof createPlans>;
  readonly books: LedgerConfig;
  /** The node of this folder, if several nodes share a ledger. */
  readonly seat: string | null;
}

export async function findBooksPlace({
  data,
  config,
  url,
}: BooksOptions): Promise<BooksPlace | { readonly faults: string }> {
  if (data !== undefined && !existsSync(config)) {
    return existsSync(join(data, "ledger.db"))
      ? { directory: data, url, plans: createPlans({}), books: {}, seat: null }
      : { faults: `${join(data, "ledger.db")} does not exist` };
  }
  const loaded = await loadConfigFile(config);
  if ("faults" in loaded) return loaded;
  const { node, server, data: folder, plans, ledger: books } = loaded.config;
  const host = server.host.includes(":") ? `[${server.host}]` : server.host;
  return {
    directory: data ?? folder.dir,
    url: url ?? `http://${host}:${server.port}`,
    plans: createPlans(plans),
    books,
    seat: nameInCluster(node),
  };
}

async function open({ directory, books, seat }: BooksPlace): Promise<Ledger> {
  const { file, address } = findLedgerPlace(books, directory);
  if (address === null) return openLedger({ file, clock: systemClock });
  return openLedgerInPostgres({ address, clock: systemClock, owner: loadInstance(directory), seat: { name: seat } });
}

interface BooksWork<T> {
  /** The change on the opened books. */
  readonly here: (ledger: Ledger) => Promise<T>;
  /** The change through the running node. */
  readonly there: (url: string, operator_token: string) => Promise<T>;
}

/**
 * Changes the books through the running node, because they have only one writer; if no node runs, this process opens
 * them.
 * @throws Error for people when the node runs and its address is unknown.
 */
export async function withBooks<T>(place: BooksPlace, { here, there }: BooksWork<T>): Promise<T> {
  const { directory, url } = place;
  let unlock: () => void;
  try {
    unlock = lockDataDirectory(directory);
  } catch (error) {
    if (!isHeldByNode(error)) throw error;
    if (url === undefined) throw new Error("the node is running on this folder: name its address with --url");
    return there(url, requireOperatorToken(directory));
  }
  const ledger = await open(place);
  try {
    return await here(ledger);
  } finally {
    await ledger.close();
    unlock();
  }
}
