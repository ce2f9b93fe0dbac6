import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../config/schema.ts";
import { isLoopback } from "../core/customer-network.ts";
import { messageOf } from "../core/errors.ts";
import { readCopyPlace, whyNotCopied } from "../files/copy-order.ts";
import { assertNodeId } from "../files/data-folder.ts";
import { findIdentity, findOperatorToken } from "../files/identity-file.ts";
import { walletsOf } from "../node/compose-payments.ts";

/** The faults of a configuration that can be found on this machine, without any request. */
export interface LocalFindings {
  /** The node would not start, or not do what the configuration says. */
  readonly faults: readonly string[];
  /** The node would start, but something is probably a mistake. */
  readonly notes: readonly string[];
}

const CLOCK_BACK_MS_MAX = 60_000;

const whyUnwritable = (folder: string): string | null => {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return `${folder} cannot be used by this user: ${messageOf(error)}`;
  }
};

/** The folder, or the nearest existing one above it, in which it would be made. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));

/** Checks folders, the node's key, its token and the clock. Writes nothing. */
export function findLocal(config: Config, now_ms: number): LocalFindings {
  const { dir } = config.data;
  const data = whyUnwritable(nearest(dir));
  const backup = config.backup.dir === undefined ? null : findBackupFault(config.backup.dir);
  const clock = findClockFault(join(dir, "ledger.db"), now_ms);
  const proxy = findProxyNote(config);
  return {
    faults: [
      ...(data === null ? [] : [`[data] dir: ${data}`]),
      ...findIdentityFault(config),
      ...(backup === null ? [] : [`[backup] dir: ${backup}`]),
      ...findCopyFault(config),
      ...(clock === null ? [] : [clock]),
    ],
    notes: [
      ...(existsSync(join(dir, "ledger.db")) || config.ledger.url !== undefined
        ? []
        : [`${dir} has no ledger yet: the first start makes one`]),
      ...(proxy === null ? [] : [proxy]),
      ...findChannelNotes(config),
      ...(config.alerts.length > 0 ? [] : ["no [[alerts]] entry: nobody is told when something breaks"]),
    ],
  };
}

const findBackupFault = (dir: string): string | null =>
  existsSync(dir) ? whyUnwritable(dir) : `${dir} does not exist: backups are only written into a folder that is there`;

/** Only "doctor" sends a request to the store. */
function findCopyFault(config: Config): readonly string[] {
  const { to } = config.copy;
  const unfit = whyNotCopied(config);
  if (to === undefined) return [];
  if (unfit !== null) return [unfit];
  if (!to.startsWith("s3:")) {
    const why = existsSync(to)
      ? whyUnwritable(to)
      : `${to} does not exist: a copy is only written into a folder that is there`;
    return why === null ? [] : [`[copy] to: ${why}`];
  }
  try {
    readCopyPlace(to, config.copy);
    return [];
  } catch (error) {
    return [`[copy] ${messageOf(error)}`];
  }
}

/** Faults of the node's own secret files at which a start would fail. */
function findIdentityFault({ data, node }: Config): readonly string[] {
  try {
    assertNodeId(data.dir, node.node_id);
    findIdentity(data.dir);
    findOperatorToken(data.dir);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** A clock behind the newest written time would refuse payments as not valid yet. */
function findClockFault(ledger: string, now_ms: number): string | null {
  const written_ms = existsSync(ledger) ? statSync(ledger).mtimeMs : 0;
  if (written_ms - now_ms <= CLOCK_BACK_MS_MAX) return null;
  return `the clock says ${new Date(now_ms).toISOString()}, but ${ledger} was written later: set the clock`;
}

/**
 * A public node that listens on loopback is behind a proxy; unless it names the proxy, it cannot tell its visitors
 * apart. A node that names a proxy but no public address tells all visitors to pay at this machine.
 */
export function findProxyNote({ node, server }: Pick<Config, "node" | "server">): string | null {
  if (node.public_url === undefined && server.trusted_proxies.length > 0) {
    return (
      "[server] trusted_proxies names a proxy, and [node] public_url is not set: every 402 names " +
      `http://${server.host}:${server.port}. Write public_url = "https://your.host", the address that visitors call.`
    );
  }
  const is_public = node.public_url?.startsWith("https:") === true;
  if (!is_public || server.trusted_proxies.length > 0 || !isLoopback(server.host)) return null;
  return (
    `${node.public_url} leads here through a proxy, and [server] trusted_proxies is empty: ` +
    'all visitors count as one. Set it to ["127.0.0.1", "::1"] for a proxy on this machine.'
  );
}

/** Channels need a readable chain, because only the chain shows that a payer withdraws. */
export function findChannelNotes(config: Config): readonly string[] {
  if (!config.payments.channels.enabled) return [];
  return walletsOf(config, config.payments.testnet).flatMap(({ network: { eip712, chain } }) => {
    if (!eip712 || (config.chains[chain]?.rpc ?? []).length > 0) return [];
    return [
      `[payments.channels] is enabled and [chains.${chain}] rpc is empty: a payer who withdraws is not ` +
        "noticed before the next claim, and what facilitators say of deposits and claims is believed.",
    ];
  });
}
