import { createHash } from "node:crypto";
import { defineSurface } from "./types.ts";
import { renderManifest } from "./x402-manifest.ts";

export const surface = defineSurface({
  path: "/.well-known/x402.json",
  summary: "x402 manifest: every resource with its price on every network",
  content_type: "application/json",
  render(model) {
    const { text } = renderManifest(model);
    const digest = createHash("sha256").update(text).digest("base64");
    return { content_type: "application/json", body: text, headers: { "Repr-Digest": `sha-256=:${digest}:` } };
  },
});
