import { afterAll, setDefaultTimeout } from "bun:test";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import { at_end } from "./helpers/at-end.ts";
import { HANG_MS } from "./helpers/hang-limit.ts";

// Before every test file, too: the one limit of tests, which states none of its own.
setDefaultTimeout(HANG_MS);
// Of a preload it runs after the last file, not after each.
afterAll(() => {
  for (const run of at_end.splice(0)) run();
});

/**
 * Runs before every test file: no test may leave this machine. Calls to other hosts fail with a clear message instead
 * of depending on somebody's network.
 */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

function refuseUnlessLoopback(host: string, caller: string): void {
  if (LOOPBACK.test(host)) return;
  throw new Error(`tests may only connect to this machine; ${caller} wanted ${JSON.stringify(host)}`);
}

const hostOf = (address: string): string => new URL(address).hostname;

/** Host of the arguments net.connect, tls.connect and http.request understand; undefined for a path or a local port. */
function hostOfArguments(given: readonly unknown[]): string | undefined {
  // Socket.connect is handed its arguments already normalised, as one array.
  const [first, second] = Array.isArray(given[0]) ? given[0] : given;
  if (first instanceof URL) return first.hostname;
  if (typeof first === "string") return first.includes("://") ? hostOf(first) : undefined;
  if (typeof first === "object" && first !== null) {
    if ("path" in first && typeof first.path === "string" && !("port" in first) && !("host" in first)) return undefined;
    // `hostname` wins over `host`, as in node:http; `host` may carry a port there.
    if ("hostname" in first && typeof first.hostname === "string") return first.hostname;
    if ("host" in first && typeof first.host === "string") return first.host.replace(/:\d+$/, "");
    return undefined;
  }
  return typeof second === "string" ? second : undefined;
}

type Function_ = (...given: never[]) => unknown;

/** Puts a check of the host before `object[name]`. */
function guard<K extends string>(object: { [key in K]: Function_ }, name: K, caller: string): void {
  const original = object[name];
  const guarded = function (this: unknown, ...given: never[]): unknown {
    const host = hostOfArguments(given);
    if (host !== undefined) refuseUnlessLoopback(host, caller);
    return Reflect.apply(original, this, given);
  };
  if (!Reflect.set(object, name, guarded)) throw new Error(`${caller} cannot be guarded`);
}

const original_fetch = globalThis.fetch;
globalThis.fetch = Object.assign(
  async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.startsWith("data:") && !address.startsWith("blob:")) refuseUnlessLoopback(hostOf(address), "fetch");
    return original_fetch(input, init);
  },
  { preconnect: () => undefined },
);

const OriginalWebSocket = globalThis.WebSocket;
globalThis.WebSocket = new Proxy(OriginalWebSocket, {
  construct(target, given, new_target) {
    refuseUnlessLoopback(hostOf(String(given[0])), "WebSocket");
    return Reflect.construct(target, given, new_target);
  },
});

guard(net.Socket.prototype, "connect", "net");
guard(net, "connect", "net.connect");
guard(net, "createConnection", "net.createConnection");
guard(tls, "connect", "tls.connect");
guard(http, "request", "http.request");
guard(http, "get", "http.get");
guard(https, "request", "https.request");
guard(https, "get", "https.get");
guard(Bun, "connect", "Bun.connect");

/**
 * Bun 1.4.5 runs the event loop from inside `expect(promise).rejects` and `.resolves`, and goes to sleep there after
 * the last immediate, before what waited for it goes on: every turn then lasts until some timer fires, a second or a
 * whole deadline later. An empty immediate behind each keeps the loop awake for that one turn.
 */
const original_immediate = globalThis.setImmediate;
const NOTHING = (): void => undefined;
globalThis.setImmediate = Object.assign(
  (run: Function_, ...given: never[]) =>
    original_immediate(() => {
      original_immediate(NOTHING);
      Reflect.apply(run, undefined, given);
    }),
  original_immediate,
);
