import { isAlgorandAddress } from "../core/algorand-address.ts";
import { parseDuration } from "../core/duration.ts";
import { isAddress } from "../core/eth-address.ts";
import { parseIPRange } from "../core/ip-address.ts";
import { parseUSD } from "../core/money.ts";
import { getOwn } from "../core/own.ts";
import { isSolanaAddress } from "../core/solana-address.ts";
import { findNetwork } from "../networks/find.ts";
import { checkCopy } from "./copy-rules.ts";
import { checkModels } from "./model-rules.ts";
import type { Config } from "./schema.ts";
import type { Path } from "./walk.ts";

export interface RuleFault {
  readonly path: Path;
  readonly message: string;
}

const BACKUP_EVERY_MS_MIN = 60_000;
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

/** Shorter than a pause of the system, and a node would be given up that is there. */
const LEASE_MS_MIN = 1_000;
const LEASE_MS_MAX = 600_000;

function checkCluster({ node, ledger }: Config): readonly RuleFault[] {
  const lease_ms = parseDuration(ledger.lease);
  return [
    ...(node.cluster && node.instance === undefined
      ? [{ path: ["node", "instance"], message: '"cluster" needs a name for this node: "instance"' }]
      : []),
    ...(node.cluster && ledger.url === undefined
      ? [{ path: ["node", "cluster"], message: '"cluster" needs a ledger that nodes share: [ledger] url' }]
      : []),
    ...(lease_ms < LEASE_MS_MIN || lease_ms > LEASE_MS_MAX
      ? [{ path: ["ledger", "lease"], message: '"lease" must be between "1s" and "10m"' }]
      : []),
  ];
}

type Rule = (config: Config) => readonly RuleFault[];

function checkPublicUrl({ node: { public_url } }: Config): readonly RuleFault[] {
  if (public_url === undefined) return [];
  const wrong = (message: string) => [{ path: ["node", "public_url"], message }];
  if (!URL.canParse(public_url) || public_url.endsWith("/") || new URL(public_url).pathname !== "/") {
    return wrong('"public_url" must be an origin without a path or trailing slash');
  }
  const { origin } = new URL(public_url);
  if (origin !== public_url) return wrong(`"public_url" has one spelling: "${origin}"`);
  if (public_url.startsWith("https:") || LOOPBACK.has(hostOf(public_url))) return [];
  return wrong('"public_url" must be https: registries refuse http addresses');
}

const checkProxies: Rule = ({ server }) =>
  server.trusted_proxies.flatMap((text, index) => {
    const range = parseIPRange(text);
    const message =
      range === undefined
        ? `"${text.slice(0, 60)}" is no IP address and no range such as "10.0.0.0/8" or "2001:db8::/32"`
        : `"${text}" is everybody: every client could then choose the address it is counted under`;
    return range === undefined || range.prefix === 0 ? [{ path: ["server", "trusted_proxies", index], message }] : [];
  });

const checkBackups: Rule = ({ backup }) =>
  parseDuration(backup.every) < BACKUP_EVERY_MS_MIN
    ? [{ path: ["backup", "every"], message: 'a backup more often than every "1m" would never end' }]
    : [];

const ANCHOR_EVERY_MS_MIN = 3_600_000;

function checkAnchor({ proof: { anchor } }: Config): readonly RuleFault[] {
  const insecure = anchor.calendars.flatMap((url, index) =>
    url.startsWith("https://")
      ? []
      : [{ path: ["proof", "anchor", "calendars", index], message: `calendar "${url}" must be https` }],
  );
  if (parseDuration(anchor.every) >= ANCHOR_EVERY_MS_MIN) return insecure;
  return [...insecure, { path: ["proof", "anchor", "every"], message: '"every" must be at least "1h"' }];
}

function checkWallets({ wallets }: Config): readonly RuleFault[] {
  const { algorand, base, solana } = wallets;
  const wrong = (name: string, message: string) => [{ path: ["wallets", name, "pay_to"], message }];
  const of_networks = (base?.networks ?? []).flatMap((name, index) => {
    if (findNetwork(name)?.family === "evm") return [];
    const message = `"${name.slice(0, 60)}" is no network whose addresses are of this kind`;
    return [{ path: ["wallets", "base", "networks", index], message }];
  });
  return [
    ...(algorand?.pay_to !== undefined && !isAlgorandAddress(algorand.pay_to)
      ? wrong("algorand", "this address has a wrong checksum: copy it again")
      : []),
    ...(base?.pay_to !== undefined && !isAddress(base.pay_to)
      ? wrong("base", "this address has a wrong checksum: copy it again, or write it all in lower case")
      : []),
    ...of_networks,
    ...(solana?.pay_to !== undefined && !isSolanaAddress(solana.pay_to)
      ? wrong("solana", "this is no Solana address (32 bytes in base58): copy it again")
      : []),
  ];
}

const checkFacilitators: Rule = ({ facilitators }) =>
  facilitators.flatMap((entry, index) =>
    checkFacilitator(entry).map(({ key, message }) => ({
      path: ["facilitators", index, ...(key === null ? [] : [key])],
      message,
    })),
  );

