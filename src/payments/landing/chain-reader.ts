import { sleep, systemTimers, type Timers } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { familyOf } from "../networks/families.ts";
import type { Network } from "../networks/table.ts";
import type { ChainAccess, ChainVerdict, NetworkFamily } from "../types.ts";

/** One payment as the chain is asked for it. */
export type ChainQuestion = Omit<Parameters<NetworkFamily["askChain"]>[0], "rpc_urls">;

/** The operator's endpoints of all chains, none of which is believed alone that a payment was never taken. */
export interface ChainReader {
  /** Whether there is an endpoint to ask. */
  canRead(network: Network): boolean;
  /**
   * What the chain says of a payment. "Not paid" is final only when two endpoints say so some seconds apart; where
   * there is only one, when it says so twice.
   * @throws Error when no endpoint answers.
   */
  ask(question: ChainQuestion): Promise<ChainVerdict>;
}

export interface ChainReaderOptions {
  /** RPC endpoints by chain name. */
  readonly rpc_urls: (chain: string) => readonly string[];
  /** Indexers and headers by chain name. */
  readonly access?: (chain: string) => ChainAccess;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
  /** Between the two looks that make "not paid" final: public endpoints lag. */
  readonly second_look_ms?: number;
  /** What ends that pause; the system's timers unless given. */
  readonly timers?: Timers | undefined;
}

const SECOND_LOOK_MS = 3_000;
/** Endpoints asked in one look. */
const ENDPOINTS_MAX = 5;
/** A look is given up after this many endpoints that did not answer; each may take some seconds. */
const FAILURES_MAX = 3;

/** Without path and query, which may hold a key. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "");

export function createChainReader(options: ChainReaderOptions): ChainReader {
  const { rpc_urls, access, log, timers = systemTimers, second_look_ms = SECOND_LOOK_MS } = options;
  /** Endpoints that did not answer the last time: asked after the others. Holds configured addresses only. */
  const failing = new Set<string>();

  const endpointsOf = ({ chain }: Network): readonly string[] => {
    const urls = [...new Set(rpc_urls(chain))].slice(0, ENDPOINTS_MAX);
    return [...urls.filter((url) => !failing.has(url)), ...urls.filter((url) => failing.has(url))];
  };

  /** All of one look comes from one endpoint: pieces of several would fit together by chance only. */
  async function askOne(url: string, question: ChainQuestion): Promise<ChainVerdict> {
    try {
      const verdict = await familyOf(question.network).askChain({
        ...question,
        ...access?.(question.network.chain),
        rpc_urls: [url],
      });
      failing.delete(url);
      return verdict;
    } catch (error) {
      failing.add(url);
      throw error;
    }
  }

  async function askFirst(urls: readonly string[], question: ChainQuestion) {
    let last: unknown = new Error(`no [chains.${question.network.chain}] rpc is configured`);
    for (const url of urls.slice(0, FAILURES_MAX)) {
      try {
        return { url, verdict: await askOne(url, question) };
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  /** Another endpoint's word on "not paid, final"; that of the same one where there is no other. */
  async function askAgain(
    urls: readonly string[],
    first: { url: string; verdict: ChainVerdict },
    asked: ChainQuestion,
  ) {
    const others = urls.filter((url) => url !== first.url);
    for (const url of others.length > 0 ? others : [first.url]) {
      try {
        const verdict = await askOne(url, asked);
        if (verdict.paid) log({ event: "endpoints_disagree", paid: hostOf(url), not_paid: hostOf(first.url) });
        if (verdict.paid || verdict.final) return verdict;
      } catch (error) {
        log({ event: "endpoint_failed", endpoint: hostOf(url), error: messageOf(error).slice(0, 200) });
      }
    }
    return null;
  }

  return {
    canRead: ({ chain }) => rpc_urls(chain).length > 0,
    async ask(question) {
      const urls = endpointsOf(question.network);
      const first = await askFirst(urls, question);
      const { verdict } = first;
      if (verdict.paid || !verdict.final) return verdict;
      await sleep(timers, second_look_ms);
      const second = await askAgain(urls, first, question);
      return second ?? { paid: false, final: false, reason: `${verdict.reason}, by one look only` };
    },
  };
}
