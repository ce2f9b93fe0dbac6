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

/** The one browser that gave the code. */
export interface SetupSession {
  /** Stands in every form: a page of somebody else cannot know it. */
  readonly csrf: string;
}

export interface SetupAccess {
  /** Printed once. It opens once, within an hour. */
  readonly code: string;
  /** @returns the value of the browser's cookie; null when the code is wrong, was used, or has ended. */
  open(code: string): string | null;
  /** The session of a cookie; it ends when it was not used for an hour. */
  find(cookie: string | null): SetupSession | null;
}

/** @param elapsed_ms a clock that nobody can set: the hour of a machine whose clock is wrong is an hour, too. */
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
 * From where the set-up may be opened: "here" is this machine alone, "lan" the operator's own network; anything else is
 * the only address it is opened under, such as "http://umbrel.local:8402".
 */
export type SetupPlace = "here" | "lan" | (string & {});

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

export const isSetupPlace = (text: string): text is SetupPlace => text === "here" || text === "lan" || isOrigin(text);

/** The name or address in a Host header, without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, "");

/**
 * Not even that there is something here is told to who may not be here. A page of the internet that leads its own name
 * here (DNS rebinding) is given away by the Host that its requests name.
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
 * A browser says where a form came from; what says another place than this one is not taken.
 * @throws NodeError not_found
 */
export function assertOwnForm({ request: { headers } }: HTTPCall, place: SetupPlace): void {
  const [origin, host, site] = [headers.get("origin"), headers.get("host"), headers.get("sec-fetch-site")];
  const own = [`http://${host}`, `https://${host}`];
  const origins = place === "here" ? own.slice(0, 1) : place === "lan" ? own : [place];
  if (origin !== null && !origins.includes(origin)) throw nothing();
  if (site !== null && site !== "same-origin" && site !== "none") throw nothing();
}

/** What is said to whoever may not know that something is here. */
export const nothing = (): NodeError => new NodeError("not_found", "Nothing is served under this path.");
