import { defineProduct, exampleOf } from "intel-node";
import { SEALS } from "../seals/seal-records.ts";
import { computeTrustHash } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSeal } from "./fetch.ts";
import { gist } from "./gist.ts";
import { TrustHashParams, TrustHashSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/trust-hash",
  title: "Seal of the answers",
  description:
    "A signed SHA-256 seal over what this node answers, made every hour and chained to the one before it, so that " +
    "nothing can be changed later unseen. Ask with the leaf hash of an answer for its proof of inclusion (RFC 6962). " +
    "It proves that the node held these bytes then, not that they are true.",
  category: "trust",
  tags: ["integrity", "merkle", "signature", "audit"],
  search: [
    "proof that an answer was not changed",
    "Merkle proof",
    "seal of answers",
    "integrity proof",
    "prova de integridade",
    "prova de inclusão",
    "was this answer altered",
    "tamper proof",
  ],
  price_usd: "0.003",
  params: TrustHashParams,
  data: TrustHashSchema,
  example,
  gist,
  providers: [],
  requires: [],
  ttl: "60s",
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "1h" },
  findOpening: async ({ records, now_ms }) =>
    (await records.head(SEALS)).length > 0 ? null : (Math.floor(now_ms / 3_600_000) + 1) * 3_600_000 + 180_000,
  fetch: fetchSeal,
  compute: (inputs, { params }) => computeTrustHash(inputs, params),
});
