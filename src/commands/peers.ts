import { readPeerTerms } from "../buyer/stand-in/read-terms.ts";
import { whyNoStandIn } from "../buyer/stand-in/stand-ins.ts";
import { renderFault } from "../catalog/catalog.ts";
import { systemClock } from "../core/clock.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { parseJSON } from "../core/json-values.ts";
import { renderUSD } from "../core/money.ts";
import { readFolderSwitches } from "../files/switch-file.ts";
import { composeCatalog, composeUpstream } from "../node/compose-catalog.ts";
import { networkById } from "../payments/networks/table.ts";
import { isSignedByWallet } from "../payments/wallet-proof.ts";
import { VERSION } from "../releases/version.ts";
import { createLog } from "../telemetry/log.ts";
import { listOrigins } from "../trust/ask-peers.ts";
import type { AskPeer } from "../trust/peer-types.ts";
import { type PeerVerdict, verifyPeer } from "../trust/verify-peer.ts";
import { fetchPeer } from "../upstream/fetch-peer.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";
import { type ChannelBounds, readChannelBounds, renderChannel, type TriedChannel, tryChannel } from "./try-channel.ts";

const LINE_CHARS_MAX = 300;
const KNOWN_MAX = 20;

/** A product that a peer may stand in for and its highest price, or the reason why it cannot. */
export interface WantedProduct {
  readonly path: string;
  readonly price_max: bigint | null;
  readonly why: string | null;
}

export interface TriedPeer {
  readonly url: string;
  readonly node_id: string | null;
  readonly verdict: PeerVerdict;
  readonly sandbox: boolean;
  /** The first reason against buying from it. */
  readonly doubt: string | null;
  readonly products: readonly {
    readonly path: string;
    readonly asks_atomic: string | null;
    readonly would_buy: boolean;
    readonly why: string;
    /** null if it offers no channel to the payee of its price. */
    readonly channel: TriedChannel | null;
  }[];
  /** Addresses that it names itself, unproven. */
  readonly knows: readonly string[];
}

interface TryOptions {
  readonly ask: AskPeer;
  readonly sandbox: boolean;
  /** null if this node pays peers call by call. */
  readonly channels: ChannelBounds | null;
}

/** Asks a peer for its identity and for the price of each product. Pays nothing. */
export async function tryPeer(
  origin: string,
  wanted: readonly WantedProduct[],
  options: TryOptions,
): Promise<TriedPeer> {
  const { ask } = options;
  const networkOf = (id: string) => networkById(id)?.id ?? null;
  const report = await verifyPeer(origin, { ask, isSignedByWallet, networkOf, now_ms: systemClock.now() });
  const step = report.steps.find(({ state }) => state === "failed") ?? report.steps.find((one) => one.state !== "ok");
  const products = [];
  for (const one of wanted)
    products.push({ path: one.path, ...(await tryProduct(origin, one, { ...options, report })) });
  return {
    url: origin,
    node_id: report.node_id,
    verdict: report.verdict,
    sandbox: report.sandbox,
    doubt: step ? `${step.name}: ${step.detail}` : null,
    products,
    knows: await readKnown(origin, ask),
  };
}

interface TryParts extends TryOptions {
  readonly report: Awaited<ReturnType<typeof verifyPeer>>;
}

