import { isAlgorandAddress } from "../core/algorand-address.ts";
import { parseDuration } from "../core/duration.ts";
import { isAddress } from "../core/eth-address.ts";
import { parseIPRange } from "../core/ip-address.ts";
import { parseUSD } from "../core/money.ts";
import { isSolanaAddress } from "../core/solana-address.ts";
import { findNetwork } from "../networks/find.ts";
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

/** What one key alone cannot tell. */
export function checkRules(config: Config): readonly RuleFault[] {
  const faults: RuleFault[] = [];
  const { public_url } = config.node;
  if (public_url !== undefined) {
    if (!URL.canParse(public_url) || public_url.endsWith("/") || new URL(public_url).pathname !== "/") {
      faults.push({
        path: ["node", "public_url"],
        message: '"public_url" must be an origin without a path or trailing slash',
      });
    } else if (new URL(public_url).origin !== public_url) {
      const { origin } = new URL(public_url);
      faults.push({ path: ["node", "public_url"], message: `"public_url" has one spelling: "${origin}"` });
    } else if (!public_url.startsWith("https:") && !LOOPBACK.has(hostOf(public_url))) {
      faults.push({
        path: ["node", "public_url"],
        message: '"public_url" must be https: registries refuse http addresses',
      });
    }
  }
  config.server.trusted_proxies.forEach((text, index) => {
    const range = parseIPRange(text);
    const message =
      range === undefined
        ? `"${text.slice(0, 60)}" is no IP address and no range such as "10.0.0.0/8" or "2001:db8::/32"`
        : `"${text}" is everybody: every client could then choose the address it is counted under`;
    if (range === undefined || range.prefix === 0) faults.push({ path: ["server", "trusted_proxies", index], message });
  });
  faults.push(...checkCluster(config));
  if (parseDuration(config.backup.every) < BACKUP_EVERY_MS_MIN) {
    faults.push({ path: ["backup", "every"], message: 'a backup more often than every "1m" would never end' });
  }
  const algorand = config.wallets.algorand?.pay_to;
  if (algorand !== undefined && !isAlgorandAddress(algorand)) {
    const message = "this address has a wrong checksum: copy it again";
    faults.push({ path: ["wallets", "algorand", "pay_to"], message });
  }
  const pay_to = config.wallets.base?.pay_to;
  if (pay_to !== undefined && !isAddress(pay_to)) {
    const message = "this address has a wrong checksum: copy it again, or write it all in lower case";
    faults.push({ path: ["wallets", "base", "pay_to"], message });
  }
  config.wallets.base?.networks.forEach((name, index) => {
    if (findNetwork(name)?.family === "evm") return;
    const message = `"${name.slice(0, 60)}" is no network whose addresses are of this kind`;
    faults.push({ path: ["wallets", "base", "networks", index], message });
  });
  const solana = config.wallets.solana?.pay_to;
  if (solana !== undefined && !isSolanaAddress(solana)) {
    const message = "this is no Solana address (32 bytes in base58): copy it again";
    faults.push({ path: ["wallets", "solana", "pay_to"], message });
  }
  config.facilitators.forEach((entry, index) => {
    for (const { key, message } of checkFacilitator(entry)) {
      faults.push({ path: ["facilitators", index, ...(key === null ? [] : [key])], message });
    }
  });
  config.alerts.forEach((entry, index) => {
    for (const key of ALERT_NEEDS[entry.kind]) {
      if (entry[key] !== undefined) continue;
      faults.push({ path: ["alerts", index], message: `an alert of kind "${entry.kind}" needs "${key}"` });
    }
  });
  for (const { index, key, message } of checkModels(config.models)) {
    faults.push({ path: ["models", index, ...(key === null ? [] : [key])], message });
  }
  const { urls, standin } = config.peers;
  if (standin.products.length > 0 && urls.length === 0) {
    faults.push({ path: ["peers", "standin", "products"], message: 'nobody can stand in: [peers] "urls" is empty' });
  }
  for (const [path, price] of Object.entries(config.prices)) {
    if (price !== undefined && parseUSD(price) === 0n) {
      faults.push({ path: ["prices", path], message: "a price must be above 0" });
    }
  }
  faults.push(...checkMetering(config));
  return faults;
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

const ALERT_NEEDS = {
  ntfy: ["url"],
  webhook: ["url", "secret"],
  smtp: ["host", "from", "to"],
} as const;

type FacilitatorEntry = Config["facilitators"][number];

/** What is wrong with one [[facilitators]] entry, and at which key of it. */
function checkFacilitator(entry: FacilitatorEntry): readonly { key: string | null; message: string }[] {
  const { kind, url } = entry;
  if (kind === "embedded") return checkEmbedded(entry);
  // Of a kind that is none the schema says so.
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
