import { randomBytes } from "node:crypto";
import { isLoopback } from "../../core/customer-network.ts";
import { NodeError } from "../../core/errors.ts";
import { randomText } from "../../core/ids.ts";
import { isOwnHost } from "../../core/own-host.ts";
import { isSameSecret } from "../../core/secrets.ts";
import type { HTTPCall } from "../../http/http-call.ts";
import { isProxied } from "../../http/sandbox-door.ts";

/** 190 bits. */
const CODE_CHARS = 32;
export const HOUR_MS = 3_600_000;

/** The session of the one browser that entered the code. */
export interface SetupSession {
  /** Part of every form; pages of other sites cannot know it. */
  readonly csrf: string;
}

export interface SetupAccess {
  /** Printed once. It works once, within an hour. */
  readonly code: string;
  /** @returns the value of the browser's cookie; null when the code is wrong, used or expired. */
  open(code: string): string | null;
  /** The session of a cookie, which ends after an hour without use. */
  find(cookie: string | null): SetupSession | null;
}

/** @param elapsed_ms a monotonic clock, so that an hour is right even if the machine's clock is wrong. */
export function createSetupAccess(elapsed_ms: () => number): SetupAccess {
  const code = randomText(CODE_CHARS);
  const began_ms = elapsed_ms();
  let session: (SetupSession & { readonly cookie: string; seen_ms: number }) | null = null;
  return {
    code,
    open(given) {
      if (session !== null || elapsed_ms() - began_ms >= HOUR_MS || !isSameSecret(given, code)) return null;
      const [cookie, csrf] = [randomBytes(32).toString("base64url"), randomBytes(24).toString("base64url")];
      session = { cookie, csrf, seen_ms: elapsed_ms() };
      return cookie;
    },
    find(cookie) {
      if (session === null || !isSameSecret(cookie, session.cookie)) return null;
      if (elapsed_ms() - session.seen_ms >= HOUR_MS) return null;
      session.seen_ms = elapsed_ms();
      return session;
    },
  };
}

/**
 * Where the set-up may be opened from: "here" means only this machine, "lan" the operator's own network. Anything else
 * is the only address under which it opens, such as "http://umbrel.local:8402".
 */
export type SetupPlace = "here" | "lan" | (string & {});

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

export const isSetupPlace = (text: string): text is SetupPlace => text === "here" || text === "lan" || isOrigin(text);

/** The name or address in a Host header, without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, "");

/**
 * Refuses strangers without showing that a set-up exists. A web page that points its own name at this machine (DNS
 * rebinding) is recognised by the Host header of its requests.
 * @throws NodeError not_found
 */
export function assertFromHere({ request, peer }: HTTPCall, place: SetupPlace): void {
  const host = request.headers.get("host") ?? "";
  if (!isFrom({ host, peer }, place) || (place === "here" && isProxied(request))) throw nothing();
}

function isFrom({ host, peer }: { readonly host: string; readonly peer: string }, place: SetupPlace): boolean {
  if (place === "here") return isLoopback(peer);
  if (place === "lan") return host !== "" && peer !== "" && isOwnHost(nameOf(host)) && isOwnHost(peer);
  return host === new URL(place).host;
}

/**
 * Refuses a form whose browser names another origin than this one.
 * @throws NodeError not_found
 */
export function assertOwnForm({ request: { headers } }: HTTPCall, place: SetupPlace): void {
  const [origin, host, site] = [headers.get("origin"), headers.get("host"), headers.get("sec-fetch-site")];
  const own = [`http://${host}`, `https://${host}`];
  const origins = place === "here" ? own.slice(0, 1) : place === "lan" ? own : [place];
  if (origin !== null && !origins.includes(origin)) throw nothing();
  if (site !== null && site !== "same-origin" && site !== "none") throw nothing();
}

/** The answer to strangers, who may not learn that a set-up exists. */
export const nothing = (): NodeError => new NodeError("not_found", "Nothing is served under this path.");
