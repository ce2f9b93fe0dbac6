import { type PaymentTerms, parseJSON, readTerms, valueAt } from "intel-node";
import { addressOfHost } from "./hosts.ts";
import type { AuditTarget, Probe } from "./probes.ts";

/** A document of the seller as it came; null stands for no answer at all. */
export interface SellerDocument {
  readonly status: number;
  readonly text: string;
  /** Undefined when the text is no JSON. */
  readonly value: unknown;
}

/** What lies beside the resource that is sold. */
export interface Beside {
  /** `/.well-known/x402.json`. */
  readonly manifest: SellerDocument | null;
  /** `/openapi.json`. */
  readonly openapi: SellerDocument | null;
  /** The resource with `preview=1`. */
  readonly preview: SellerDocument | null;
}

async function read(target: AuditTarget, url: string, path: `/${string}`): Promise<SellerDocument | null> {
  const answer = await target.askBeside(url, path);
  if (!answer.ok) return null;
  const text = new TextDecoder().decode(answer.body);
  return { status: answer.status, text, value: parseJSON(text) };
}

/** Three requests, without paying. */
export async function fetchBeside(target: AuditTarget, { answer: { url } }: Probe): Promise<Beside> {
  const shown = new URL(url);
  shown.searchParams.set("preview", "1");
  const [manifest, openapi, preview] = await Promise.all([
    read(target, url, "/.well-known/x402.json"),
    read(target, url, "/openapi.json"),
    read(target, url, `/${`${shown.pathname}${shown.search}`.slice(1)}`),
  ]);
  return { manifest, openapi, preview };
}

/** What a manifest says of one resource: whether it lists it, and the terms it states, if any. */
export function findInManifest(
  manifest: SellerDocument | null,
  url: string,
): { readonly is_listed: boolean; readonly terms: PaymentTerms | null; readonly texts: string } {
  const wanted = addressOfHost(url, url);
  const resources = valueAt(manifest?.value, "resources");
  for (const one of Array.isArray(resources) ? resources : []) {
    const named = typeof one === "string" ? one : (valueAt(one, "url") ?? valueAt(one, "resource"));
    if (typeof named !== "string" || addressOfHost(named, url) !== wanted) continue;
    const texts = ["name", "description"].map((name) => valueAt(one, name)).filter((text) => typeof text === "string");
    return { is_listed: true, terms: readTerms(one), texts: texts.join(" ").slice(0, 2_000) };
  }
  return { is_listed: false, terms: null, texts: "" };
}
