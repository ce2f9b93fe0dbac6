import { existsSync } from "node:fs";
import { join } from "node:path";
import { type KeyCommand, runKeyCommand } from "../admin/keys.ts";
import { createPlans } from "../catalog/plans.ts";
import { createApiKeys } from "../core/api-key.ts";
import { systemClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { type Ledger, openLedger, openLedgerInPostgres } from "../ledger/ledger.ts";
import { isHeldByNode, lockDataDirectory } from "../ledger/open.ts";
import { nameInCluster } from "../node/cluster-facts.ts";
import { loadIdentity, loadInstance, requireOperatorToken } from "../node/identity-file.ts";
import { findLedgerPlace, type LedgerConfig } from "../node/ledger-place.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

export interface KeysOptions {
  readonly data: string | undefined;
  readonly config: string;
  /** Address of the running node; default: the configured host and port. */
  readonly url: string | undefined;
  readonly json: boolean;
}

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * The operator's commands on keys. While the node runs they go through its own door, because the books have one writer;
 * otherwise the ledger is opened here.
 */
export async function keysCommand(command: KeyCommand, options: KeysOptions): Promise<number> {
  const place = await findPlace(options);
  if ("faults" in place) {
    printError(place.faults);
    return EXIT.config;
  }
  try {
    const result = await run(command, place);
    print(options.json ? JSON.stringify(result) : renderText(result));
    return EXIT.ok;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}

interface Place {
  readonly directory: string;
  readonly url: string | undefined;
  readonly plans: ReturnType<typeof createPlans>;
  readonly books: LedgerConfig;
  /** The node of this folder, where several share a ledger. */
  readonly seat: string | null;
}

async function findPlace({ data, config, url }: KeysOptions): Promise<Place | { readonly faults: string }> {
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

async function open({ directory, books, seat }: Place): Promise<Ledger> {
  const { file, address } = findLedgerPlace(books, directory);
  if (address === null) return openLedger({ file, clock: systemClock });
  return openLedgerInPostgres({ address, clock: systemClock, owner: loadInstance(directory), seat: { name: seat } });
}

async function run(command: KeyCommand, place: Place): Promise<Record<string, unknown>> {
  const { directory, url, plans } = place;
  let unlock: () => void;
  try {
    unlock = lockDataDirectory(directory);
  } catch (error) {
    if (!isHeldByNode(error)) throw error;
    if (url === undefined) throw new Error("the node is running on this folder: name its address with --url");
    return post(url, requireOperatorToken(directory), command);
  }
  const ledger = await open(place);
  try {
    const keys = createApiKeys(loadIdentity(directory).deriveSecret("api keys"));
    return await runKeyCommand({ ledger, keys, plans: () => plans, now_ms: systemClock.now }, command);
  } finally {
    await ledger.close();
    unlock();
  }
}

async function post(url: string, operator_token: string, command: KeyCommand): Promise<Record<string, unknown>> {
  const response = await fetch(`${url.replace(/\/$/, "")}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${operator_token}`, "content-type": "application/json" },
    body: JSON.stringify(command),
    redirect: "manual",
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const body = (await response.json()) as Record<string, unknown>;
  if (!response.ok)
    throw new Error(`the node at ${url} answered ${response.status}: ${escapeInvisible(String(body.detail ?? ""))}`);
  return body;
}

interface Shown {
  readonly key_id: string;
  readonly plan: string;
  readonly label: string | null;
  readonly balance_usd: string | null;
  readonly pass_until: string | null;
  readonly balance_until: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly suspended_at: string | null;
  readonly calls: number;
}

const HEADER = ["KEY", "LABEL", "PLAN", "BALANCE", "ENDS", "STATE", "CALLS"] as const;
const day = (time: string | null): string => (time === null ? "-" : time.slice(0, 10));

const toRow = (key: Shown): readonly string[] => [
  key.key_id,
  key.label ?? "-",
  key.plan,
  key.balance_usd ?? "-",
  day(key.expires_at ?? key.balance_until ?? key.pass_until),
  key.revoked_at ? "revoked" : key.suspended_at ? "suspended" : "active",
  String(key.calls),
];

/** Rows under a header, each column as wide as its widest cell. */
function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map((cell) => escapeInvisible(cell)));
  const widths = header.map((name, column) => Math.max(name.length, ...shown.map((row) => (row[column] ?? "").length)));
  const render = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return [header, ...shown].map((row) => render(row).trimEnd()).join("\n");
}

interface ShownLot {
  readonly granted_at: string;
  readonly granted_usd: string;
  readonly left_usd: string;
  readonly until: string | null;
}

interface ShownCall {
  readonly id: string;
  readonly at: string;
  readonly product: string;
  readonly calls: number;
  readonly amount_atomic: string;
}

/** A list as a table; one key as "name  value", with the parts of its balance, its children and last calls below. */
function renderText(result: Record<string, unknown>): string {
  const { items, children, calls, lots, ...rest } = result;
  if (Array.isArray(items)) return renderTable(HEADER, (items as Shown[]).map(toRow));
  const facts = Array.isArray(calls) ? rest : { ...rest, calls };
  const lines = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(
      ([name, value]) =>
        `${name.padEnd(16)} ${escapeInvisible(typeof value === "object" ? JSON.stringify(value) : String(value))}`,
    );
  const parts = Array.isArray(lots)
    ? (lots as ShownLot[]).map(({ granted_at, granted_usd, left_usd, until }) => [
        ...[granted_at, granted_usd, left_usd, until ?? "never"],
      ])
    : [];
  const of_lots = parts.length > 0 ? ["", renderTable(["GRANTED", "CREDIT", "LEFT", "ENDS"], parts)] : [];
  const below = Array.isArray(children) && children.length > 0 ? ["", renderTable(HEADER, children.map(toRow))] : [];
  const last = Array.isArray(calls)
    ? (calls as ShownCall[]).map(({ id, at, product, calls: times, amount_atomic }) => [
        ...[id, at, product, String(times), amount_atomic],
      ])
    : [];
  const of_calls = last.length > 0 ? ["", renderTable(["CALL", "AT", "PRODUCT", "CALLS", "AMOUNT_ATOMIC"], last)] : [];
  return [...lines, ...of_lots, ...below, ...of_calls].join("\n");
}
