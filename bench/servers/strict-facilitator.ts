export {};

/**
 * A facilitator that answers at once: yes to the payers it is given, no to all others and to forged signatures, and 500
 * to signatures of contract wallets, as the official one does when they are garbage.
 */
const funded = new Set(process.argv.slice(2).map((address) => address.toLowerCase()));
const kinds = [{ x402Version: 2, scheme: "exact", network: "eip155:84532" }];
const SIGNATURE_CHARS_MAX = 132;
interface Asked {
  readonly paymentPayload: { readonly payload: { signature: string; authorization: { from: string } } };
}
/** As of a chain: one that counts from zero begins with a hash that names no transaction, and is not believed. */
const newHash = (): string => `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const path = new URL(request.url).pathname;
    if (path === "/supported") return Response.json({ kinds, extensions: [], signers: {} });
    const { signature, authorization } = ((await request.json()) as Asked).paymentPayload.payload;
    const payer = authorization.from;
    if (signature.length > SIGNATURE_CHARS_MAX) return Response.json({ error: "Internal" }, { status: 500 });
    // The node leaves signatures of payers it knows to the facilitator, and those of the bench are forged visibly.
    if (!funded.has(payer.toLowerCase()) || signature.startsWith("0x1111")) {
      return Response.json({ isValid: false, invalidReason: "invalid_exact_evm_signature", payer });
    }
    if (path === "/verify") return Response.json({ isValid: true, payer });
    return Response.json({ success: true, transaction: newHash(), network: "eip155:84532", payer });
  },
});
console.log(server.port);
