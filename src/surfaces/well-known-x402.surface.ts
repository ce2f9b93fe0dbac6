import { defineSurface, json, type SurfaceModel } from "./types.ts";

/**
 * The list of older crawlers, which fetch no other path. They are strict: `version` is a number, and every one of
 * `resources` a plain address.
 */
function renderList({ node, sandbox, products, free, origin_signatures }: SurfaceModel) {
  const { public_url, contact_email } = node;
  const proofs = sandbox ? [] : origin_signatures;
  return {
    version: 1,
    x402Version: 2,
    ...(sandbox ? { sandbox } : {}),
    kind: "resource-server",
    name: node.name,
    description: "Pay-per-call market intelligence",
    resources: products.map(({ url }) => url),
    endpoints: products.map(({ path, method, id, description, price_usd }) => ({
      path,
      method,
      name: id,
      description,
      price: `$${price_usd}`,
    })),
    free_endpoints: free.filter(({ asks }) => asks !== true).map(({ path }) => path),
    ...(proofs.length > 0 ? { ownershipProofs: proofs } : {}),
    instructions: `${public_url}/llms.txt`,
    docs: `${public_url}/about`,
    ...(contact_email === null ? {} : { contact: contact_email }),
    manifest: `${public_url}/.well-known/x402.json`,
  };
}

export const surface = defineSurface({
  path: "/.well-known/x402",
  summary: "The list of paid addresses as older x402 crawlers read it",
  content_type: "application/json",
  render: (model) => json(renderList(model)),
});
