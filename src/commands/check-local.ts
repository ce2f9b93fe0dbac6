import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../config/schema.ts";
import { isLoopback } from "../core/customer-network.ts";
import { messageOf } from "../core/errors.ts";
import { readCopyPlace, whyNotCopied } from "../files/copy-order.ts";
import { assertNodeId } from "../files/data-folder.ts";
import { findIdentity, findOperatorToken } from "../files/identity-file.ts";
import { walletsOf } from "../node/compose-payments.ts";

/** What this machine itself can tell of a configuration, without asking anybody. */
export interface LocalFindings {
  /** The node would not start, or not do what it is told to. */
  readonly faults: readonly string[];
  /** It would start, and something is probably not meant so. */
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

/** The folder, or the nearest one above it that is there and would have to take it. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));

/** Looks at folders, the node's key, its token and the clock. Writes nothing. */
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

/** A store is asked by "doctor" alone. */
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

/** What the start would stumble over in the files of secrets that it made itself. */
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

/** A clock that is behind what was already written would refuse payments as not valid yet. */
function findClockFault(ledger: string, now_ms: number): string | null {
  const written_ms = existsSync(ledger) ? statSync(ledger).mtimeMs : 0;
  if (written_ms - now_ms <= CLOCK_BACK_MS_MAX) return null;
  return `the clock says ${new Date(now_ms).toISOString()}, but ${ledger} was written later: set the clock`;
}

/**
 * A public node that listens on loopback has a proxy in front, and cannot tell its visitors apart; a node that names a
 * proxy and no public address tells all of them to pay at this machine.
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

/** Channels are to be read on their chain: a payer who withdraws is seen there and nowhere else. */
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
