import { defineSurface } from "./types.ts";
import { renderManifest } from "./x402-manifest.ts";

export const surface = defineSurface({
  path: "/.well-known/x402.json",
  summary: "x402 manifest: every resource with its price on every network",
  content_type: "application/json",
  render(model) {
    return { content_type: "application/json", body: renderManifest(model).text };
  },
});
