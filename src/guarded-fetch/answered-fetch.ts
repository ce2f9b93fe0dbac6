import { readFile } from "node:fs/promises";
import { createLRU } from "../core/lru.ts";
import { createResolver } from "./resolve.ts";
import type { ResolveName } from "./types.ts";

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface AnsweredFetchOptions {
  readonly fetch: Fetch;
  /** Asks name servers over its own sockets, and gives up in time. */
  readonly resolve?: ResolveName;
  readonly elapsed_ms?: () => number;
  /** Names that the runtime finds without a server. */
  readonly hosts_file?: string;
}

/** A name whose server answered is not asked after again for so long. */
const FRESH_MS = 5_000;
/** So long it is asked after beside the call, not before it. */
const KNOWN_MS = 60_000;
/** A name whose server was silent is refused for so long without being asked after. */
const SILENT_MS = 5_000;
const NAMES_MAX = 2_000;
/** Names that are asked after at one time; further ones are refused as if their server were silent. */
const ASKED_MAX = 256;

interface Known {
  readonly at_ms: number;
  readonly answers: boolean;
}

/** No answer at all; a refusal or "no such name" is one, which the runtime gets as fast. */
const SILENCE: ReadonlySet<string> = new Set(["ETIMEOUT", "ECANCELLED"]);
const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

const HOSTS_FILE = "/etc/hosts";

/** Whether a hosts file names it; no file names nobody. */
const isInFile = (file: string, host: string): Promise<boolean> =>
  readFile(file, "utf8").then(
    (text) => text.split("\n").some((line) => line.replace(/#.*/, "").trim().split(/\s+/).slice(1).includes(host)),
    () => false,
  );

/** As the runtime says it of a name it cannot find: nothing was sent. */
const createNameError = (host: string): Error =>
  Object.assign(new Error(`the name server of ${host} gives no answer`), { code: "ENOTFOUND" });

/** Literals, and what no name server is asked for. */
const needsNoServer = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host.startsWith("[") || /^[\d.]+$/.test(host);

/**
 * A fetch that never looks up a name whose server is silent. The runtime resolves names in the few threads that files
 * and hashes need too, one for each core, and each waits as long as the system does: two dead names stop every sale
 * for ten seconds. So names are first asked after over sockets of our own, which hold nobody up; only one whose server
 * answers is left to the runtime. A server that falls silent costs the calls of the five seconds since it last
 * answered.
 * @throws what `fetch` does; ENOTFOUND for a name whose server is silent; the signal's reason.
 */
export function createAnsweredFetch(options: AnsweredFetchOptions): Fetch {
  const { fetch, resolve = createResolver(), elapsed_ms = () => performance.now(), hosts_file = HOSTS_FILE } = options;
  const known = createLRU<Known>(NAMES_MAX);
  const asking = new Map<string, Promise<boolean>>();

  const ask = (host: string): Promise<boolean> => {
    const under_way = asking.get(host);
    if (under_way) return under_way;
    if (asking.size >= ASKED_MAX) return Promise.resolve(false);
    const asked = resolve(host)
      .then(
        () => true,
        async (error: unknown) => !SILENCE.has(codeOf(error)) || (await isInFile(hosts_file, host)),
      )
      .then((answers) => {
        known.set(host, { at_ms: elapsed_ms(), answers });
        asking.delete(host);
        return answers;
      });
    asking.set(host, asked);
    return asked;
  };

  /** Whether the name may be left to the runtime now; null while that has to be found out. */
  const judge = (host: string): boolean | null => {
    const last = known.get(host);
    if (!last) return null;
    const age_ms = elapsed_ms() - last.at_ms;
    if (!last.answers) return age_ms < SILENT_MS ? false : null;
    if (age_ms >= KNOWN_MS) return null;
    if (age_ms >= FRESH_MS) void ask(host);
    return true;
  };

  return async (input, init) => {
    const { hostname: host } = new URL(input instanceof Request ? input.url : input);
    if (needsNoServer(host)) return fetch(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const answers = judge(host) ?? (await untilAborted(ask(host), signal));
    if (!answers) throw createNameError(host);
    return fetch(input, init);
  };
}

/** @throws the signal's reason as soon as it is aborted. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
    left.promise.catch(() => undefined);
  }
}

/** From now on every fetch of this process, those of libraries too, is one that looks up no name of a silent server. */
export function answerNamesFirst(): void {
  const { fetch } = globalThis;
  globalThis.fetch = Object.assign(createAnsweredFetch({ fetch }), { preconnect: fetch.preconnect });
}
