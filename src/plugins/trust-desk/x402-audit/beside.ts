import { type Probe, parseJSON, type SellerDocument, type SellerReadings } from "intel-node";
import type { AuditTarget } from "./probes.ts";

/** Documents beside the resource that is sold. */
type Beside = Pick<SellerReadings, "manifest" | "openapi" | "preview">;

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
