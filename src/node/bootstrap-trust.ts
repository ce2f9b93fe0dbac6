import { Type } from "@sinclair/typebox";
import { assertOperator } from "../admin/status.ts";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import { defineProduct } from "../catalog/product.ts";
import type { Config } from "../config/schema.ts";
import { renderTime } from "../core/clock.ts";
import { messageOf, NodeError } from "../core/errors.ts";
import type { FreeRoute } from "../http/free-route.ts";
import type { HTTPCall } from "../http/http-call.ts";
import type { Responder } from "../http/respond.ts";
import { createBuyer } from "./buyer.ts";
import type { Core, StartOptions, TrustFacts } from "./parts.ts";

export const TRUST_PATH = "/bootstrap-trust";

const Total = Type.Object({ count: Type.Integer(), amount_atomic: Type.String() });
const Data = Type.Object({
  node_id: Type.String(),
  public_key: Type.String(),
  receipts: Type.Object({ organic: Total, operator_test: Total }),
  last_settled_at: Type.Union([Type.String(), Type.Null()]),
  receipts_path: Type.Literal("/receipts"),
});

/** The paid mode: the payment itself is the record, and the answer is what can be checked of all of them so far. */
export const createTrustPlugin = (facts: () => Promise<TrustFacts> | null): LoadedPlugin => ({
  id: "bootstrap-trust",
  title: "Trust",
  file: "bootstrap-trust",
  origin: "built-in",
  jobs: [],
  simulators: [],
  products: [
    {
      file: "bootstrap-trust",
      product: defineProduct({
        path: TRUST_PATH,
        title: "First settlement",
        description:
          "Leaves a settlement with this node on chain and answers with the node's identity and the totals of all " +
          "its public receipts.",
        category: "trust",
        tags: ["trust", "receipts"],
        price_usd: "0.005",
        params: Type.Object({}),
        data: Data,
        example: {
          params: {},
          as_of: "2026-11-20T00:00:00Z",
          data: {
            node_id: "in1A8ddX3dL6KXcUzSj9JhZ6E",
            public_key: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            receipts: {
              organic: { count: 12, amount_atomic: "120000" },
              operator_test: { count: 1, amount_atomic: "3000" },
            },
            last_settled_at: "2026-11-19T23:59:00Z",
            receipts_path: "/receipts",
          },
        },
        providers: [],
        requires: [],
        ttl: "5s",
        deadline_ms: 2_000,
        preview: { every: "1h" },
        fetch: async () => facts(),
        compute: (known, { now_ms }) => {
          if (!known) throw new Error("the node is not running");
          const total = ({ count, amount }: { count: number; amount: bigint }) => ({
            count,
            amount_atomic: amount.toString(),
          });
          const { node_id, public_key, receipts, last_settled_at_ms } = known;
          const data = {
            node_id,
            public_key,
            receipts: { organic: total(receipts.organic), operator_test: total(receipts["operator-test"]) },
            last_settled_at: last_settled_at_ms === null ? null : renderTime(last_settled_at_ms),
            receipts_path: "/receipts" as const,
          };
          return { as_of_ms: now_ms, data, warnings: [] };
        },
      }),
    },
  ],
});

/** What the running node says of itself. */
export async function readTrustFacts({ identity, ledger }: Pick<Core, "identity" | "ledger">): Promise<TrustFacts> {
  const last = [...(await ledger.receipts.lastByProduct()).values()];
  return {
    node_id: identity.node_id,
    public_key: identity.public_key,
    receipts: await ledger.receipts.totals(),
    last_settled_at_ms: last.length === 0 ? null : Math.max(...last),
  };
}

interface SelfPayment {
  readonly options: StartOptions;
  readonly core: Core;
  readonly responder: Responder;
  /** Where the node listens: its own buyer need not go round by the public address. */
  readonly url: () => string;
  /** Labels the buyer's payments as the operator's own. */
  readonly markOwn: (address: string) => void;
}

/** The buyer's key, from the environment; in the sandbox a throw-away one will do. */
function readBuyerKey({ bootstrap_trust }: Config, sandbox: boolean): string | undefined {
  const name = bootstrap_trust.wallet_key_env;
  const key = name === undefined ? undefined : process.env[name];
  if (key !== undefined || sandbox) return key;
  throw new NodeError(
    "facilitator_unavailable",
    "No buyer wallet: set [bootstrap_trust] wallet_key_env. Nothing was paid.",
  );
}

/** The self-payment mode: the operator lets the node's own wallet buy its cheapest product once. */
export function createSelfPaymentRoute(parts: SelfPayment): FreeRoute {
  const { options, core, responder } = parts;
  const headers = responder.headers({ "Cache-Control": "no-store" });
  const answer = ({ request, request_id }: HTTPCall, value: unknown) => {
    const response = new Response(request.method === "HEAD" ? null : JSON.stringify(value), { headers });
    response.headers.set("X-Request-Id", request_id);
    return response;
  };
  const cheapest = () => {
    const products = core.catalog.products.filter(
      ({ definition, methods, params }) =>
        definition.plan === undefined && methods.includes("GET") && params.defaults.missing.length === 0,
    );
    return products.sort((a, b) => (a.price_atomic < b.price_atomic ? -1 : 1))[0];
  };

  const pay = async (): Promise<Record<string, unknown>> => {
    const product = cheapest();
    if (!product) throw new NodeError("not_found", "There is no product a payment could be made for.");
    const buyer = await createBuyer(options.clock.now, readBuyerKey(options.config, options.sandbox !== null));
    parts.markOwn(buyer.address);
    const target = `${parts.url()}${product.path}`;
    const signed = await buyer.sign(buyer.readChallenge(await fetch(target)));
    const paid = await fetch(target, { headers: { "PAYMENT-SIGNATURE": signed.header } });
    await paid.arrayBuffer();
    const settlement = paid.headers.get("PAYMENT-RESPONSE");
    return {
      paid: paid.status === 200,
      status: paid.status,
      product: product.path,
      amount_atomic: product.price_atomic.toString(),
      payer: buyer.address,
      receipt: paid.headers.get("X-Receipt-Id"),
      settlement: settlement === null ? null : JSON.parse(Buffer.from(settlement, "base64").toString("utf8")),
    };
  };

  let running: Promise<Record<string, unknown>> | null = null;
  return {
    path: TRUST_PATH,
    methods: ["GET", "POST"],
    handler: async (http_call) => {
      if (http_call.request.method !== "POST") {
        return answer(http_call, {
          mode: "self-payment",
          product: cheapest()?.path ?? null,
          how: "POST with the operator's token: the node's own wallet pays for this product once, on chain.",
          receipts: "/receipts",
        });
      }
      assertOperator(http_call.request.headers, core.operator_token);
      running ??= pay().finally(() => {
        running = null;
      });
      try {
        return answer(http_call, await running);
      } catch (error) {
        if (error instanceof NodeError) throw error;
        throw new NodeError("facilitator_unavailable", `The payment was not made: ${messageOf(error)}`);
      }
    },
  };
}
