import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import { type Clock, systemClock, type Timers } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import { isAddress } from "../core/eth-address.ts";
import { parseUSD } from "../core/money.ts";
import { readSecretVariable } from "../core/secrets.ts";
import type { SpendTogether } from "../core/shared-budget.ts";
import { readGasKey } from "../files/gas-key.ts";
import { type Authorize, createCDPAuth } from "../payments/facilitators/cdp-auth.ts";
import { openGasBudget } from "../payments/facilitators/embedded/gas-budget.ts";
import { gasCoinOf, isGasKey, parseGas } from "../payments/facilitators/embedded/gas-coin.ts";
import { createEmbeddedFacilitator } from "../payments/facilitators/embedded/index.ts";
import { shareGasBudget } from "../payments/facilitators/embedded/shared-gas-budget.ts";
import type { CreateEngine } from "../payments/facilitators/embedded/types.ts";
import type { ExtensionAnswers } from "../payments/facilitators/extension-answers.ts";
import { nameFacilitators } from "../payments/facilitators/ids.ts";
import { createRemoteFacilitator } from "../payments/facilitators/remote.ts";
import type { Facilitator } from "../payments/facilitators/types.ts";
import type { ChainReader } from "../payments/landing/chain-reader.ts";
import { type Network, networkById } from "../payments/networks/table.ts";
import type { ChainAccess } from "../payments/types.ts";
import type { Log } from "../telemetry/log.ts";

export interface FacilitatorParts {
  readonly config: Config;
  readonly data_dir: string;
  readonly clock: Clock;
  readonly timers?: Timers | undefined;
  readonly log: Log;
  readonly rpc_urls: (chain: string) => readonly string[];
  readonly access: (chain: string) => ChainAccess;
  readonly chain: ChainReader;
  readonly extension_answers: ExtensionAnswers;
  /** Told of the heads of each answer. */
  readonly onHeaders?: ((url: string, headers: Headers) => void) | undefined;
  /** Where several nodes spend the same gas. */
  readonly spendTogether?: SpendTogether | undefined;
}

/** What a payment may take unless the operator says otherwise: a plain account's takes about 110,000. */
const GAS_PER_CALL = 200_000;
const GAS_SHARE_MAX = 0.5;

type Entry = Config["facilitators"][number];

/** A transaction is waited for a little shorter than its settlement may take, so that its id is not lost. */
const CONFIRM_SHARE = 0.8;
/** A payment is settled minutes after it was signed: where the chain is searched from. */
const SEARCH_BACK_MS = 600_000;

/** Chains' libraries are loaded when the first embedded facilitator of that chain is asked for the first time. */
const ENGINES: Readonly<Record<Network["wallet"], CreateEngine>> = {
  base: async (options) => (await import("../payments/facilitators/embedded/evm.ts")).createEvmEngine(options),
  solana: async (options) => (await import("../payments/facilitators/embedded/solana.ts")).createSolanaEngine(options),
  algorand: async (options) =>
    (await import("../payments/facilitators/embedded/algorand.ts")).createAlgorandEngine(options),
};

/** @throws Error for an embedded facilitator without a key, an endpoint or a network it could work with. */
export function composeFacilitators(parts: FacilitatorParts) {
  const { config } = parts;
  const ids = nameFacilitators(config.facilitators);
  return config.facilitators.map((entry, index) => {
    const { networks = [] } = entry;
    const id = ids[index] ?? `${index}`;
    const facilitator = entry.kind === "embedded" ? createEmbedded(parts, entry, id) : createRemote(parts, entry, id);
    return { facilitator, networks: networks.length > 0 ? networks : null };
  });
}

const timeoutsOf = ({ config: { payments }, timers }: Pick<FacilitatorParts, "config" | "timers">) => ({
  timers,
  verify_timeout_ms: parseDuration(payments.verify_timeout),
  settle_timeout_ms: parseDuration(payments.settle_timeout),
});

/** @throws Error when a call could not be signed with what is in the environment. */
function readAuth({ auth }: Entry, clock: Clock): Authorize | undefined {
  if (auth === undefined) return undefined;
  const key_id = readSecretVariable("CDP_API_KEY_ID");
  const key_secret = readSecretVariable("CDP_API_KEY_SECRET");
  if (key_id === null || key_secret === null)
    throw new Error("auth: CDP_API_KEY_ID and CDP_API_KEY_SECRET are not set");
  return createCDPAuth({ key_id, key_secret, now_ms: clock.now });
}

