import {
  domainKey,
  type FetchContext,
  findNetwork,
  getOwn,
  isProbe,
  type PaymentTerm,
  type PayToScreen,
  type SellerReadings,
  systemTimers,
  termsOf,
} from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { fetchTokenDomain } from "intel-node/providers/evm-rpc/token-domain";
import { parseAddress } from "../addresses/address.ts";
import { findListedWallets, openLists } from "../lists/sanction-lists.ts";
import { fetchChainFlags, isOracleListed } from "../screens/oracle.ts";
import { fetchBeside } from "./beside.ts";
import { fetchHistory, type PayToHistory } from "./history.ts";
import { type AuditTarget, probe } from "./probes.ts";
import { findInRegisters } from "./registers.ts";

export interface AuditInputs extends SellerReadings {
  /** Whether no seller was named: the node audits itself. */
  readonly is_self: boolean;
  readonly history: readonly PayToHistory[];
  readonly requests_made: number;
  /** Where the badge is drawn. */
  readonly public_url: string | null;
}

const PAUSE_MS = 1_000;
const WATCH_TIMEOUT_MS = 3_000;
const pause = (context: FetchContext, times = 1): Promise<void> =>
  new Promise((resolve) => systemTimers.after(context.simulated ? 1 : PAUSE_MS * times, resolve));

/** Whether the seller still answers 2 and 3 s after his first answer. */
const watch = (context: FetchContext, target: AuditTarget): Promise<readonly (number | null)[]> =>
  Promise.all(
    [2, 3].map(async (times) => {
      await pause(context, times);
      const answer = await target.ask(WATCH_TIMEOUT_MS);
      return answer.ok ? answer.status : null;
    }),
  );

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

/** The chain of a network whose nodes are asked; undefined without one. */
function evmChainOf(network: string): string | undefined {
  const name = findNetwork(network)?.name.replaceAll("-", "_");
  return name !== undefined && getOwn(evmRpc.chains ?? {}, name) !== undefined ? name : undefined;
}

async function fetchDomains(context: FetchContext, accepts: readonly PaymentTerm[]): Promise<AuditInputs["domains"]> {
  const wanted = new Map(accepts.map((term) => [domainKey(term), term]));
  const read = await Promise.all(
    [...wanted].slice(0, 4).map(async ([key, { network, asset }]) => {
      const chain = evmChainOf(network);
      if (chain === undefined || parseAddress(asset)?.kind !== "evm" || !context.usable(evmRpc)) return [];
      const domain = await fetchTokenDomain(context, { chain, token: asset }).catch(() => null);
      return [[key, domain] as const];
    }),
  );
  return Object.fromEntries(read.flat());
}

const NOTHING = { manifest: null, openapi: null, preview: null, window: [], screens: [], history: [], registers: [] };

/** Calls the seller without paying, reads its documents, and looks up the payee. */
export async function fetchAudit(context: FetchContext, target: AuditTarget): Promise<AuditInputs> {
  const first = await probe(target);
  const { is_self } = target;
  const url = is_self && isProbe(first) ? (first.answer.hops[0]?.url ?? target.url) : target.url;
  const read = { read_at_ms: context.now_ms, url, is_self, first, public_url: context.node.public_url };
  if (!isProbe(first)) {
    const requests_made = Math.max(1, first.hops.length);
    return { ...read, ...NOTHING, second: null, domains: {}, requests_made };
  }
  context.cite({
    provider: "target",
    url: new URL(first.answer.url).origin,
    ok: true,
    fetched_at: new Date(context.now_ms).toISOString(),
  });
  const accepts = termsOf(first.terms)?.accepts ?? [];
  const pay_to = [...new Set(accepts.map((term) => term.pay_to).filter((one) => one !== ""))].slice(0, 6);
  const again = pause(context).then(() => probe(target).catch(() => null));
  const [beside, screens, domains, second, window, history, registers] = await Promise.all([
    fetchBeside(target, first),
    screen(context, pay_to),
    fetchDomains(context, accepts),
    again,
    watch(context, target),
    fetchHistory(context, accepts),
    findInRegisters(context, first.answer.url),
  ]);
  const is_second = second !== null && isProbe(second);
  const others = window.length + Object.keys(beside).length;
  const requests_made = first.answer.hops.length + (is_second ? second.answer.hops.length : 1) + others;
  const seen = { ...beside, screens, domains, window, history, registers, requests_made };
  return { ...read, ...seen, second: is_second ? second : null };
}
