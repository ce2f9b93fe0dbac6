import { Database } from "bun:sqlite";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";

/**
 * The reference servers: same price, same network, same facilitator. One keeps no books; one that is given a file
 * writes a row to it for every sale, on disk with full sync before the buyer is answered, as a short tutorial would.
 * Arguments: facilitator, payTo, file.
 */
const [facilitator = "", payTo = "", file] = process.argv.slice(2);
const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator })).register(
  "eip155:84532",
  new ExactEvmScheme(),
);
if (file !== undefined) {
  const db = new Database(file, { create: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = FULL");
  db.run("CREATE TABLE sales (chain_transaction TEXT PRIMARY KEY, payer TEXT, amount TEXT, at INTEGER) STRICT");
  const insert = db.query("INSERT INTO sales VALUES (?, ?, ?, ?)");
  server.onAfterSettle(async ({ result, requirements }) => {
    insert.run(result.transaction, result.payer ?? "", requirements.amount, Date.now());
  });
}
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