async function tryProduct(
  origin: string,
  { path, price_max, why }: WantedProduct,
  { ask, sandbox, report, channels }: TryParts,
): Promise<Omit<TriedPeer["products"][number], "path">> {
  const unpriced = (text: string) => ({ asks_atomic: null, would_buy: false, why: text, channel: null });
  if (price_max === null) return unpriced(why ?? "it is not sold here");
  const answer = await ask(`${origin}${path}`);
  if ("failed" in answer) return unpriced(answer.failed);
  if (answer.status !== 402) return unpriced(`it answers ${answer.status} instead of a price`);
  const terms = readPeerTerms(answer.headers, report.sandbox);
  if (terms === null) return unpriced("it takes no exact payment in USDC on Base");
  const { amount, challenge } = terms;
  const priced = { asks_atomic: amount.toString(), channel: tryChannel(answer, terms, { price_max, channels }) };
  const no = (text: string) => ({ ...priced, would_buy: false, why: text });
  if (amount > price_max) return no(`it asks ${renderUSD(amount)}, at most ${renderUSD(price_max)} may be paid`);
  if (report.sandbox !== sandbox) return no(report.sandbox ? "it is a sandbox" : "this is a sandbox");
  if (report.verdict === "refused" || report.node_id === null) return no("it does not prove who is paid");
  return { ...priced, would_buy: true, why: `it asks ${renderUSD(amount)} on ${challenge.network}` };
}

/** The peers that a peer names, for operators who look for more. */
async function readKnown(origin: string, ask: AskPeer): Promise<readonly string[]> {
  const answer = await ask(`${origin}/peers`);
  const body = "failed" in answer || answer.status !== 200 ? undefined : parseJSON(answer.text);
  const peers = typeof body === "object" && body !== null && "peers" in body ? body.peers : [];
  if (!Array.isArray(peers)) return [];
  const urls = peers.flatMap((one: { url?: unknown } | null) => (typeof one?.url === "string" ? [one.url] : []));
  return urls.filter((url) => url.length <= LINE_CHARS_MAX && URL.canParse(url)).slice(0, KNOWN_MAX);
}

const toLine = (text: string): string => escapeInvisible(text.slice(0, LINE_CHARS_MAX));

const renderPeer = ({ url, node_id, verdict, doubt, sandbox, products, knows }: TriedPeer): readonly string[] => [
  `${url}  ${verdict}${node_id === null ? "" : `  ${node_id}`}${sandbox ? "  a sandbox" : ""}`,
  ...(doubt === null ? [] : [`  ${doubt}`]),
  ...products.flatMap(({ path, would_buy, why, asks_atomic, channel }) => [
    `  ${path}: ${would_buy ? "would be bought" : "NOT BOUGHT"}: ${why}`,
    ...(asks_atomic === null ? [] : [`    ${renderChannel(channel)}`]),
  ]),
  ...(knows.length === 0 ? [] : [`  names besides (unproven): ${knows.join(", ")}`]),
];

/** Lists and tries the peers of a configuration, and says whether this node would buy from each, and why. */
export async function peersCommand({ config: file, json }: { config: string; json: boolean }): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { config, plugins } = loaded;
  const log = createLog({ level: "silent", format: "json", secrets: [] });
  const made = { config, plugins: plugins.plugins, clock: systemClock, log, version: VERSION, sandbox: null };
  const switches = readFolderSwitches(config, systemClock.now);
  const catalog = composeCatalog(config, plugins, { upstream: composeUpstream(made), switches });
  for (const fault of catalog.faults) printError(renderFault(fault));
  const { urls, standin } = config.peers;
  const share_pct = BigInt(Math.floor(standin.max_share * 100 + 1e-9));
  const wanted = standin.products.map((path): WantedProduct => {
    const product = catalog.get(path);
    const why = product ? whyNoStandIn(product) : (catalog.withheld.find((one) => one.path === path)?.why ?? null);
    return { path, price_max: product && why === null ? (product.price_atomic * share_pct) / 100n : null, why };
  });
  const options = { ask: fetchPeer, sandbox: false, channels: readChannelBounds(config.peers.channels) };
  const tried = await Promise.all(listOrigins(urls).map((origin) => tryPeer(origin, wanted, options)));
  if (json) print(JSON.stringify({ peers: tried }));
  else if (tried.length === 0) print("no peers: [peers] urls is empty");
  else for (const line of tried.flatMap(renderPeer)) print(toLine(line));
  return EXIT.ok;
}
