import { privateKeyToAccount } from "viem/accounts";
import { encodeHeader } from "../src/payments/codec.ts";
import { TRANSFER_WITH_AUTHORIZATION, usdcDomain } from "../src/payments/networks/evm/check-signature.ts";
import { networkById } from "../src/payments/networks/table.ts";
import { median } from "./median.ts";

/**
 * Signs payments ahead of time, then sends them with a fixed number of connections and prints calls per second and the
 * median time of one. Arguments: url, calls, connections, key.
 */
const [url = "", calls = "0", connections = "1", key = "0x"] = process.argv.slice(2);
const challenge = await fetch(url);
const required = JSON.parse(Buffer.from(challenge.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString());
const accepted = required.accepts[0];
const network = networkById(accepted.network);
if (!network) throw new Error(`cannot pay on ${accepted.network}`);
const account = privateKeyToAccount(key as `0x${string}`);
const validBefore = Math.floor(Date.now() / 1000) + 300;

const sign = async (): Promise<string> => {
  const nonce = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}` as const;
  const to = accepted.payTo as `0x${string}`;
  const signature = await account.signTypedData({
    domain: usdcDomain(network),
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: "TransferWithAuthorization",
    message: {
      from: account.address,
      to,
      value: BigInt(accepted.amount),
      validAfter: 0n,
      validBefore: BigInt(validBefore),
      nonce,
    },
  });
  const authorization = {
    from: account.address,
    to,
    value: accepted.amount,
    validAfter: "0",
    validBefore: `${validBefore}`,
    nonce,
  };
  return encodeHeader({ x402Version: 2, accepted, payload: { signature, authorization } });
};
/** The first calls warm both sides up and are not counted. */
const WARM_UP = 200;
const headers: string[] = [];
for (let index = 0; index < Number(calls) + WARM_UP; index++) headers.push(await sign());

const times: number[] = [];
let failed = 0;
for (let index = 0; index < WARM_UP; index++) {
  const response = await fetch(url, { headers: { "PAYMENT-SIGNATURE": headers.pop() ?? "" } });
  await response.arrayBuffer();
}
const started = performance.now();
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    for (let header = headers.pop(); header; header = headers.pop()) {
      const sent = performance.now();
      const response = await fetch(url, { headers: { "PAYMENT-SIGNATURE": header } });
      await response.arrayBuffer();
      if (response.status !== 200) failed += 1;
      times.push(performance.now() - sent);
    }
  }),
);
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ rps: times.length / seconds, p50_ms: median(times), failed }));
