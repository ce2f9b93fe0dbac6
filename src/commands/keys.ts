import { type KeyCommand, runKeyCommand } from "../admin/keys.ts";
import { createApiKeys } from "../core/api-key.ts";
import { systemClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { loadIdentity } from "../files/identity-file.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { type BooksOptions, type BooksPlace, findBooksPlace, withBooks } from "./with-books.ts";

export interface KeysCommandOptions extends BooksOptions {
  readonly json: boolean;
}

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * The operator's commands on keys. They go through a running node, because the books have only one writer; otherwise
 * this process opens the ledger.
 */
export async function keysCommand(command: KeyCommand, options: KeysCommandOptions): Promise<number> {
  const place = await findBooksPlace(options);
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

function run(command: KeyCommand, place: BooksPlace): Promise<Record<string, unknown>> {
  return withBooks(place, {
    here(ledger) {
      const keys = createApiKeys(loadIdentity(place.directory).deriveSecret("api keys"));
      return runKeyCommand({ ledger, keys, plans: () => place.plans, now_ms: systemClock.now }, command);
    },
    there: (url, operator_token) => post(url, operator_token, command),
  });
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

/** A table with a header, each column as wide as its widest cell. */
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

/** Renders a list as a table, and a single key as "name  value" lines with its lots, children and last calls below. */
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
