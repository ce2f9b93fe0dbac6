import type { TrustHashData } from "./schema.ts";

const data: TrustHashData = {
  seq: 1,
  root: "edba7a168a72af67a71feceefa821dc5cc09083430a608272f081f8665887d23",
  record_hash: "26bf8f05cf719b710a0e71b8efe0cf65437c6d10f534df5edd1af2d41d9386d2",
  prev_hash: "ea7fe5dfdce73d10f39d1a206ca187d5a1fa662a70541d8c99ab244d0ea0374c",
  leaf_count: 5,
  sealed_at: "2026-10-01T12:34:56Z",
  leaves: [
    {
      product: "/fear-greed",
      as_of: "2026-10-01T00:00:00Z",
      leaf_hash: "983b4e11954248b31185da4323a51e61c60d31c858ac7243b2cc4809f05eeed3",
    },
    {
      product: "/mempool",
      as_of: "2026-10-01T12:34:56Z",
      leaf_hash: "eee52ac9d0df048f3d931f404ae26183b04b17b5fae0ea09b750673782a1d4ac",
    },
    {
      product: "/regime",
      as_of: "2026-10-01T00:00:00Z",
      leaf_hash: "0d9bd8a99cb6c177047d983700ef39aee301e200d21bc78e29dd85303d92b385",
    },
    {
      product: "/oracle-consensus",
      as_of: "2026-10-01T12:34:56Z",
      leaf_hash: "f21e139fee1ba0971f50a302d25e4f0d93c19b58c6f9bb4b4d5e17cea237c9e1",
    },
    {
      product: "/sanctions",
      as_of: "2026-10-01T12:34:56Z",
      leaf_hash: "04fb0a91ce9786f3d8353060b9c78ed293bb04f10873bbdd0fd2d17b5b10bb4c",
    },
  ],
  algorithm: "sha-256",
  canonicalization: "RFC8785",
  tree: "RFC6962",
  signed_text:
    'intel-node:seal:v1\n{"leaf_count":5,"root":"' +
    'edba7a168a72af67a71feceefa821dc5cc09083430a608272f081f8665887d23","sealed_at":"2026-10-01T12:34:56Z"}',
  signature: "IJ0nU8osr7nD3KUTjHhEomY4kxb4TfVR6_4pQE01kacPEYtKRiGGVEZDaEBafoWsynJI4q98y-sHAubTFvPIAg",
  public_key: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  proof: null,
  verify_steps: [
    "item = canonical JSON (RFC 8785) of {as_of, data, product} of the answer you hold",
    "leaf_hash = SHA-256(0x00 || item); it must stand in leaves",
    "root = RFC 6962 tree over the leaf hashes in order, SHA-256(0x01 || left || right); or climb the audit_path",
    "verify the Ed25519 signature over signed_text with public_key, which /.well-known/verify-manifest lists too",
    "the next seal's prev_hash must be this record_hash: nobody can slip a seal in or out later",
  ],
};

export const example = {
  params: {} as const,
  as_of: "2026-10-01T12:34:56Z",
  data,
};
