import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { nodeIdOf } from "../core/identity.ts";
import { parseJSON } from "../core/json-values.ts";
import { nodeDID } from "./did.ts";
import { isSignedBy, readJWS } from "./jws.ts";
import {
  type PeerClaims,
  type PeerManifest,
  readClaims,
  readDIDDocument,
  readManifest,
  readNodeClaim,
} from "./peer-documents.ts";
import type { AskPeer, CheckedPeerAnswer, PeerParts, PeerSteps, ProvenanceOutcome } from "./peer-types.ts";
import { checkWallets, type ProvenWallet } from "./peer-wallets.ts";

/** The facts in a node's own documents that their signatures prove. */
export interface CheckedDocuments {
  readonly missing?: undefined;
  readonly manifest: PeerManifest;
  readonly sandbox: boolean;
  /** The key that vouches for the manifest, and the receiving addresses that name it; null without such a key. */
  readonly signed: SignedIdentity | null;
}

/** Its documents are not there, or are no such documents. */
export interface MissingDocuments {
  readonly missing: Exclude<ProvenanceOutcome, "verified">;
}

export interface SignedIdentity {
  readonly node_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly node_key: string;
  readonly wallets: readonly ProvenWallet[];
}

/**
 * Reads a node's documents with three requests and checks every signature in them. Adds its results to `steps`.
 * @param origin without a slash at its end.
 */
export async function checkPeerDocuments(
  origin: string,
  parts: PeerParts,
  steps: PeerSteps,
): Promise<CheckedDocuments | MissingDocuments> {
  const documents = await readDocuments(origin, parts, steps);
  if ("missing" in documents) return documents;
  const { claims, manifest } = documents;
  const read = { manifest, sandbox: claims.sandbox === true };
  checkDigest(documents, steps);
  const node_key = await checkNodeKey(origin, documents, { ask: parts.ask, steps });
  if (node_key === null) return { ...read, signed: null };
  const { node_id } = claims;
  const wallets = await checkWallets(claims.wallets, { origin, node_id, node_key, ...parts, steps });
  return { ...read, signed: { node_id, node_key, wallets } };
}

interface Documents {
  readonly manifest: PeerManifest;
  readonly manifest_text: string;
  readonly repr_digest: string | null;
  readonly claims: PeerClaims;
}

/** What is not there claims nothing; what does not answer cannot be checked. */
const ABSENT: ReadonlySet<number> = new Set([404, 410]);

async function readDocuments(
  origin: string,
  { ask }: PeerParts,
  steps: PeerSteps,
): Promise<Documents | MissingDocuments> {
  const fetchText = async (path: string): Promise<CheckedPeerAnswer | MissingDocuments> => {
    const answer = await ask(`${origin}${path}`);
    if ("failed" in answer) {
      steps.add(path, "failed", answer.failed);
      return { missing: "unverifiable" };
    }
    if (answer.status === 200) return answer;
    steps.add(path, "failed", `${origin}${path} answers ${answer.status}`);
    return { missing: ABSENT.has(answer.status) ? "no_claim" : "unverifiable" };
  };
  const manifest_answer = await fetchText("/.well-known/x402.json");
  if ("missing" in manifest_answer) return manifest_answer;
  const claims_answer = await fetchText("/.well-known/verify-manifest");
  if ("missing" in claims_answer) return claims_answer;
  const manifest = readManifest(manifest_answer.text);
  const claims = readClaims(claims_answer.text);
  if (manifest === null) steps.add("/.well-known/x402.json", "failed", "it is no manifest with node and resources");
  if (claims === null) steps.add("/.well-known/verify-manifest", "failed", "it is no proof of ownership of version 1");
  if (manifest === null || claims === null) return { missing: "contradicted" };
  // Of packed bytes it tells nothing about those we have (RFC 9530).
  const is_packed = manifest_answer.headers.has("content-encoding");
  const repr_digest = is_packed ? null : manifest_answer.headers.get("repr-digest");
  return { manifest, manifest_text: manifest_answer.text, repr_digest, claims };
}

function checkDigest({ manifest_text, repr_digest, claims }: Documents, steps: PeerSteps): void {
  const sha256 = sha256Hex(manifest_text);
  steps.check("digest", sha256 === claims.manifest.sha256, {
    good: `the manifest has the SHA-256 ${sha256}`,
    bad: `the manifest has the SHA-256 ${sha256}, the claim says ${claims.manifest.sha256.slice(0, 64)}`,
  });
  steps.check("canonical", canonicalJSON(parseJSON(manifest_text)) === manifest_text, {
    good: "its bytes are in canonical form (RFC 8785)",
    bad: "its bytes are not in canonical form (RFC 8785)",
  });
  if (repr_digest === null) return;
  const expected = `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;
  steps.check(
    "repr-digest",
    repr_digest.split(",").some((one) => one.trim() === expected),
    {
      good: "the header Repr-Digest says the same",
      bad: `the header Repr-Digest says ${repr_digest.slice(0, 100)}`,
    },
  );
}

interface KeyParts {
  readonly ask: AskPeer;
  readonly steps: PeerSteps;
}

/** The key with which the node currently signs, if every check of it passes: raw, base64url. */
async function checkNodeKey(origin: string, documents: Documents, { ask, steps }: KeyParts): Promise<string | null> {
  const { claims, manifest, manifest_text } = documents;
  const jws = readJWS(claims.manifest.jws);
  const answer = await ask(`${origin}/.well-known/did.json`);
  const document = "failed" in answer ? null : readDIDDocument(answer.text);
  if (document === null || jws === null || document.id !== nodeDID(origin)) {
    const why = jws === null ? "the claim is no JWS" : `there is no DID document of ${nodeDID(origin)}`;
    steps.add("node key", "failed", "failed" in answer ? answer.failed : why);
    return null;
  }
  const method = document.verificationMethod.find(({ id }) => id === jws.key_id);
  const key = method?.publicKeyJwk.x ?? "";
  const vouches = method !== undefined && document.assertionMethod.includes(method.id);
  const is_signed = vouches && (await isSignedBy(claims.manifest.jws, key));
  const signed = steps.check("node key", is_signed, {
    good: `${jws.key_id} signed the claim`,
    bad: `${jws.key_id} did not sign the claim, or does not vouch for ${document.id}`,
  });
  if (!signed) return null;
  const node_id = nodeIdOf(Buffer.from(key, "base64url"));
  const says = readNodeClaim(jws.payload);
  const facts: readonly (readonly [string, boolean])[] = [
    ["origin", says?.origin === origin && claims.origin === origin && manifest.node.url === origin],
    ["manifest_url", says?.manifest_url === `${origin}/.well-known/x402.json`],
    ["manifest_sha256", says?.manifest_sha256 === sha256Hex(manifest_text)],
    ["node_key", claims.node_key === `ed25519:${key}`],
    ["node_id", [says?.node_id, claims.node_id, manifest.node.node_id ?? node_id].every((one) => one === node_id)],
  ];
  const wrong = facts.filter(([, ok]) => !ok).map(([name]) => name);
  const agrees = steps.check("claim", wrong.length === 0, {
    good: `it names ${origin}, this manifest and ${node_id}`,
    bad: `what it says does not fit: ${wrong.join(", ")}`,
  });
  return agrees ? key : null;
}