const checkAlerts: Rule = ({ alerts }) =>
  alerts.flatMap((entry, index) =>
    (getOwn(ALERT_NEEDS, entry.kind) ?? [])
      .filter((key) => entry[key] === undefined)
      .map((key) => ({ path: ["alerts", index], message: `an alert of kind "${entry.kind}" needs "${key}"` })),
  );

const checkModelEntries: Rule = ({ models }) =>
  checkModels(models).map(({ index, key, message }) => ({
    path: ["models", index, ...(key === null ? [] : [key])],
    message,
  }));

const checkPeers: Rule = ({ peers: { urls, standin } }) =>
  standin.products.length > 0 && urls.length === 0
    ? [{ path: ["peers", "standin", "products"], message: 'nobody can stand in: [peers] "urls" is empty' }]
    : [];

const checkPrices: Rule = ({ prices }) =>
  Object.entries(prices)
    .filter(([, price]) => price !== undefined && parseUSD(price) === 0n)
    .map(([path]) => ({ path: ["prices", path], message: "a price must be above 0" }));

const RULES: readonly Rule[] = [
  ...[
    checkPublicUrl,
    checkProxies,
    checkCluster,
    checkBackups,
    checkCopy,
    checkAnchor,
    checkWallets,
    checkFacilitators,
  ],
  ...[checkAlerts, checkModelEntries, checkPeers, checkPrices, checkMetering, checkUpto],
];

/**
 * What one key alone cannot tell.
 * @param is_typed Whether each key has a value of its kind. If not, a rule that stumbles over one is left out: what is
 * wrong with that key is said anyway.
 */
export function checkRules(config: Config, is_typed: boolean): readonly RuleFault[] {
  return RULES.flatMap((rule) => {
    try {
      return rule(config);
    } catch (error) {
      if (is_typed) throw error;
      return [];
    }
  });
}

/** A charge of nothing would be no sale: whatever is metered costs something. */
function checkMetering({ metering, models }: Config): readonly RuleFault[] {
  const message = "a charge must be above 0";
  const sums = (["floors", "ceilings"] as const).flatMap((table) =>
    Object.entries(metering[table]).flatMap(([path, usd]) =>
      usd !== undefined && parseUSD(usd) === 0n ? [{ path: ["metering", table, path], message }] : [],
    ),
  );
  const unknown = Object.keys(metering.models).filter((id) => !models.some((model) => model.id === id));
  return [
    ...(parseUSD(metering.floor) === 0n ? [{ path: ["metering", "floor"], message }] : []),
    ...sums,
    ...unknown.map((id) => ({ path: ["metering", "models", id], message: `no [[models]] entry has the id "${id}"` })),
  ];
}

/** What is signed for the most is charged by a meter. */
function checkUpto({ payments, metering }: Config): readonly RuleFault[] {
  if (!payments.upto.enabled || metering.enabled) return [];
  return [{ path: ["payments", "upto", "enabled"], message: "it needs [metering] enabled = true" }];
}

const MAIL_NEEDS = ["host", "from", "to"] as const;
const ALERT_NEEDS: Readonly<Record<string, readonly (keyof Config["alerts"][number])[]>> = {
  ntfy: ["url"],
  webhook: ["url", "secret"],
  smtp: MAIL_NEEDS,
  email: MAIL_NEEDS,
};

type FacilitatorEntry = Config["facilitators"][number];

/** What is wrong with one [[facilitators]] entry, and at which key of it. */
function checkFacilitator(entry: FacilitatorEntry): readonly { key: string | null; message: string }[] {
  const { kind, url } = entry;
  if (kind === "embedded") return checkEmbedded(entry);
  // The schema refuses unknown kinds.
  if (kind !== "remote" && kind !== "sandbox") return [];
  return [
    ...(url === undefined ? [{ key: null, message: `a ${kind} facilitator needs "url"` }] : []),
    ...(url !== undefined && !URL.canParse(url) ? [{ key: "url", message: "this is no address" }] : []),
    ...(kind === "sandbox" && url !== undefined && !LOOPBACK.has(hostOf(url))
      ? [{ key: "url", message: "a sandbox facilitator must be on loopback" }]
      : []),
  ];
}

function checkEmbedded({ url, auth, headers, networks = [], gas_key_env, gas_key_file }: FacilitatorEntry) {
  const keys = [gas_key_env, gas_key_file].filter((value) => value !== undefined).length;
  return [
    ...(url === undefined ? [] : [{ key: "url", message: "an embedded facilitator has no address" }]),
    ...(auth === undefined ? [] : [{ key: "auth", message: "an embedded facilitator calls nobody" }]),
    ...(headers === undefined ? [] : [{ key: "headers", message: "an embedded facilitator sends no headers" }]),
    ...(networks.length === 1
      ? []
      : [{ key: "networks", message: "an embedded facilitator settles exactly one network, named here" }]),
    ...(keys === 1 ? [] : [{ key: null, message: 'give either "gas_key_env" or "gas_key_file"' }]),
  ];
}
