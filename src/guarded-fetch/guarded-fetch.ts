import { type IPAddress, isInIPRange, parseIP } from "../core/ip-address.ts";
import { type CheckedURL, checkURL } from "./check-url.ts";
import { GuardError } from "./failure.ts";
import { createHostSlots } from "./host-slots.ts";
import { findAddressFault } from "./public-address.ts";
import { type OneAnswer, requestOnce } from "./request-once.ts";
import type { GuardedFetch, GuardedFetchOptions, GuardedHop, GuardedRequest, GuardedResult } from "./types.ts";

const PORTS = [80, 443, 8080, 8443];
const REDIRECTS_MAX = 3;
const BYTES_MAX = 262_144;
const TIMEOUT_MS = 10_000;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** What may be sent to another origin: nothing of it identifies the caller or the payer. */
const HARMLESS_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

/** What is asked next: it changes from redirect to redirect. */
interface Step {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

interface Run {
  readonly request: GuardedRequest;
  readonly signal: AbortSignal;
  readonly hops: GuardedHop[];
}

function firstStep(request: GuardedRequest, user_agent: string): Step {
  const { url, method = "GET", headers = {}, body } = request;
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    url,
    method,
    headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": user_agent, ...lower },
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  };
}

/** Headers that may follow a redirect from one origin to another. */
const harmlessOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name) || name === "accept-encoding"),
  );

/** The next request after a redirect (RFC 9110 section 15.4). @throws GuardError redirect */
function nextStep(step: Step, answer: OneAnswer, request: GuardedRequest): Step {
  const location = answer.headers.get("location");
  if (location === null || !URL.canParse(location, step.url))
    throw new GuardError("redirect", "it redirects to nowhere");
  const [from, to] = [new URL(step.url), new URL(location, step.url)];
  if (from.protocol === "https:" && to.protocol !== "https:") {
    throw new GuardError("redirect", "it redirects from https to something else");
  }
  const same_origin = from.origin === to.origin;
  if (!same_origin && request.redirects_same_origin) throw new GuardError("redirect", "it redirects to another origin");
  const headers = same_origin ? step.headers : harmlessOf(step.headers);
  const becomes_get = answer.status === 303 || (answer.status < 303 && step.method === "POST");
  if (becomes_get && step.method !== "HEAD") {
    const { "content-type": _, ...rest } = headers;
    return { url: to.href, method: "GET", headers: rest, body: undefined };
  }
  if (step.body && !same_origin) throw new GuardError("redirect", "it redirects what was sent to another origin");
  return { ...step, url: to.href, headers };
}

/** IPv4 first: it is there more often. */
const inOrder = (addresses: readonly IPAddress[]): readonly IPAddress[] =>
  addresses.toSorted((a, b) => a.version - b.version);

/**
 * A fetch for addresses that strangers name. Each request, redirects included: the URL is checked, the name resolved by
 * our own resolver, **every** address it has checked, the connection made to one of those and to nothing else. Nothing
 * of the environment takes part: no proxy, no cookies, no cache, no kept connection.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { resolve, user_agent, own_addresses = [], allowed_ranges = [], ca } = options;
  const refused_hosts = new Set((options.own_hosts ?? []).map((host) => host.toLowerCase().replace(/\.$/, "")));
  const known = new Map(Object.entries(options.known_hosts ?? {}));
  const known_hosts = new Set(known.keys());
  const withSlot = createHostSlots();

  function isRefused(address: IPAddress): boolean {
    if (allowed_ranges.some((range) => isInIPRange(address, range))) return false;
    return findAddressFault(address) !== null || own_addresses.some((range) => isInIPRange(address, range));
  }

  async function resolveName(host: string): Promise<readonly string[]> {
    try {
      return await resolve(host);
    } catch (error) {
      throw new GuardError("dns", "its name cannot be resolved", { cause: error });
    }
  }

  async function findAddresses(target: CheckedURL): Promise<readonly IPAddress[]> {
    if (target.address) return [target.address];
    const texts = known.get(target.host) ?? (await resolveName(target.host));
    if (texts.length === 0) throw new GuardError("dns", "its name has no address");
    return texts.map((text) => {
      const address = parseIP(text);
      if (!address) throw new GuardError("dns", "its name resolves to something that is no address");
      return address;
    });
  }

  async function ask(step: Step, { request, signal, hops }: Run): Promise<OneAnswer> {
    const { ports = PORTS, bytes_max = BYTES_MAX } = request;
    const target = checkURL(step.url, { ports, refused_hosts, known_hosts });
    if ("rule" in target) throw new GuardError(target.rule, target.reason);
    return await withSlot(target.host, signal, async () => {
      const addresses = await untilAborted(findAddresses(target), signal);
      // One private address among public ones is how a name is bent afterwards; none of them is asked.
      if (addresses.some(isRefused)) throw new GuardError("address", "its address is not one of the public Internet");
      const checked = inOrder(addresses).map((address) => ({ address, port: target.port }));
      const { method, headers, body } = step;
      const answer = await requestOnce({ target, addresses: checked, method, headers, body, bytes_max, ca, signal });
      hops.push({ url: target.url.href, status: answer.status });
      return answer;
    });
  }

  async function follow(run: Run): Promise<GuardedResult> {
    const { request, hops } = run;
    const redirects_max = request.redirects_max ?? REDIRECTS_MAX;
    let step = firstStep(request, user_agent);
    for (let redirects = 0; ; redirects++) {
      const answer = await ask(step, run);
      if (!REDIRECT_STATUSES.has(answer.status) || redirects_max === 0) {
        const { status, headers, body, tls } = answer;
        return { ok: true, url: step.url, status, headers, body, tls, hops };
      }
      if (redirects === redirects_max) throw new GuardError("redirect", `more than ${redirects_max} redirects`);
      step = nextStep(step, answer, request);
    }
  }

  return async (request) => {
    const hops: GuardedHop[] = [];
    const timeout = AbortSignal.timeout(request.timeout_ms ?? TIMEOUT_MS);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    try {
      return await follow({ request, signal, hops });
    } catch (error) {
      if (!(error instanceof GuardError)) return { ok: false, rule: "connect", reason: "it cannot be asked", hops };
      return { ok: false, rule: error.rule, reason: error.message, hops };
    }
  };
}

/** Whatever comes first. @throws GuardError time when the signal does. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new GuardError("time", "it took too long"));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
