import { defineProduct, exampleOf } from "intel-node";
import { assertBelowCeiling } from "./ceiling.ts";
import { computeAgentCall } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchAgentCall, parseTarget } from "./fetch.ts";
import { gist } from "./gist.ts";
import { readPeerPrice } from "./peer-price.ts";
import { AgentCallParams, AgentCallSchema } from "./schema.ts";

const example = exampleOf({ target: "https://seller.sandbox.example/live", identity: "manifest" }, made);

export const product = defineProduct({
  path: "/agent-call",
  title: "Call to a peer",
  description:
    "Asks another node for you: addresses checked, nothing of your request passed on but the payment you signed for " +
    "that peer, and that only once its signed documents prove who is paid. Gives back its answer, marked as the " +
    "peer's words, its receipt and a digest. Due once the peer has answered, whatever its status, a 402 with its " +
    "terms too; a silent peer costs nothing.",
  category: "trust",
  tags: ["x402", "relay", "agents", "proxy"],
  search: [
    "call another agent",
    "call a peer node",
    "relay an x402 payment",
    "pay another seller through you",
    "proxy for a paid endpoint",
    "chamar outro agente",
    "pagar outro vendedor",
  ],
  price_usd: "0.05",
  methods: ["GET", "POST"],
  params: AgentCallParams,
  normalise: ({ target, ...params }) => {
    assertBelowCeiling([params.payment, params.payment_v1, params.payment_mpp], params.max_amount_atomic);
    return { ...params, target: parseTarget(target) };
  },
  data: AgentCallSchema,
  example,
  gist,
  providers: [],
  requires: [],
  uses_node: true,
  ttl: "1s",
  stranger_of: ({ target }) => new URL(target).host,
  passed_on: ({ peer_payment }) => peer_payment.passed_on,
  metered: { by: "peer_price", read: ({ peer_payment }) => readPeerPrice(peer_payment) },
  deadline_ms: 12_000,
  // What a stranger sees before he buys: a call that was really made, to this node's own /live.
  preview: {
    every: "1d",
    delay: "1h",
    of_node: (url) =>
      url.startsWith("https://") ? [{ target: new URL("/live", url).href, identity: "manifest" as const }] : [],
  },
  fetch: fetchAgentCall,
  compute: computeAgentCall,
});
