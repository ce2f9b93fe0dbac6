import { existsSync } from "node:fs";
import { join } from "node:path";
import { type KeyCommand, runKeyCommand } from "../admin/keys.ts";
import { createPlans } from "../catalog/plans.ts";
import { createApiKeys } from "../core/api-key.ts";
import { systemClock } from "../core/clock.ts";
import { isNodeError, messageOf } from "../core/errors.ts";
import { openLedger } from "../ledger/ledger.ts";
import { lockDataDirectory } from "../ledger/open.ts";
import { loadIdentity, loadOperatorToken } from "../node/identity-file.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";

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
    console.error(place.faults);
    return EXIT.config;
  }
  try {
    const result = await run(command, place);
    console.log(options.json ? JSON.stringify(result) : renderText(result));
    return EXIT.ok;
  } catch (error) {
    console.error(messageOf(error));
    return EXIT.failed;
  }
}

interface Place {
  readonly directory: string;
  readonly url: string | undefined;
  readonly plans: ReturnType<typeof createPlans>;
}

async function findPlace({ data, config, url }: KeysOptions): Promise<Place | { readonly faults: string }> {
  if (data !== undefined && !existsSync(config)) {
    return existsSync(join(data, "ledger.db"))
      ? { directory: data, url, plans: createPlans({}) }
      : { faults: `${join(data, "ledger.db")} does not exist` };
  }
  const loaded = await loadConfigFile(config);
  if ("faults" in loaded) return loaded;
  const { server, data: folder, plans } = loaded.config;
  const host = server.host.includes(":") ? `[${server.host}]` : server.host;
  return { directory: data ?? folder.dir, url: url ?? `http://${host}:${server.port}`, plans: createPlans(plans) };
}

async function run(command: KeyCommand, { directory, url, plans }: Place): Promise<Record<string, unknown>> {
  let unlock: () => void;
  try {
    unlock = lockDataDirectory(directory);
  } catch (error) {
    if (!isNodeError(error)) throw error;
    if (url === undefined) throw new Error("the node is running on this folder: name its address with --url");
    return post(url, loadOperatorToken(directory), command);
  }
  const ledger = openLedger({ file: join(directory, "ledger.db"), clock: systemClock });
  try {
    const keys = createApiKeys(loadIdentity(directory).deriveSecret("api keys"));
    return await runKeyCommand({ ledger, keys, plans, now_ms: systemClock.now }, command);
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
  if (!response.ok) throw new Error(`the node at ${url} answered ${response.status}: ${String(body.detail ?? "")}`);
  return body;
}

/** A list as lines, anything else as "name  value". */
function renderText(result: Record<string, unknown>): string {
  const { items } = result;
  if (Array.isArray(items)) {
    return items
      .map(({ key_id, plan, balance_usd, pass_until, revoked_at, calls }) =>
        [key_id, plan, balance_usd ?? "-", pass_until ?? "-", revoked_at ? "revoked" : "", `${calls} calls`].join("  "),
      )
      .join("\n");
  }
  return Object.entries(result)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(16)} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join("\n");
}
