import { readFileSync } from "node:fs";
import net from "node:net";
import tls from "node:tls";
import { type IPRange, parseIPRange } from "../../src/core/ip-address.ts";
import { createGuardedFetch } from "../../src/guarded-fetch/guarded-fetch.ts";
import { createResolver } from "../../src/guarded-fetch/resolve.ts";
import type { GuardedFetchOptions, GuardedRequest, GuardedResult } from "../../src/guarded-fetch/types.ts";
import { type DNSAnswer, startDNSServer } from "./dns-server.ts";

/**
 * A hostile network on loopback: 127.0.0.2 stands for the public Internet (it alone is allowed), 127.0.0.1 for
 * everything that must not be reached. Every connection to either is counted.
 */
export const PUBLIC = "127.0.0.2";
export const INTERNAL = "127.0.0.1";

const pem = (name: string): string =>
  readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url).pathname, "utf8");

export function rangeOf(text: string): IPRange {
  const range = parseIPRange(text);
  if (!range) throw new Error(text);
  return range;
}

export interface Host {
  readonly port: number;
  readonly requests: string[];
  connections: number;
  close(): void;
}

/** Bytes to send, and whether to hang up after them; functions steer the socket themselves. */
export type Script = (request: string, socket: net.Socket) => string | Uint8Array | undefined;

const portOf = (server: net.Server): number => {
  const address = server.address();
  if (typeof address === "object" && address) return address.port;
  throw new Error("the server has no port");
};

const sockets = new Set<net.Socket>();

export async function startHost(address: string, script: Script, secure?: "good" | "expired"): Promise<Host> {
  const onConnection = (socket: net.Socket) => {
    host.connections++;
    sockets.add(socket);
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const end = text.indexOf("\r\n\r\n");
      if (end < 0 || text.length < end + 4 + length) return;
      host.requests.push(text);
      const reply = script(text, socket);
      if (reply !== undefined) socket.end(reply);
    });
  };
  const server = secure
    ? tls.createServer({ key: pem(`${secure}.key`), cert: pem(`${secure}.pem`) }, onConnection)
    : net.createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const host: Host = { port: portOf(server), requests: [], connections: 0, close: () => server.close() };
  return host;
}

export const answer = (body: string | Uint8Array, headers: readonly string[] = []): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`),
    Buffer.from(body),
  ]);
export const redirect = (to: string, status = 302): string =>
  `HTTP/1.1 ${status} x\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`;

/** What each name says, one answer per time it is asked; the last one stays. */
export type Names = Readonly<Record<string, readonly DNSAnswer[]>>;

export interface HostileNetwork {
  /** What must never be reached; its connections are counted. */
  readonly internal: Host;
  readonly options: GuardedFetchOptions;
  /** Sets what names say from now on. */
  names(names: Names): void;
  /** Starts a host on the address that counts as public. */
  start(script: Script, secure?: "good" | "expired"): Promise<Host>;
  ask(url: string, more?: Partial<GuardedRequest>): Promise<GuardedResult>;
  /** The body, or "rule: reason". */
  textOf(url: string, more?: Partial<GuardedRequest>): Promise<string>;
  close(): void;
}

export async function startHostileNetwork(): Promise<HostileNetwork> {
  let said: Names = {};
  const hosts: Host[] = [];
  const dns = await startDNSServer((name, family, count) => {
    const answers = family === 4 ? said[name] : undefined;
    return answers?.[Math.min(count, answers.length - 1)] ?? (said[name] ? [] : "no_such_name");
  });
  const internal = await startHost(INTERNAL, () => answer("the secret"));
  const options: GuardedFetchOptions = {
    resolve: createResolver({ servers: [dns.address] }),
    user_agent: "tests",
    own_hosts: ["our.node.net"],
    allowed_ranges: [rangeOf(`${PUBLIC}/32`)],
    ca: pem("ca.pem"),
  };
  const guarded = createGuardedFetch(options);
  const ask: HostileNetwork["ask"] = (url, more) => guarded({ url, ports: null, ...more });
  return {
    internal,
    options,
    names: (names) => {
      said = names;
    },
    start: async (script, secure) => {
      const host = await startHost(PUBLIC, script, secure);
      hosts.push(host);
      return host;
    },
    ask,
    textOf: async (url, more) => {
      const result = await ask(url, more);
      return result.ok ? Buffer.from(result.body).toString() : `${result.rule}: ${result.reason}`;
    },
    close: () => {
      for (const host of [...hosts, internal]) host.close();
      for (const socket of sockets) socket.destroy();
      dns.close();
    },
  };
}
