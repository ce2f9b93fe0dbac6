import { connect } from "node:net";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { inventTransaction } from "../../src/sandbox/invent-transaction.ts";
import { signPayment, v2Header } from "./gate-bench.ts";
import { drain, headersOf } from "./hostile-visitors.ts";
import type { MoneyNode } from "./money-node.ts";

/** Attacks that somebody the node trusts has a part in: its facilitator, an address beside its proxies. */

/** How a signature begins that the facilitator believes, whoever made it. */
const BELIEVED = "88".repeat(8);
const NETWORK = "eip155:84532";

export interface Corrupted {
  /** The facilitator says from now on that this wallet paid, and takes nothing. */
  readonly addAccomplice: (address: string) => void;
  /** Whatever this wallet signs is good from now on, and refused when it is to be settled. */
  readonly refuseToSettle: (address: string) => void;
}

/**
 * The facilitator of a shop that trips over contract wallets' signatures, as the official one does, says yes to
 * whatever begins in a certain way, and reports payments of its accomplices as settled that it never sent. Everybody
 * else is served as always.
 */
export function corruptFacilitator({ facilitator }: Pick<MoneyNode, "facilitator">): Corrupted {
  const { script, last } = facilitator;
  const accomplices = new Set<string>();
  const refused = new Set<string>();
  let lies = 0;
  const payerOf = (body: string): string => /"from":"(0x[0-9a-fA-F]{40})"/.exec(body)?.[1]?.toLowerCase() ?? "";
  script.verify = (forward) => {
    const body = last.verify;
    if (body.includes(`"signature":"0x${BELIEVED}`)) return Response.json({ isValid: true, payer: payerOf(body) });
    if (!/"signature":"0x[0-9a-f]{140,}/.test(body)) return forward();
    return Response.json({ error: "Internal Server Error" }, { status: 500 });
  };
  script.settle = (forward) => {
    const payer = payerOf(last.settle);
    if (refused.has(payer)) {
      return Response.json({ success: false, errorReason: "insufficient_funds", transaction: "", network: NETWORK });
    }
    if (!accomplices.has(payer)) return forward();
    lies += 1;
    const transaction = inventTransaction(NETWORK, `lie ${lies}`);
    return Response.json({ success: true, transaction, network: NETWORK, payer });
  };
  return {
    addAccomplice: (address) => void accomplices.add(address.toLowerCase()),
    refuseToSettle: (address) => void refused.add(address.toLowerCase()),
  };
}

export interface InsiderOptions {
  readonly shop: MoneyNode;
  readonly corrupted: Corrupted;
  /** Where the n-th call goes. */
  readonly frontOf: (n: number) => string;
  /** Told of every answer. */
  readonly note: (attack: string, status: number) => void;
}

const forgeIn = async (name: string, signature: string, now_ms: number): Promise<Headers> => {
  const { authorization } = await signPayment({ account: privateKeyToAccount(generatePrivateKey()) }, now_ms);
  return v2Header({ signature, authorization: { ...authorization, from: name } });
};

export function createInsiders({ shop, corrupted, frontOf, note }: InsiderOptions) {
  return {
    /** Asks for the key that somebody just bought, in his name and with signatures that the facilitator believes. */
    async impersonate(victim: string): Promise<void> {
      for (const [n, bytes] of [65, 200].entries()) {
        const forged = await forgeIn(victim, `0x${BELIEVED.padEnd(2 * bytes, "8")}`, shop.clock.now());
        const headers = headersOf(forged, `203.0.113.${n}`);
        const response = await fetch(`${frontOf(n)}/buy-credits`, { headers });
        const is_revealed = (await response.text()).includes("ink_");
        note(is_revealed ? "stolen key" : "impostor", response.status);
      }
    },
    /** Buys without paying: the facilitator says that it took the money. */
    async lie(n: number): Promise<void> {
      const account = privateKeyToAccount(generatePrivateKey());
      corrupted.addAccomplice(account.address);
      const headers = headersOf(v2Header(await signPayment({ account }, shop.clock.now())), `203.0.113.${n}`);
      note("lie", await drain(fetch(`${frontOf(n)}/one`, { headers })));
    },
    /** Goes past the proxies, from an address that is none of them, and says that it is somebody else. */
    async spoof(somebody: string): Promise<void> {
      const forged = await forgeIn(somebody, `0x${"11".repeat(64)}1b`, shop.clock.now());
      const lines = [`X-Forwarded-For: ${somebody}`, `PAYMENT-SIGNATURE: ${forged.get("payment-signature")}`];
      const bad = await askFrom("127.0.0.2", shop.url, [
        "GET /one HTTP/1.1",
        `Host: ${new URL(shop.url).host}`,
        ...lines,
      ]);
      note("spoofed", statusOf(bad));
      const free = ["GET /get-pricing HTTP/1.1", `Host: ${new URL(shop.url).host}`, lines[0] as string];
      // Who is believed to be somebody is limited as he is, and told so.
      note(/^ratelimit:/im.test(await askFrom("127.0.0.2", shop.url, free)) ? "believed" : "not believed", 0);
      // A proxy's own look at the node's health: HTTP/1.0, without a host, from wherever it stands.
      note("health", statusOf(await askFrom("127.0.0.3", shop.url, ["GET /healthz HTTP/1.0"])));
    },
  };
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1] ?? 0);

/** What a request is answered that comes from another address of this machine. */
function askFrom(localAddress: string, url: string, head: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect({ host: hostname, port: Number(port), localAddress }, () =>
      socket.write(`${[...head, "Connection: close"].join("\r\n")}\r\n\r\n`),
    );
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
