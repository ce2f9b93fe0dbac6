export {};

/** A facilitator that says yes at once: what is left is the cost of the server that asks it. */
const kinds = [{ x402Version: 2, scheme: "exact", network: "eip155:84532" }];
let count = 0;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const path = new URL(request.url).pathname;
    if (path === "/supported") return Response.json({ kinds, extensions: [], signers: {} });
    const body = (await request.json()) as { paymentPayload: { payload: { authorization: { from: string } } } };
    const payer = body.paymentPayload.payload.authorization.from;
    if (path === "/verify") return Response.json({ isValid: true, payer });
    const transaction = `0x${(count++).toString(16).padStart(64, "0")}`;
    return Response.json({ success: true, transaction, network: "eip155:84532", payer });
  },
});
console.log(server.port);
