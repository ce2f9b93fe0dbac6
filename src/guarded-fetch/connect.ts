import net from "node:net";
import tls from "node:tls";
import { formatIP, parseIP, unmapIP } from "../core/ip-address.ts";
import type { CheckedURL } from "./check-url.ts";
import { GuardError } from "./failure.ts";
import type { CheckedAddress, TLSFacts } from "./types.ts";

export interface ConnectOptions {
  readonly target: CheckedURL;
  readonly to: CheckedAddress;
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

export interface Connection {
  readonly socket: net.Socket;
  readonly tls: TLSFacts | null;
}

const CONNECT_TIMEOUT_MS = 3_000;
const NAMES_MAX = 100;

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "failed";

/** "Let's Encrypt" of an issuer, which may hold one or several organisations. */
function renderIssuer(issuer: tls.Certificate | undefined): string | null {
  const name = issuer?.O ?? issuer?.CN;
  return (Array.isArray(name) ? name.join(", ") : name) ?? null;
}

const toISO = (text: string): string => new Date(text).toISOString();

/** "DNS:a.example, IP Address:192.0.2.1" as its names. */
function readNames(certificate: tls.PeerCertificate): readonly string[] {
  const listed = (certificate.subjectaltname ?? "")
    .split(/,\s*/)
    .map((part) => part.replace(/^(?:DNS|IP Address):/, ""))
    .filter((name) => name !== "");
  return listed.slice(0, NAMES_MAX);
}

function readTLSFacts(socket: tls.TLSSocket): TLSFacts {
  const certificate = socket.getPeerCertificate();
  return {
    protocol: socket.getProtocol() ?? "unknown",
    names: readNames(certificate),
    issuer: renderIssuer(certificate.issuer),
    valid_from: toISO(certificate.valid_from),
    valid_to: toISO(certificate.valid_to),
    fingerprint_sha256: certificate.fingerprint256?.replaceAll(":", "").toLowerCase() ?? null,
  };
}

/** Whether a socket is connected to the address that was checked, and not to one that somebody put in between. */
function isPinned(socket: net.Socket, { address }: CheckedAddress): boolean {
  const peer = parseIP(socket.remoteAddress ?? "");
  return peer !== undefined && formatIP(unmapIP(peer)) === formatIP(address);
}

function openSocket({ target, to, ca }: ConnectOptions): net.Socket {
  const place = { host: formatIP(to.address), port: to.port };
  if (target.url.protocol === "http:") return net.connect(place);
  // A certificate is checked against the name that was asked for, whichever address answers.
  const servername = target.address ? {} : { servername: target.host };
  const trusted = ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] };
  return tls.connect({
    ...place,
    ...servername,
    ...trusted,
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    checkServerIdentity: (_, certificate) => tls.checkServerIdentity(target.host, certificate),
  });
}

/**
 * Connects to one checked address, never to a name: what the name says by now does not matter.
 * @throws GuardError connect, tls or time; none of their messages names the address.
 */
export function connect(options: ConnectOptions): Promise<Connection> {
  const { target, to, signal } = options;
  const is_tls = target.url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const socket = openSocket(options);
    const timer = setTimeout(() => fail(new GuardError("connect", "it does not answer in time")), CONNECT_TIMEOUT_MS);
    const stop = () => fail(new GuardError("time", "it took too long"));

    function settle(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }

    function fail(error: GuardError): void {
      settle();
      socket.destroy();
      reject(error);
    }

    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    let connected = false;
    socket.once("connect", () => {
      connected = true;
    });
    socket.once("error", (error) => {
      const is_handshake =
        is_tls && (connected || /^(?:ERR_(?:TLS|SSL)|CERT_|DEPTH_|UNABLE_|SELF_)/.test(codeOf(error)));
      if (!is_handshake) return fail(new GuardError("connect", `it cannot be reached: ${codeOf(error)}`));
      fail(new GuardError("tls", `its certificate or encryption is refused: ${codeOf(error)}`));
    });
    socket.once("close", () => fail(new GuardError("connect", "it hung up")));
    socket.once(is_tls ? "secureConnect" : "connect", () => {
      if (!isPinned(socket, to)) return fail(new GuardError("address", "the connection leads elsewhere"));
      try {
        const tls_facts = socket instanceof tls.TLSSocket ? readTLSFacts(socket) : null;
        settle();
        resolve({ socket, tls: tls_facts });
      } catch (error) {
        fail(new GuardError("tls", "its certificate cannot be read", { cause: error }));
      }
    });
  });
}
