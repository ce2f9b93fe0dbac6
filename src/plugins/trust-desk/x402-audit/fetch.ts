import {
  type FetchContext,
  type GuardedAnswer,
  type GuardedFailure,
  type GuardedResult,
  NodeError,
  type NodeSigner,
  systemTimers,
} from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { fetchTokenDomain, type TokenDomain } from "intel-node/providers/evm-rpc/token-domain";
import { parseAddress } from "../shared/address.ts";
import { findListedWallets, openLists } from "../shared/lists/sanction-lists.ts";
import { fetchChainFlags, isOracleListed } from "../shared/oracle.ts";
import {
  decodeBody,
  type PaymentTerm,
  parseJSON,
  readStatedTerms,
  type StatedTerms,
} from "../shared/x402/payment-terms.ts";

/** One unpaid call and what it said. */
export interface Probe {
  readonly answer: GuardedAnswer;
  readonly terms: StatedTerms;
  readonly took_ms: number;
}

export interface PayToScreen {
  readonly address: string;
  readonly lists: "hit" | "clear" | "unknown";
  readonly oracle: "hit" | "clear" | "unknown" | "not_applicable";
}

export interface AuditInputs {
  readonly read_at_ms: number;
  readonly url: string;
  /** Whether nobody was named: the node looks at itself. */
  readonly is_self: boolean;
  /** A seller whose certificate is refused is judged; one that cannot be reached is not. */
  readonly first: Probe | GuardedFailure;
  readonly second: Probe | null;
  readonly manifest: { readonly status: number; readonly text: string; readonly value: unknown } | null;
  readonly screens: readonly PayToScreen[];
  /** What the EVM assets' contracts call themselves, by network and asset; null where it could not be read. */
  readonly domains: Readonly<Record<string, TokenDomain | null>>;
  readonly requests_made: number;
  /** Who states what was found, and where his badge is drawn. */
  readonly signer: NodeSigner;
  readonly public_url: string | null;
}

export const isProbe = (one: Probe | GuardedFailure): one is Probe => "answer" in one;

const PAUSE_MS = 1_000;
const HEADERS = { accept: "application/json" } as const;
const EVM_CHAINS: Readonly<Record<string, string>> = { "eip155:8453": "base", "eip155:1": "ethereum" };
/** Rules the buyer broke by what he asked for. */
const REFUSED: readonly string[] = ["url", "port", "host", "address"];

/** Who is audited, and the way to him. */
export interface AuditTarget {
  /** What is named when he cannot be asked at all. */
  readonly url: string;
  readonly is_self: boolean;
  readonly ask: () => Promise<GuardedResult>;
  /** Asks for another path of where the first answer came from. */
  readonly askBeside: (url: string, path: `/${string}`) => Promise<GuardedResult>;
}

/** A seller that a buyer named. */
export const createTarget = (context: FetchContext, url: string): AuditTarget => ({
  ...{ url, is_self: false },
  ask: () => context.askStranger({ url, headers: HEADERS }),
  askBeside: (answered, path) =>
    context.askStranger({ url: new URL(path, answered).href, headers: HEADERS, redirects_same_origin: true }),
});

/**
 * This node at its public address, by the cheapest of what it sells.
 * @throws NodeError upstream_unavailable when it sells nothing.
 */
export function createSelfTarget({ node, signal }: FetchContext): AuditTarget {
  const [sold] = node
    .listProducts()
    .filter(({ is_plan, methods }) => !is_plan && methods.includes("GET"))
    .toSorted((a, b) => Number(a.price_atomic - b.price_atomic) || a.path.localeCompare(b.path));
  if (!sold) throw new NodeError("upstream_unavailable", "This node sells nothing that could be audited.");
  return {
    ...{ url: `${node.public_url ?? ""}${sold.path}`, is_self: true },
    ask: () => node.askSelf(sold.path, signal),
    askBeside: (_, path) => node.askSelf(path, signal),
  };
}

