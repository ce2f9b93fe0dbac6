import type { NodeIdentity } from "../core/identity.ts";

/** A key in the form of a DID document. */
export interface DIDKey {
  /** Fragment of its id: "node-1". */
  readonly name: string;
  /** Raw Ed25519 key, base64url. */
  readonly public_key: string;
}

/** The node's DID (did:web): its public address, with `%3A` before the port. */
export const nodeDID = (public_url: string): string => `did:web:${new URL(public_url).host.replaceAll(":", "%3A")}`;

/** The id of a node's key, for the header of everything that the key signs. */
export const nodeKeyId = (public_url: string, key_name: string): string => `${nodeDID(public_url)}#${key_name}`;

/**
 * The document that ties the node's keys to its address, so that a reader who fetches it over TLS can attribute
 * signatures.
 * @param retired keys whose earlier signatures stay valid: they can be looked up, but vouch for nothing new.
 */
export function renderDIDDocument(
  public_url: string,
  present: DIDKey,
  retired: readonly DIDKey[] = [],
): Record<string, unknown> {
  const did = nodeDID(public_url);
  const key_id = nodeKeyId(public_url, present.name);
  return {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/jws-2020/v1"],
    id: did,
    verificationMethod: [present, ...retired].map(({ name, public_key }) => ({
      id: nodeKeyId(public_url, name),
      type: "JsonWebKey2020",
      controller: did,
      publicKeyJwk: { kty: "OKP", crv: "Ed25519", x: public_key, kid: name, alg: "EdDSA", use: "sig" },
    })),
    assertionMethod: [key_id],
    authentication: [key_id],
  };
}

/**
 * Finds a key of this node by the fragment of a key id, because the node may have had another address. An id that names
 * no earlier key is checked with the current key; a leaked key is never found.
 */
export function createKeyFinder({
  public_key,
  key_name,
  retired,
}: Pick<NodeIdentity, "public_key" | "key_name" | "retired">): (key_id: string) => string | null {
  return (key_id) => {
    const name = key_id.slice(key_id.lastIndexOf("#") + 1);
    const earlier = name === key_name ? undefined : retired.find((one) => one.name === name);
    if (!earlier) return public_key;
    return earlier.compromised ? null : earlier.public_key;
  };
}
