import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf, nullable } from "intel-node";
import { computeTrust } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { gist } from "./gist.ts";

const createTotal = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: "Settled payments." }),
      amount_atomic: Type.String({ description: "What they come to, in the smallest unit of USDC." }),
    },
    { ...closed, description },
  );
/** The payment itself is the record, and the answer is what can be checked of all of them so far. */
export const product = defineProduct({
  path: "/bootstrap-trust",
  title: "First settlement",
  description:
    "Leaves a settlement with this node on chain and answers with the node's identity, the totals of all its " +
    "public receipts, what your wallet settled here before, and the address of this payment's receipt.",
  category: "trust",
  tags: ["trust", "receipts"],
  search: [
    "first payment on chain",
    "node identity",
    "who are you",
    "primeira liquidação",
    "test payment",
    "identidade do nó",
  ],
  price_usd: "0.005",
  params: Type.Object({}, closed),
  data: Type.Object(
    {
      node_id: Type.String({ description: "The node's identity, which follows from its key." }),
      public_key: Type.String({ description: "Ed25519, base64url: what it signs receipts with." }),
      receipts: Type.Object(
        {
          organic: createTotal("Payments of others."),
          operator_test: createTotal("Payments of the operator's own wallets."),
        },
        { ...closed, description: "All public receipts, by who paid." },
      ),
      last_settled_at: nullable(Type.String(), "Of the newest receipt, ISO 8601", "before the first"),
      receipts_path: Type.Literal("/receipts", { description: "Path of every receipt." }),
      your_payments: nullable(
        createTotal("What your wallet settled with this node before this call."),
        "",
        "when no wallet paid for this call, but a key",
      ),
      your_receipt: Type.Literal("/receipts/{X-Receipt-Id}", {
        description: "Receipt of this very payment: its id is in the header X-Receipt-Id of this answer.",
      }),
    },
    closed,
  ),
  example: exampleOf({}, made),
  gist,
  self_payment: true,
  providers: [],
  requires: [],
  uses_node: true,
  uses_payer: true,
  ttl: "5s",
  deadline_ms: 2_000,
  preview: { every: "1h" },
  async fetch({ node, payer }) {
    const [receipts, last_ms, paid] = await Promise.all([
      node.readReceiptTotals(),
      node.readLastSettledAt(),
      payer === null ? null : node.readPayer(payer.address),
    ]);
    return { node_id: node.node_id, public_key: node.public_key, receipts, last_ms, paid };
  },
  compute: computeTrust,
});
