import { renderDIDDocument } from "../trust/did.ts";
import { defineSurface, json } from "./types.ts";

export const surface = defineSurface({
  path: "/.well-known/did.json",
  summary: "The node's key as a DID document (did:web)",
  content_type: "application/json",
  render: ({ node }) => json(renderDIDDocument(node.public_url, node.public_key)),
});
