import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";

/** The reference server: same price, same network, same facilitator, no ledger. */
const [facilitator = "", payTo = ""] = process.argv.slice(2);
const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator })).register(
  "eip155:84532",
  new ExactEvmScheme(),
);
const app = new Hono();
app.use(
  paymentMiddleware(
    {
      "GET /bench": {
        accepts: { scheme: "exact", price: "$0.001", network: "eip155:84532", payTo },
        description: "bench",
      },
    },
    server,
  ),
);
app.get("/bench", (context) => context.json({ product: "bench", data: { message: "hello", numbers: [1, 2, 3] } }));
const listening = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
console.log(listening.port);
