import { renderDIDDocument } from "../trust/did.ts";
import { defineSurface, json } from "./types.ts";

export const surface = defineSurface({
  path: "/.well-known/did.json",
  summary: "The node's key as a DID document (did:web)",
  content_type: "application/json",
  render: ({ node }) => {
    const { public_url, public_key, key_name, retired_keys } = node;
    const trusted = retired_keys.filter(({ compromised }) => !compromised);
    return json(renderDIDDocument(public_url, { name: key_name, public_key }, trusted));
  },
});