/** @throws NodeError invalid_parameter for an address nobody may ask, upstream_unavailable for one that is silent. */
async function probe(target: AuditTarget): Promise<Probe | GuardedFailure> {
  const started = performance.now();
  const answer = await target.ask();
  if (answer.ok) {
    return {
      ...{ answer, terms: readStatedTerms(answer.headers, answer.body) },
      took_ms: Math.round(performance.now() - started),
    };
  }
  if (!target.is_self && REFUSED.includes(answer.rule)) {
    throw new NodeError("invalid_parameter", `url: ${answer.reason}`, { param: "url" });
  }
  if (answer.rule === "tls" || answer.rule === "redirect") return answer;
  const who = target.is_self ? "This node's own public address" : "The target";
  throw new NodeError("upstream_unavailable", `${who} cannot be reached: ${answer.reason}`);
}

const pause = (context: FetchContext): Promise<void> =>
  new Promise((resolve) => systemTimers.after(context.simulated ? 1 : PAUSE_MS, resolve));

async function fetchManifest(target: AuditTarget, url: string): Promise<AuditInputs["manifest"]> {
  const answer = await target.askBeside(url, "/.well-known/x402.json");
  if (!answer.ok) return null;
  const text = decodeBody(answer.body);
  return { status: answer.status, text, value: parseJSON(text) };
}

async function screen(context: FetchContext, pay_to: readonly string[]): Promise<readonly PayToScreen[]> {
  const lists = await openLists(context);
  const listed = await findListedWallets(lists, pay_to);
  const is_whole = lists.every(({ fault }) => fault === null);
  return Promise.all(
    pay_to.map(async (address): Promise<PayToScreen> => {
      const wallet = parseAddress(address);
      const hit = listed.some(({ row }) => row.name === (wallet?.address ?? address));
      const oracle =
        wallet?.kind === "evm" ? isOracleListed(await fetchChainFlags(context, wallet.address)) : undefined;
      return {
        address,
        lists: hit ? "hit" : is_whole ? "clear" : "unknown",
        oracle: oracle === undefined ? "not_applicable" : oracle === null ? "unknown" : oracle ? "hit" : "clear",
      };
    }),
  );
}

export const domainKey = ({ network, asset }: PaymentTerm): string => `${network} ${asset.toLowerCase()}`;

async function fetchDomains(context: FetchContext, accepts: readonly PaymentTerm[]): Promise<AuditInputs["domains"]> {
  const wanted = new Map(accepts.map((term) => [domainKey(term), term]));
  const read = await Promise.all(
    [...wanted].slice(0, 4).map(async ([key, { network, asset }]) => {
      const chain = EVM_CHAINS[network];
      if (chain === undefined || parseAddress(asset)?.kind !== "evm" || !context.usable(evmRpc)) return [];
      const domain = await fetchTokenDomain(context, { chain, token: asset }).catch(() => null);
      return [[key, domain] as const];
    }),
  );
  return Object.fromEntries(read.flat());
}

/** Asks the seller twice without paying, reads its manifest, and looks up who would be paid. */
export async function fetchAudit(context: FetchContext, target: AuditTarget): Promise<AuditInputs> {
  const first = await probe(target);
  const { is_self } = target;
  const url = is_self && isProbe(first) ? (first.answer.hops[0]?.url ?? target.url) : target.url;
  const by = { signer: context.signer, public_url: context.node.public_url };
  const read = { read_at_ms: context.now_ms, url, is_self, first, ...by };
  if (!isProbe(first)) {
    const requests_made = Math.max(1, first.hops.length);
    return { ...read, second: null, manifest: null, screens: [], domains: {}, requests_made };
  }
  context.cite({
    ...{ provider: "target", url: new URL(first.answer.url).origin, ok: true },
    fetched_at: new Date(context.now_ms).toISOString(),
  });
  const accepts = (first.terms.header ?? first.terms.body)?.accepts ?? [];
  const pay_to = [...new Set(accepts.map((term) => term.pay_to).filter((one) => one !== ""))].slice(0, 6);
  const again = pause(context).then(() => probe(target).catch(() => null));
  const [manifest, screens, domains, second] = await Promise.all([
    fetchManifest(target, first.answer.url),
    screen(context, pay_to),
    fetchDomains(context, accepts),
    again,
  ]);
  const is_second = second !== null && isProbe(second);
  const hops = first.answer.hops.length + (is_second ? second.answer.hops.length : 1) + 1;
  return { ...read, second: is_second ? second : null, manifest, screens, domains, requests_made: hops };
}
