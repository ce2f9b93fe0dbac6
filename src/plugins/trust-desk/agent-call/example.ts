import type { AgentCallData } from "./schema.ts";

const data: AgentCallData = {
  target: "https://seller.sandbox.example/live",
  peer: {
    status: 200,
    content_type: "application/json",
    bytes: 49,
    latency_ms: 0,
    tls_protocol: "TLSv1.3",
    hops: 1,
  },
  body: '{"at":"2026-10-01T12:34:56.000Z","status":"live"}',
  body_is_json: true,
  untrusted: true,
  body_sha256: "2accac85ac89a79e3047b09eb03d38098c25146e9b5d6a089839fe967e62373f",
  peer_payment: {
    required: false,
    accepts: [],
    receipt: null,
    paid_by: "none",
  },
  relayed_at: "2026-10-01T12:34:56.000Z",
};

export const example = {
  params: { target: "https://seller.sandbox.example/live" } as const,
  as_of: "2026-10-01T12:34:56Z",
  data,
};
