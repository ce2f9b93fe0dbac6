import { defineProduct, exampleOf } from "intel-node";
import { blockscout } from "intel-node/providers/blockscout/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { REGISTERS } from "../bazaar/registers.ts";
import { computeAudit, signAudit } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchAudit } from "./fetch.ts";
import { gist } from "./gist.ts";
import { createSelfTarget, createTarget } from "./probes.ts";
import { AuditParams, AuditSchema } from "./schema.ts";

const example = exampleOf({ url: "https://seller.sandbox.example/weather" }, made);

export const product = defineProduct({
  path: "/x402-audit",
  title: "Audit of an x402 seller",
  description:
    "Is this x402 endpoint safe to pay? Asks it without paying and checks terms (v1 and v2), payees (sanctions " +
    "lists, earlier payments), the asset's EIP-712 domain on chain, TLS, redirects, uptime, one price and payee " +
    "in all documents, orders in texts. Verdict sound, acceptable, caution or unsafe, evidence for every check.",
  category: "trust",
  tags: ["x402", "audit", "security", "agents", "payments"],
  search: [
    "is this x402 endpoint safe",
    "audit an x402 seller",
    "can I trust this seller",
    "check a paid API before paying",
    "este vendedor x402 é confiável",
    "auditar endpoint x402",
    "is this API safe to pay",
    "verificar vendedor",
  ],
  price_usd: "0.05",
  params: AuditParams,
  data: AuditSchema,
  example,
  gist,
  providers: [evmRpc, solanaRpc, blockscout, ...REGISTERS],
  requires: [],
  uses_node: true,
  ttl: "60s",
  stranger_of: ({ url }) => (url !== undefined && URL.canParse(url) ? new URL(url).host : null),
  deadline_ms: 12_000,
  preview: { every: "1d", delay: "1h" },
  fetch: async (context, { url }) =>
    signAudit(
      await fetchAudit(context, url === undefined ? createSelfTarget(context) : createTarget(context, url)),
      context.signer,
    ),
  compute: computeAudit,
});
