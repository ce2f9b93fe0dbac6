import { renderTime } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import { nodeDID, nodeKeyId } from "../trust/did.ts";
import { createJWSSigner } from "../trust/jws.ts";
import type { SurfaceModel, WalletClaimView } from "./types.ts";

/** The bytes of the manifest a claim is about, and since when they are what they are. */
export interface ClaimedManifest {
  /** As it is served, in canonical form. */
  readonly text: string;
  /** Unix seconds. */
  readonly changed_at: number;
}

export const manifestURL = (public_url: string): string => `${public_url}/.well-known/x402.json`;

/** The node's own word on its manifest, as a compact JWS. */
export function signManifest({ node }: Pick<SurfaceModel, "node">, { text, changed_at }: ClaimedManifest): string {
  const { public_url, node_id, key_name } = node;
  return createJWSSigner(
    node,
    nodeKeyId(public_url, key_name),
  )({
    v: 1,
    origin: public_url,
    node_id,
    manifest_url: manifestURL(public_url),
    manifest_sha256: sha256Hex(text),
    issued_at: renderTime(changed_at * 1000),
  });
}

const renderWallet = ({ wallet: _, ...claim }: WalletClaimView) => claim;

/** How anybody checks the claim, with this node's own values filled in. */
export function listSteps(
  { node, wallets }: Pick<SurfaceModel, "node" | "wallets">,
  sha256: string,
): readonly string[] {
  const { public_url, node_id, public_key } = node;
  const proven = wallets.filter(({ status }) => status === "proven");
  const addresses = proven.map(({ network, address }) => `${address} on ${network}`).join(", ");
  return [
    `Fetch ${manifestURL(public_url)}: the SHA-256 of its bytes must be ${sha256}. They are canonical JSON ` +
      "(RFC 8785) already: writing them again in that form must give the same bytes.",
    `Fetch ${public_url}/.well-known/did.json over TLS, take the key that the JWS of the claim names (its kid, ` +
      "listed under assertionMethod) and verify the JWS (EdDSA). Its payload must name this origin, the address and " +
      `the SHA-256 of the manifest you fetched, and ${node_id}, which is "in1" and the base58 of the first 16 bytes ` +
      `of the SHA-256 of the raw key ${public_key} (base64url).`,
    "For each proven wallet: verify the signature over its statement, byte for byte (eip191: personal_sign; ed25519: " +
      'the plain bytes; algorand-mx: "MX" and the bytes). Then read origin, node_key, network, address and dates ' +
      "from the statement itself and compare them with the claim, the clock, and every payTo of that network in the " +
      `manifest and in a live 402. Proven here: ${addresses === "" ? "none" : addresses}.`,
    "All addresses in accepts proven: the owner is verified. Otherwise: partly verified. Anything that does not " +
      `fit: do not pay. "intel-node verify ${public_url}" does all of this.`,
  ];
}

/** What a node claims about itself, for anybody to check. */
export function renderOwnership(model: SurfaceModel, manifest: ClaimedManifest): Record<string, unknown> {
  const { node, wallets, sandbox } = model;
  const { public_url, node_id, public_key, retired_keys } = node;
  const sha256 = sha256Hex(manifest.text);
  return {
    v: 1,
    ...(sandbox ? { sandbox } : {}),
    origin: public_url,
    node_id,
    node_key: `ed25519:${public_key}`,
    did: nodeDID(public_url),
    manifest: {
      url: manifestURL(public_url),
      canonicalization: "RFC8785",
      sha256,
      jws: signManifest(model, manifest),
    },
    wallets: wallets.map(renderWallet),
    retired_keys: retired_keys.map((key) => ({
      kid: nodeKeyId(public_url, key.name),
      public_key: `ed25519:${key.public_key}`,
      retired_at: key.retired_at,
      ...(key.compromised ? { compromised: true } : {}),
    })),
    how_to_verify: listSteps(model, sha256),
  };
}
