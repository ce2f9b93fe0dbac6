/** Fragment of the one key a node signs with. */
const KEY_NAME = "node-1";

/** The node's name as a DID: its public address with the port written as `%3A` (did:web). */
export const nodeDID = (public_url: string): string => `did:web:${new URL(public_url).host.replaceAll(":", "%3A")}`;

/** Names the node's key in the header of everything it signs. */
export const nodeKeyId = (public_url: string): string => `${nodeDID(public_url)}#${KEY_NAME}`;

/**
 * The document that ties the node's key to its address: whoever fetches it over TLS knows whose signature it is.
 * @param public_key raw Ed25519 key, base64url.
 */
export function renderDIDDocument(public_url: string, public_key: string): Record<string, unknown> {
  const [did, key_id] = [nodeDID(public_url), nodeKeyId(public_url)];
  const publicKeyJwk = { kty: "OKP", crv: "Ed25519", x: public_key, kid: KEY_NAME, alg: "EdDSA", use: "sig" };
  return {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/jws-2020/v1"],
    id: did,
    verificationMethod: [{ id: key_id, type: "JsonWebKey2020", controller: did, publicKeyJwk }],
    assertionMethod: [key_id],
    authentication: [key_id],
  };
}
