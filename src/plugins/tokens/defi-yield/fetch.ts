import { type FetchContext, NodeError } from "intel-node";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { assetOf, isOfAsset } from "../yields/assets.ts";
import { PRICED_TOKENS, yieldPrices } from "../yields/prices.ts";
import type { NamedPool } from "../yields/protocol.ts";
import { YIELD_READERS, type YieldReader } from "../yields/readers.ts";
import { type YieldSample, yieldSamples } from "../yields/samples.ts";

const SOURCES_MAX = 8;

/** What is known of a reader's contract, without the ways to read it. */
export type YieldContract = NamedPool & Pick<YieldReader, "chain" | "id">;

export interface YieldHistory {
  readonly reader: YieldContract;
  /** Oldest first; the last one is at most two hours old. */
  readonly samples: readonly (YieldSample & { readonly at_ms: number })[];
}

/** By symbol, what a token was worth within the last two hours, and which feed said so. */
export type YieldPrices = ReadonlyMap<
  string,
  { readonly price_usd: number; readonly updated_at_ms: number; readonly chain: string; readonly feed: string }
>;

export interface DefiYieldInputs {
  readonly read_at_ms: number;
  readonly considered: number;
  readonly prices: YieldPrices;
  readonly histories: readonly YieldHistory[];
}

export interface DefiYieldQuery {
  readonly protocol?: string;
  readonly asset?: string;
  readonly chain?: string;
  readonly stable_only?: boolean;
}

const refuse = (
  message: string,
  { parameter, got, allowed }: Record<"parameter" | "got", string> & { allowed: string[] },
) =>
  new NodeError("unknown_subject", `${message} Known: ${allowed.join(", ")}.`, {
    details: { parameter, got, allowed },
  });

/** The name of a protocol in its one form. */
export const toProtocolName = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, "-");

const namesOf = (readers: readonly YieldReader[], nameOf: (reader: YieldReader) => string): string[] => [
  ...new Set(readers.map(nameOf)),
];

/**
 * Readers whose protocol begins with what was asked, of the asset asked for.
 * @throws NodeError unknown_subject without a match, with the known ones.
 */
export function chooseReaders({ protocol, asset, chain, stable_only = false }: DefiYieldQuery): readonly YieldReader[] {
  const wanted = toProtocolName(protocol ?? "");
  const named = YIELD_READERS.filter(({ project }) => project.startsWith(wanted));
  if (named.length === 0) {
    const allowed = namesOf(YIELD_READERS, ({ project }) => project);
    throw refuse("No protocol of that name is read.", { parameter: "protocol", got: wanted, allowed });
  }
  const held = asset === undefined ? named : named.filter((one) => isOfAsset(one, asset));
  if (held.length === 0) {
    const about = { parameter: "asset", got: asset ?? "", allowed: namesOf(named, assetOf) };
    throw refuse("Nothing is read that is earned on that asset.", about);
  }
  const chosen = held.filter((one) => (chain ?? one.chain) === one.chain && (!stable_only || one.is_stable));
  if (chosen.length > 0) return chosen;
  const message = "Nothing is read that is all of what was asked.";
  if (chain === undefined) throw refuse(message, { parameter: "stable_only", got: "true", allowed: ["false"] });
  throw refuse(message, { parameter: "chain", got: chain, allowed: namesOf(held, (one) => one.chain) });
}

const describeReader = (reader: YieldReader): YieldContract => {
  const { id, chain, project, symbol, contract, is_stable, underlying, decimals, pays_elsewhere, days_min } = reader;
  return {
    id,
    chain,
    project,
    symbol,
    contract,
    is_stable,
    underlying,
    decimals,
    ...(pays_elsewhere === undefined ? {} : { pays_elsewhere }),
    ...(days_min === undefined ? {} : { days_min }),
  };
};

type Read = {
  readonly newest: NonNullable<Awaited<ReturnType<typeof yieldSamples.newest>>>;
  readonly history: YieldHistory;
};

/** One job asks all chains, so every sample names its calls: each address once, Solana's where a row is of Solana. */
function listSources(read: readonly Read[]) {
  const chains = new Map(read.map(({ newest, history }) => [history.reader.chain, newest.sources]));
  const asked = [...chains.values()].flat().filter(({ provider }) => chains.has("solana") || provider !== solanaRpc.id);
  return [...new Map(asked.map((source) => [`${source.url} ${source.ok}`, source])).values()].slice(0, SOURCES_MAX);
}

async function readPrices(context: FetchContext): Promise<YieldPrices> {
  const read = await Promise.all(
    PRICED_TOKENS.map(async (symbol) => {
      const newest = await yieldPrices.newest(context, { max_age: "2h", of: symbol });
      return newest ? [[symbol, newest.value] as const] : [];
    }),
  );
  return new Map(read.flat());
}

/** @throws NodeError upstream_unavailable when nothing was sampled within two hours. */
export async function fetchDefiYield(context: FetchContext, query: DefiYieldQuery): Promise<DefiYieldInputs> {
  const readers = chooseReaders(query);
  const found = await Promise.all(
    readers.map(async (reader) => {
      const newest = await yieldSamples.newest(context, { max_age: "2h", of: reader.id });
      if (!newest) return null;
      const past = await yieldSamples.read(context, { last: "31d", of: reader.id });
      return {
        newest,
        history: { reader: describeReader(reader), samples: past.map(({ at_ms, value }) => ({ ...value, at_ms })) },
      };
    }),
  );
  const histories = found.filter((one) => one !== null);
  if (histories.length === 0) {
    throw new NodeError("upstream_unavailable", "No contract was read within the last two hours. Nothing was charged.");
  }
  for (const source of listSources(histories)) context.cite(source);
  return {
    read_at_ms: context.now_ms,
    considered: readers.length,
    prices: await readPrices(context),
    histories: histories.map(({ history }) => history),
  };
}
