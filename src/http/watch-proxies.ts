import type { Clock } from "../core/clock.ts";
import { createLRU } from "../core/lru.ts";
import type { Log } from "../telemetry/log.ts";
import type { ClientAddress } from "./client-address.ts";

export interface ProxyWatch {
  /** Told of every request with X-Forwarded-For. */
  note(from: ClientAddress, headers: Headers): void;
  /** Peers that send X-Forwarded-For and are not trusted. */
  untrusted(): readonly string[];
  /** The origin that visitors of a trusted proxy called last, while no public address is set; else null. */
  unnamed_origin(): string | null;
}

export interface ProxyWatchOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** [node] public_url; undefined where it is not set. */
  readonly public_url: string | undefined;
}

const WARNING_EVERY_MS = 60_000;
const PROXIES_KEPT = 20;
/** A host as a browser sends it, with its port. */
const HOST = /^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/;

/** The first of a list that proxies append to. */
const firstOf = (value: string | null): string => value?.split(",")[0]?.trim() ?? "";

/** What the visitor called, as his proxy says; null where it does not say, or says what is no host. */
function readOrigin(headers: Headers): string | null {
  const host = firstOf(headers.get("x-forwarded-host")) || firstOf(headers.get("host"));
  const scheme = firstOf(headers.get("x-forwarded-proto")).toLowerCase() === "http" ? "http" : "https";
  return HOST.test(host) ? `${scheme}://${host.toLowerCase()}` : null;
}

/**
 * Sees by the requests that come through proxies what their operator has to write: a peer that is not trusted makes all
 * visitors behind it one, and without a public address every 402 names this machine. Says each once a minute.
 */
export function watchProxies({ log, clock, public_url }: ProxyWatchOptions): ProxyWatch {
  const warned_ms = new Map<string, number>();
  const untrusted = createLRU<true>(PROXIES_KEPT);
  let unnamed: string | null = null;

  const warn = (event: string, about: Readonly<Record<string, unknown>>): void => {
    const now_ms = clock.now();
    const last_ms = warned_ms.get(event) ?? Number.NEGATIVE_INFINITY;
    if (now_ms >= last_ms && now_ms - last_ms < WARNING_EVERY_MS) return;
    warned_ms.set(event, now_ms);
    log.warn({ event, ...about });
  };

  return {
    untrusted: () => [...untrusted.keys()],
    unnamed_origin: () => unnamed,
    note({ peer, ignored }, headers) {
      if (ignored) {
        untrusted.set(peer, true);
        const hint = `X-Forwarded-For of ${peer} is not believed. If it is your proxy, add it to trusted_proxies.`;
        warn("untrusted_proxy", { peer, hint });
        return;
      }
      if (public_url !== undefined) return;
      unnamed = readOrigin(headers) ?? unnamed;
      const origin = unnamed ?? "https://your.host";
      const seen = unnamed === null ? "visitors" : `visitors of ${unnamed}`;
      const hint =
        `The proxy ${peer} sends ${seen}, and [node] public_url is not set: every 402 names this machine. ` +
        `If ${origin} is your address, write public_url = "${origin}".`;
      warn("public_url_missing", { peer, hint });
    },
  };
}
