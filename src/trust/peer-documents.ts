import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { parseJSON } from "../core/json-values.ts";

const Text = Type.String({ maxLength: 2_000 });
const Requirement = Type.Object({ network: Text, payTo: Text });
const Requirements = Type.Array(Requirement, { maxItems: 50 });

const Manifest = Type.Object({
  node: Type.Object({ node_id: Type.Optional(Text), url: Text }),
  /** Bare addresses where there is nothing to say of them. */
  resources: Type.Array(
    Type.Union([Text, Type.Object({ url: Text, method: Type.Optional(Text), accepts: Type.Optional(Requirements) })]),
    { maxItems: 2_000 },
  ),
});
const Claims = Type.Object({
  v: Type.Literal(1),
  origin: Text,
  node_id: Text,
  node_key: Text,
  sandbox: Type.Optional(Type.Boolean()),
  manifest: Type.Object({ url: Text, sha256: Text, jws: Type.String({ maxLength: 8_000 }) }),
  wallets: Type.Array(
    Type.Object({
      network: Text,
      address: Text,
      status: Text,
      method: Type.Optional(Text),
      statement: Type.Optional(Text),
      signature: Type.Optional(Text),
    }),
    { maxItems: 50 },
  ),
});
const NodeClaim = Type.Object({
  v: Type.Literal(1),
  origin: Text,
  node_id: Text,
  manifest_url: Text,
  manifest_sha256: Text,
  issued_at: Text,
});
const DIDDocument = Type.Object({
  id: Text,
  verificationMethod: Type.Array(
    Type.Object({
      id: Text,
      publicKeyJwk: Type.Object({ kty: Type.Literal("OKP"), crv: Type.Literal("Ed25519"), x: Text }),
    }),
    { maxItems: 200 },
  ),
  assertionMethod: Type.Array(Text, { maxItems: 200 }),
});
const Challenge = Type.Object({ accepts: Requirements });

export type PeerManifest = Static<typeof Manifest>;
type PeerResource = Exclude<PeerManifest["resources"][number], string>;
export type PeerClaims = Static<typeof Claims>;
export type PeerWallet = PeerClaims["wallets"][number];
export type PeerRequirement = Static<typeof Requirement>;

/** The addresses in a manifest; bare ones are brought to the form of the others. */
export const resourcesOf = ({ resources }: PeerManifest): readonly PeerResource[] =>
  resources.map((one) => (typeof one === "string" ? { url: one } : one));

/** Parses JSON text that matches a schema; null otherwise. */
function createReader<S extends TSchema>(schema: S): (text: string) => Static<S> | null {
  const check = compileSchema(schema);
  return (text) => {
    const value = parseJSON(text);
    return check.Check(value) ? value : null;
  };
}

export const readManifest = createReader(Manifest);
export const readClaims = createReader(Claims);
export const readDIDDocument = createReader(DIDDocument);

const checkChallenge = compileSchema(Challenge);
/** The payees in a 402, from its header or its body; null for another answer. */
export const readRequirements = (value: unknown): readonly PeerRequirement[] | null =>
  checkChallenge.Check(value) ? value.accepts : null;

const checkNodeClaim = compileSchema(NodeClaim);
/** A node's statement about its manifest, from the payload of its JWS. */
export const readNodeClaim = (payload: unknown): Static<typeof NodeClaim> | null =>
  checkNodeClaim.Check(payload) ? payload : null;
