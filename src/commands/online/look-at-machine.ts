import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { parseDuration } from "../../core/duration.ts";
import { messageOf } from "../../core/errors.ts";
import { findOperatorToken } from "../../files/identity-file.ts";
import type { CheckFinding } from "./finding.ts";

const GB = 1e9;
const DISK_BYTES_MIN = 1e9;
const DISK_SHARE_MIN = 0.05;
const TIMEOUT_MS = 3_000;
/** Factor on the time between two backups: after a longer time one was missed. */
const BACKUP_LATE = 2;

const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));

/** The room on the disk of the data folder. */
export function lookAtDisk({ data }: Config): CheckFinding {
  const { bavail, blocks, bsize } = statfsSync(nearest(data.dir));
  const free = bavail * bsize;
  const says = `${(free / GB).toFixed(1)} GB free`;
  const base = { area: "disk", subject: data.dir } as const;
  if (free >= DISK_BYTES_MIN || bavail >= DISK_SHARE_MIN * blocks) return { ...base, level: "ok", says };
  return { ...base, level: "fail", says, todo: "make room: a full disk stops sales" };
}

/** Checks that a backup exists and is not too old. */
export function lookAtBackup({ backup, data, ledger }: Config, now_ms: number): CheckFinding {
  const base = { area: "backup", subject: backup.dir ?? "[backup] dir" } as const;
  if (backup.dir === undefined) {
    const says = "none are made: with this disk all balances of your buyers are lost";
    return { ...base, level: "warn", says, todo: "set [backup] dir to a folder on another disk" };
  }
  const names = existsSync(backup.dir) ? readdirSync(backup.dir).filter((name) => name.endsWith(".db")) : [];
  const times_ms = names.map((name) => statSync(join(backup.dir ?? "", name)).mtimeMs);
  if (times_ms.length === 0) {
    const no_ledger = ledger.url === undefined && !existsSync(join(data.dir, "ledger.db"));
    if (no_ledger) return { ...base, level: "ok", says: "nothing to back up yet" };
    return { ...base, level: "warn", says: "there is none yet", todo: `"intel-node backup --to ${backup.dir}"` };
  }
  const age_ms = now_ms - Math.max(...times_ms);
  const says = `${times_ms.length} there, the newest ${(age_ms / 3_600_000).toFixed(1)} h old`;
  if (age_ms <= BACKUP_LATE * parseDuration(backup.every)) return { ...base, level: "ok", says };
  return { ...base, level: "fail", says, todo: "the log of the node says why (job_failed)" };
}

/** The reason why the port cannot be used; null if it is free. */
function tryPort(host: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const server = createServer();
  server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  return promise;
}

/** The address at which a request from this machine reaches the listener. */
export function localOrigin({ host, port }: Config["server"]): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

/** Checks that the port is free, or already used by this node. */
export async function lookAtPort({ server }: Config, node_id: string | null): Promise<CheckFinding> {
  const { host, port } = server;
  const base = { area: "port", subject: `${host}:${port}` } as const;
  if (port === 0) return { ...base, level: "ok", says: "the node takes any that is free" };
  const why = await tryPort(host, port);
  if (why === null) return { ...base, level: "ok", says: "free: the node is not running" };
  if (why !== "EADDRINUSE") {
    return { ...base, level: "fail", says: `cannot be listened on: ${why}`, todo: "change [server] host or port" };
  }
  const live = await fetch(`${localOrigin(server)}/live`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then(async (response) => (await response.json()) as { readonly node_id?: unknown })
    .catch(() => null);
  if (typeof live?.node_id === "string" && (node_id === null || live.node_id === node_id)) {
    return { ...base, level: "ok", says: "this node is running there" };
  }
  const todo = `see who has it (ss -ltnp 'sport = :${port}'), or change [server] port`;
  return { ...base, level: "fail", says: "another program listens there", todo };
}

/** The members of /admin/status about requests through proxies. */
interface ProxyStatus {
  readonly untrusted_proxies?: unknown;
  readonly unnamed_origin?: unknown;
}

function findUnnamedOrigin(origin: unknown, here: string): readonly CheckFinding[] {
  if (typeof origin !== "string") return [];
  const says = `visitors come to ${origin} through your proxy, and no public_url is set: every 402 names ${here}`;
  // A visitor may send any Host header.
  const todo = `if that is your address, write public_url = "${origin}" under [node]; else the one that is yours`;
  return [{ area: "public url", subject: origin, level: "fail", says, todo }];
}

/** Asks the running node on this machine, through its operator's door, about its proxies. */
export async function lookAtProxies({ server, data }: Config): Promise<readonly CheckFinding[]> {
  let token: string | null;
  try {
    token = findOperatorToken(data.dir);
  } catch (error) {
    const todo = "delete it and start the node anew: it makes another";
    return [{ area: "disk", subject: "operator.token", level: "fail", says: messageOf(error), todo }];
  }
  if (token === null) return [];
  const headers = { authorization: `Bearer ${token}` };
  const status = await fetch(`${localOrigin(server)}/admin/status`, {
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
    .then(async (response) => (await response.json()) as ProxyStatus)
    .catch(() => null);
  const peers = Array.isArray(status?.untrusted_proxies) ? status.untrusted_proxies.map(String) : [];
  const untrusted = peers.map((peer): CheckFinding => {
    const says = "sends X-Forwarded-For and is not trusted: all visitors behind it count as one";
    const todo = `if it is your proxy, add "${peer}" to [server] trusted_proxies`;
    return { area: "public url", subject: `proxy ${peer}`, level: "fail", says, todo };
  });
  return [...untrusted, ...findUnnamedOrigin(status?.unnamed_origin, localOrigin(server))];
}

/** Checks that somebody gets alerts. Sends nothing. */
export function lookAtAlerts({ alerts }: Pick<Config, "alerts">): CheckFinding {
  const base = { area: "alerts", subject: "[[alerts]]" } as const;
  if (alerts.length === 0) {
    const todo = 'add an [[alerts]] entry, then "intel-node alerts test"';
    return { ...base, level: "warn", says: "none is set: nobody is told when something breaks", todo };
  }
  const ways = alerts.map(({ kind }) => kind).join(", ");
  return { ...base, level: "ok", says: `you are told by ${ways}; "intel-node alerts test" tries them` };
}
