import { Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";

const DIDDocument = compileSchema(
  Type.Object({
    verificationMethod: Type.Array(
      Type.Object({
        id: Type.String(),
        publicKeyJwk: Type.Object({ kty: Type.Literal("OKP"), crv: Type.Literal("Ed25519"), x: Type.String() }),
      }),
      { maxItems: 100 },
    ),
  }),
);

/** The Ed25519 keys of a DID document, by full id; null without a readable one. */
export function readKeysOf(document: unknown): readonly { readonly id: string; readonly x: string }[] | null {
  if (!DIDDocument.Check(document)) return null;
  return document.verificationMethod.map(({ id, publicKeyJwk }) => ({ id, x: publicKeyJwk.x }));
}