function createRemote(parts: FacilitatorParts, entry: Entry, id: string): Facilitator {
  const { clock, extension_answers, onHeaders } = parts;
  const { kind, url, headers = {}, claims_max } = entry;
  if (url === undefined || kind === "embedded") throw new Error(`${id}: a facilitator without an address`);
  const authorize = readAuth(entry, clock);
  const onExtensions = (header: string) => extension_answers.note(id, header);
  const heard = { onExtensions, onHeaders };
  return createRemoteFacilitator({ id, kind, url, headers, authorize, claims_max, ...heard, ...timeoutsOf(parts) });
}

/** What the facilitators' keys lack, for people, before anything is started; none when all is well. */
export function findFacilitatorFaults(config: Config): readonly string[] {
  return config.facilitators.flatMap((entry, index) => {
    try {
      if (entry.kind === "embedded") readEmbedded(config, entry);
      else readAuth(entry, systemClock);
      return [];
    } catch (error) {
      return [`facilitators[${index}]: ${messageOf(error)}`];
    }
  });
}

/** What an [[facilitators]] entry of kind "embedded" says, checked against the tables of networks and coins. */
function readEmbedded(config: Config, entry: Entry) {
  const [id = ""] = entry.networks ?? [];
  const network = networkById(id);
  const wrong = (message: string) => new Error(`embedded facilitator for ${id}: ${message}`);
  if (!network) throw wrong("no such network");
  const coin = gasCoinOf(network);
  const min_gas = parseGas(entry.min_gas ?? coin.min_gas, coin);
  const cap = parseGas(entry.gas_cap_per_hour ?? coin.cap_per_hour, coin);
  if (min_gas === null || cap === null) throw wrong(`amounts of ${coin.symbol} have ${coin.decimals} decimals`);
  const factories = entry.eip6492_factories ?? [];
  const odd = factories.find((address) => !isAddress(address));
  if (odd !== undefined) throw wrong(`the factory ${odd} has a wrong checksum`);
  if ((config.chains[network.chain]?.rpc ?? []).length === 0) throw wrong(`it needs [chains.${network.chain}] rpc`);
  const key = readGasKey(entry);
  if (!isGasKey(network, key)) throw wrong(`a gas key of ${network.title} is ${coin.key_form}`);
  const gas = {
    per_call_max: BigInt(entry.gas_per_call ?? GAS_PER_CALL),
    coin_price: entry.coin_usd === undefined ? null : parseUSD(entry.coin_usd),
    share_max: entry.gas_share_max ?? GAS_SHARE_MAX,
  };
  return { network, min_gas, cap, factories, key, gas };
}

function createEmbedded(parts: FacilitatorParts, entry: Entry, id: string): Facilitator {
  const { config, clock, log, rpc_urls, access, chain, spendTogether } = parts;
  const { network, min_gas, cap, factories, key, gas } = readEmbedded(config, entry);
  const timeouts = timeoutsOf(parts);
  const file = join(parts.data_dir, `gas-${network.id.replace(/[^A-Za-z0-9_-]/g, "-")}.json`);
  const own = openGasBudget({ file, cap, clock });
  return createEmbeddedFacilitator({
    id,
    network,
    budget: spendTogether ? shareGasBudget(own, { network: network.id, cap, clock, spendTogether }) : own,
    min_gas,
    warn: log.warn,
    ...timeouts,
    createEngine: () =>
      ENGINES[network.wallet]({
        network,
        key,
        rpc_urls: rpc_urls(network.chain),
        headers: access(network.chain).headers ?? {},
        factories,
        gas,
        confirm_ms: Math.floor(timeouts.settle_timeout_ms * CONFIRM_SHARE),
      }),
    askChain: ({ payload, requirement }, hint_transaction) =>
      chain.ask({
        network,
        payload,
        amount: BigInt(requirement.amount),
        pay_to: requirement.payTo,
        since_ms: clock.now() - SEARCH_BACK_MS,
        hint_transaction,
      }),
  });
}
