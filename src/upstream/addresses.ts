import type { ProviderDefinition } from "../catalog/provider.ts";
import type { RequestTarget } from "../catalog/request.ts";
import { UpstreamError } from "../core/errors.ts";
import { decodeOrKeep, redactRpcURL, redactURL, secretsOf } from "./redact-url.ts";
import type { ProviderSettings } from "./settings.ts";

/** One address for a request. */
export interface Address {
  /** Internal key of this address for breakers and cool-downs; it contains secrets. */
  readonly key: string;
  /** URL to fetch, without userinfo. */
  readonly url: string;
  /** Form for buyers and logs. */
  readonly shown: string;
  /** Credentials, only for this origin. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that must never leave this folder. */
  readonly secrets: readonly string[];
}

export interface UpstreamAddressOptions {
  readonly settings: ProviderSettings;
  readonly chain_rpc: (chain: string) => readonly string[] | undefined;
}

/** Printable ASCII, so that an unencoded parameter of a product cannot change the meaning of the request. */
const PATH = /^(\/[!-~]*)?$/;
const PATH_CHARS_MAX = 8_000;
const ADDRESSES_MAX = 10;

/** The allowed addresses of a request; undefined for a host that the provider does not name. */
function baseURLs(
  provider: ProviderDefinition,
  { chain, host, second = false }: Pick<RequestTarget, "chain" | "host" | "second">,
  options: UpstreamAddressOptions,
): readonly string[] | undefined {
  if (host !== undefined) {
    const own = provider.hosts && Object.hasOwn(provider.hosts, host) ? provider.hosts[host] : undefined;
    return own === undefined ? undefined : [options.settings.host_url?.(host) ?? own];
  }
  if (chain === undefined) return options.settings.base_url ? [options.settings.base_url] : provider.base_urls;
  const defaults = provider.chains && Object.hasOwn(provider.chains, chain) ? provider.chains[chain] : undefined;
  const nodes = options.chain_rpc(chain) ?? defaults ?? [];
  return second ? nodes.slice(1, 2) : nodes;
}

function joinURL(base: URL, path: string): URL | undefined {
  if (!/^https?:$/.test(base.protocol)) return undefined;
  const url = new URL(base);
  url.username = "";
  url.password = "";
  if (path === "") return url;
  const root = base.pathname.replace(/\/+$/, "");
  const cut = path.indexOf("?");
  const pathname = cut < 0 ? path : path.slice(0, cut);
  const query = [base.search.slice(1), cut < 0 ? "" : path.slice(cut + 1)].filter((part) => part !== "").join("&");
  const joined = new URL(`${url.origin}${root}${pathname}${query === "" ? "" : `?${query}`}`);
  // ".." in a path must not lead out of the API the provider was declared for.
  return joined.origin === url.origin && joined.pathname.startsWith(`${root}/`) ? joined : undefined;
}

const basicAuth = (base: URL): Record<string, string> => {
  if (base.username === "" && base.password === "") return {};
  const pair = `${decodeOrKeep(base.username)}:${decodeOrKeep(base.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
};

/** The operator's key in the provider's form, unless it goes into the body. */
function keyOf({ key }: ProviderDefinition, api_key: string | undefined) {
  if (!key || !api_key) return { headers: {}, query: "" };
  const value = `${key.prefix ?? ""}${api_key}`;
  if (key.in === "header") return { headers: { [key.name]: value }, query: "" };
  return { headers: {}, query: key.in === "query" ? `${key.name}=${encodeURIComponent(value)}` : "" };
}

const addQuery = (url: string, query: string): string =>
  query === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`;

/**
 * The addresses of a request in failover order. Configured addresses replace the provider's defaults.
 * @throws UpstreamError upstream_unavailable without an address, upstream_bad_response when the path is malformed.
 */
export function getAddresses(
  provider: ProviderDefinition,
  target: Pick<RequestTarget, "path" | "chain" | "host" | "second">,
  options: UpstreamAddressOptions,
): readonly Address[] {
  const { path, chain } = target;
  const fail = (kind: "upstream_unavailable" | "upstream_bad_response", why: string) =>
    new UpstreamError(kind, provider.id, `${provider.id}: ${why}`);
  if (!PATH.test(path) || /[#\\]/.test(path) || path.length > PATH_CHARS_MAX) {
    throw fail("upstream_bad_response", "the request path is malformed");
  }
  const bases = baseURLs(provider, target, options);
  if (!bases) throw fail("upstream_bad_response", `"${target.host?.slice(0, 40)}" is none of its hosts`);
  const { api_key } = options.settings;
  const key = keyOf(provider, api_key);
  const addresses: Address[] = [];
  for (const text of bases.slice(0, ADDRESSES_MAX)) {
    const base = URL.canParse(text) ? new URL(text) : undefined;
    const url = base && joinURL(base, path);
    if (!base) throw fail("upstream_unavailable", "a configured address is not a URL");
    if (!url) throw fail("upstream_bad_response", "the request path does not stay below the address");
    const secrets = [...(api_key ? [api_key] : []), ...secretsOf(base)];
    addresses.push({
      key: `${provider.id} ${text}`,
      url: addQuery(url.href, key.query),
      // Built without the key, so that the key cannot be in it.
      shown: chain === undefined ? redactURL(base, url, secrets) : redactRpcURL(url),
      headers: { ...basicAuth(base), ...key.headers },
      secrets,
    });
  }
  if (addresses.length === 0) {
    const which = chain === undefined ? "" : ` of chain "${chain.slice(0, 40)}"`;
    throw fail("upstream_unavailable", `this node reads no address${which}`);
  }
  return addresses;
}
