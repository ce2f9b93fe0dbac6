import type { NodeIdentity } from "../core/identity.ts";
import { getSignedText, type NodeSigner } from "../records/record-chain.ts";

/** Signs texts of products and jobs. Each kind has its own first line, so that no text passes for another kind. */
export const createNodeSigner = (
  identity: Pick<NodeIdentity, "node_id" | "key_name" | "public_key" | "sign">,
): NodeSigner => ({
  node_id: identity.node_id,
  key_id: identity.key_name,
  public_key: identity.public_key,
  sign: (kind, text) => identity.sign(Buffer.from(getSignedText(kind, text), "utf8")),
});
