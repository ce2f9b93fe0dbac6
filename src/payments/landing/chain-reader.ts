import { sleep, systemTimers, type Timers } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { familyOf } from "../networks/families.ts";
import type { Network } from "../networks/table.ts";
import type { ChainAccess, ChainVerdict, IncomingQuestion, IncomingTransfer, NetworkFamily } from "../types.ts";

/** One payment as the chain is asked for it. */
export type ChainQuestion = Omit<Parameters<NetworkFamily["askChain"]>[0], "rpc_urls">;

/** What came to an address, as the chain is asked for it. */
export type IncomeQuestion = Omit<IncomingQuestion, "rpc_urls" | keyof ChainAccess>;

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

/** Lists what came in, whether the books know of it or not. */
export interface IncomeReader {
  /**
   * What came to an address in a period, as one endpoint lists it.
   * @throws Error when no endpoint answers, none can look so far back, or there are too many to list.
   */
  listIncoming(question: IncomeQuestion): Promise<readonly IncomingTransfer[]>;
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

/** One endpoint, with what every call to its chain carries. */
type ChainEndpoint = ChainAccess & { readonly rpc_urls: readonly string[] };

const SECOND_LOOK_MS = 3_000;
/** Endpoints asked in one look. */
const ENDPOINTS_MAX = 5;
/** A look is given up after this many endpoints that did not answer; each may take some seconds. */
const FAILURES_MAX = 3;

/** Without path and query, which may hold a key. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "");

export function createChainReader(options: ChainReaderOptions): ChainReader & IncomeReader {
  const { rpc_urls, access, log, timers = systemTimers, second_look_ms = SECOND_LOOK_MS } = options;
  /** Endpoints that did not answer the last time: asked after the others. Holds configured addresses only. */
  const failing = new Set<string>();

  const endpointsOf = ({ chain }: Network): readonly string[] => {
    const urls = [...new Set(rpc_urls(chain))].slice(0, ENDPOINTS_MAX);
    return [...urls.filter((url) => !failing.has(url)), ...urls.filter((url) => failing.has(url))];
  };

  /** All of one look comes from one endpoint: pieces of several would fit together by chance only. */
  async function askOne<T>(url: string, network: Network, ask: (at: ChainEndpoint) => Promise<T>): Promise<T> {
    try {
      const answer = await ask({ ...access?.(network.chain), rpc_urls: [url] });
      failing.delete(url);
      return answer;
    } catch (error) {
      failing.add(url);
      throw error;
    }
  }
  const askVerdict = (url: string, question: ChainQuestion): Promise<ChainVerdict> =>
    askOne(url, question.network, (at) => familyOf(question.network).askChain({ ...question, ...at }));

  /** @throws Error of the last one asked when none answers. */
  async function askFirst<T>(network: Network, ask: (at: ChainEndpoint) => Promise<T>) {
    let last: unknown = new Error(`no [chains.${network.chain}] rpc is configured`);
    for (const url of endpointsOf(network).slice(0, FAILURES_MAX)) {
      try {
        return { url, answer: await askOne(url, network, ask) };
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
        const verdict = await askVerdict(url, asked);
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
      const { network } = question;
      const { url, answer: verdict } = await askFirst(network, (at) =>
        familyOf(network).askChain({ ...question, ...at }),
      );
      if (verdict.paid || !verdict.final) return verdict;
      await sleep(timers, second_look_ms);
      const second = await askAgain(endpointsOf(network), { url, verdict }, question);
      return second ?? { paid: false, final: false, reason: `${verdict.reason}, by one look only` };
    },
    listIncoming: async (question) => {
      const { network } = question;
      return (await askFirst(network, (at) => familyOf(network).listIncoming({ ...question, ...at }))).answer;
    },
  };
}
