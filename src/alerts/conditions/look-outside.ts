import { connect } from "node:tls";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Config } from "../../config/schema.ts";
import { renderTime } from "../../core/clock.ts";
import { fetchRelease } from "../../releases/fetch-release.ts";
import { parseReleaseKey } from "../../releases/minisign.ts";
import { compareVersions } from "../../releases/release-file.ts";
import { RELEASE_KEY } from "../../releases/version.ts";
import { compareClock } from "../../upstream/compare-clock.ts";
import type { AlertCondition } from "../types.ts";

/** What the node knows of the world around it; null where nobody looked, or nothing was to be seen. */
export interface Outside {
  /** When the certificate that visitors of the public address see ends, ms. */
  readonly certificate_ends_ms: number | null;
  /** How far this machine's clock is off, in words; null while it is right. */
  readonly clock_off: string | null;
  /** The newest version that is offered. */
  readonly newest_version: string | null;
}

/** How it looks: handed in, so that tests need no network. */
export interface Looks {
  readonly certificate: (public_url: string) => Promise<number>;
  readonly clock: (urls: readonly string[], now: () => number) => Promise<{ level: string; says: string }>;
  readonly version: (url: string, key: string) => Promise<string>;
}

const TIMEOUT_MS = 10_000;

/** The end of the certificate that is served under an https address, ms, whoever signed it. */
const readCertificateEnd: Looks["certificate"] = (public_url) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(public_url);
    const host = hostname.replace(/^\[|\]$/g, "");
    const socket = connect({ host, port: Number(port || 443), servername: host, rejectUnauthorized: false });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`${public_url} did not answer`)));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      const ends_ms = Date.parse(socket.getPeerCertificate().valid_to);
      socket.end();
      if (Number.isNaN(ends_ms)) reject(new Error(`${public_url} showed no certificate`));
      else resolve(ends_ms);
    });
  });

const LOOKS: Looks = {
  certificate: readCertificateEnd,
  clock: compareClock,
  version: async (url, key) => (await fetchRelease(url, parseReleaseKey(key))).version,
};

export interface OutsideOptions {
  readonly config: () => Pick<Config, "node" | "chains" | "upgrade">;
  readonly catalog: Pick<Catalog, "providers">;
  readonly now: () => number;
  readonly looks?: Looks;
}

export interface OutsideWatch {
  read(): Outside;
  /** Whether it was seen since the start, even that there is nothing to look at. */
  hasSeen(name: keyof Outside): boolean;
  /** Looks once. What cannot be seen now stays as it was seen last. */
  pass(): Promise<void>;
}

/** Looks at what no call of a buyer shows: the certificate, the clock, newer versions. */
export function createOutsideWatch({ config, catalog, now, looks = LOOKS }: OutsideOptions): OutsideWatch {
  const looked_at = new Set<keyof Outside>();
  let seen: Outside = { certificate_ends_ms: null, clock_off: null, newest_version: null };
  /** Not being able to look is no trouble of this node: an unreachable host has its own alerts. */
  const look = async <K extends keyof Outside>(name: K, work: () => Promise<Outside[K]>): Promise<void> => {
    const [looked] = await Promise.allSettled([work()]);
    if (looked.status === "rejected") return;
    seen = { ...seen, [name]: looked.value };
    looked_at.add(name);
  };
  return {
    read: () => seen,
    hasSeen: (name) => looked_at.has(name),
    async pass() {
      const { node, chains, upgrade } = config();
      const { public_url } = node;
      const { url } = upgrade;
      const key = upgrade.key ?? RELEASE_KEY;
      // Strangers' servers are asked for the time as any visitor would, over https alone.
      const servers = [
        ...Object.values(chains).flatMap(({ rpc }) => rpc),
        ...catalog.providers.flatMap(({ base_urls }) => base_urls),
      ].filter((one) => one.startsWith("https:"));
      await Promise.all([
        look("certificate_ends_ms", async () =>
          public_url?.startsWith("https:") ? looks.certificate(public_url) : null,
        ),
        look("clock_off", async () => {
          const { level, says } = await looks.clock(servers, now);
          return level === "fail" ? says : null;
        }),
        look("newest_version", async () => (url === undefined || key === null ? null : looks.version(url, key))),
      ]);
    },
  };
}

const DAY_MS = 86_400_000;
/** Certificates of today are renewed a month before their end: two weeks say that this failed. */
const CERTIFICATE_DAYS = 14;
const CERTIFICATE_DAYS_CRITICAL = 3;

/** The part of it that the operator is alerted to. */
export function findOutside(
  { certificate_ends_ms, clock_off, newest_version }: Outside,
  { now_ms, version }: { readonly now_ms: number; readonly version: string },
): readonly AlertCondition[] {
  const found: AlertCondition[] = [];
  const days = certificate_ends_ms === null ? null : Math.floor((certificate_ends_ms - now_ms) / DAY_MS);
  if (certificate_ends_ms !== null && days !== null && days < CERTIFICATE_DAYS) {
    const title = days < 0 ? "the certificate has ended" : `the certificate ends in ${days} days`;
    const text = `Valid until ${renderTime(certificate_ends_ms)}. Whatever renews it does not: see your proxy.`;
    const severity = days < CERTIFICATE_DAYS_CRITICAL ? "critical" : "warning";
    found.push({ id: "certificate", severity, title, text, for_ms: 0 });
  }
  if (clock_off !== null) {
    const text = `${clock_off}. Payments look dead or not yet valid: timedatectl set-ntp true.`;
    found.push({ id: "clock", severity: "critical", title: "this machine's clock is off", text, for_ms: 0 });
  }
  if (newest_version !== null && compareVersions(newest_version, version) > 0) {
    const title = `version ${newest_version} is there`;
    const text = `This node runs ${version}. "intel-node upgrade" brings the new one, without a failed call.`;
    found.push({ id: "version", severity: "info", title, text, for_ms: 0 });
  }
  return found;
}
