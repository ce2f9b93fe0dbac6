import { createBuyer } from "../buyer/buyer.ts";
import type { Config } from "../config/schema.ts";
import { messageOf, NodeError } from "../core/errors.ts";
import { readSecretVariable } from "../core/secrets.ts";
import type { FreeRoute } from "../http/free-route.ts";
import type { HTTPCall } from "../http/http-call.ts";
import { forOperator } from "../http/operator-door.ts";
import type { Responder } from "../http/respond.ts";
import type { Core, LoadedPlugins, StartOptions } from "./parts.ts";

/** Paths of the products that are not sold because the operator lets the node pay itself there. */
export const findOwnPaths = (
  { bootstrap_trust }: Pick<Config, "bootstrap_trust">,
  { known }: Pick<LoadedPlugins, "known">,
): readonly string[] =>
  bootstrap_trust.mode === "self-payment"
    ? known.flatMap(({ products }) =>
        products.flatMap(({ product }) => (product.self_payment === true ? [product.path] : [])),
      )
    : [];

interface SelfPayment {
  readonly options: StartOptions;
  readonly core: Core;
  readonly responder: Responder;
  /** One of `findOwnPaths`. */
  readonly path: string;
  /** Where the node listens: its own buyer need not go round by the public address. */
  readonly url: () => string;
  /** Labels the buyer's payments as the operator's own. */
  readonly markOwn: (address: string) => void;
}

/** The buyer's key, from the environment; in the sandbox a throw-away one will do. */
export function readBuyerKey({ bootstrap_trust }: Config, sandbox: boolean): string | null {
  const key = readSecretVariable(bootstrap_trust.wallet_key_env);
  if (key !== null || sandbox) return key;
  throw new NodeError(
    "facilitator_unavailable",
    "No buyer wallet: set [bootstrap_trust] wallet_key_env. Nothing was paid.",
  );
}

/** The self-payment mode: the operator lets the node's own wallet buy its cheapest product once. */
export function createSelfPaymentRoutes(parts: SelfPayment): readonly FreeRoute[] {
  const { options, core, responder, path } = parts;
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
  const explain = (http_call: HTTPCall): Response =>
    answer(http_call, {
      mode: "self-payment",
      product: cheapest()?.path ?? null,
      how: "POST with the operator's token: the node's own wallet pays for this product once, on chain.",
      receipts: "/receipts",
    });
  const buyOnce = async (http_call: HTTPCall): Promise<Response> => {
    running ??= pay().finally(() => {
      running = null;
    });
    try {
      return answer(http_call, await running);
    } catch (error) {
      if (error instanceof NodeError) throw error;
      throw new NodeError("facilitator_unavailable", `The payment was not made: ${messageOf(error)}`);
    }
  };
  return [
    { path, methods: ["GET"], handler: explain },
    { path, methods: ["POST"], handler: forOperator(core.operator_token, buyOnce) },
  ];
}
