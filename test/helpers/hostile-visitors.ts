import { connect, type Socket } from "node:net";
import { serializeErc6492Signature } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { signPayment, v2Header } from "./gate-bench.ts";

/** What strangers with a shell send to a shop, each from an address of its own. */
const ADDRESSES = 20;
/** Bytes of JSON that is nothing but brackets. */
const NESTED = 100_000;

const attackerOf = (n: number): string => `203.0.113.${n % ADDRESSES}`;
export const headersOf = (headers: Headers, ip: string): Record<string, string> => ({
  ...Object.fromEntries(headers),
  "X-Forwarded-For": ip,
});

/** Payments that are none, of ten kinds. */
async function createForgeries(now: () => number, victim: string): Promise<(n: number) => Headers> {
  let count = 0;
  const account = privateKeyToAccount(generatePrivateKey());
  const template = await signPayment({ account }, now());
  const forge = (signature: string, more: object = {}) => {
    const nonce = `0x${(count++).toString(16).padStart(64, "0")}`;
    const validBefore = String(Math.floor(now() / 1000) + 280);
    return v2Header({ signature, authorization: { ...template.authorization, nonce, validBefore, ...more } });
  };
  const wrapped = serializeErc6492Signature({
    address: `0x${"22".repeat(20)}`,
    data: "0xabcdef",
    signature: `0x${"11".repeat(65)}`,
  });
  const kinds: readonly (() => Headers)[] = [
    () => forge(`0x${"ab".repeat(300)}${"6492".repeat(16)}`),
    () => forge(wrapped),
    () => forge(`0x${"11".repeat(64)}1b`),
    () => forge(template.signature),
    () => forge(`0x${"11".repeat(1_000)}`),
    () => forge(`0x${"11".repeat(64)}1b`, { from: victim }),
    () => forge(`0x${"11".repeat(200)}`, { from: victim }),
    () => forge(template.signature, { value: "9999" }),
    () => v2Header({ signature: template.signature, permit2Authorization: template.authorization }),
    () => new Headers({ "payment-signature": "e30=".repeat(200) }),
  ];
  return (n) => (kinds[n % kinds.length] as () => Headers)();
}

/** An upload that breaks off in the middle. */
const breakOff = (front: string, path: string): Promise<void> => {
  const { port } = new URL(front);
  const done = Promise.withResolvers<void>();
  const socket = connect(Number(port), "127.0.0.1", () => {
    socket.write(`POST /${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`);
    socket.write('Content-Length: 500\r\n\r\n{"q":"');
    socket.destroySoon();
  });
  socket.on("close", () => done.resolve());
  socket.on("error", () => done.resolve());
  return done.promise;
};

/** An upload of which a byte comes when its sender likes; the socket is for the sender to end. */
export const uploadSlowly = (front: string): Socket => {
  const { port } = new URL(front);
  const socket = connect(Number(port), "127.0.0.1", () => {
    socket.write(`POST /quote HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`);
    socket.write("Content-Length: 500\r\n\r\n{");
  });
  socket.on("error", () => undefined);
  return socket;
};

export const drain = async (work: Promise<Response>): Promise<number> => {
  const response = await work;
  await response.arrayBuffer();
  return response.status;
};

export interface AttackOptions {
  readonly now: () => number;
  /** Where the n-th call goes. */
  readonly frontOf: (n: number) => string;
  /** A payer who paid before, and whose name is abused. */
  readonly victim: string;
  /** A key without a limit, held by one who wants to keep others from being served. */
  readonly pass: string;
  /** Told of every answer. */
  readonly note: (attack: string, status: number) => void;
  /** What somebody else paid with, as anybody may read it from the chain; empty before there is one. */
  readonly getPublicPayment: () => string;
  /** Two products of one price, without their slash. */
  readonly paths?: readonly [string, string];
}

/** Ways to attack; each call of one is another request, or many. */
export async function createAttacks(options: AttackOptions) {
  const { now, frontOf, victim, pass, note, getPublicPayment, paths = ["one", "two"] } = options;
  const [one, two] = paths;
  const forgeryOf = await createForgeries(now, victim);
  const poor = privateKeyToAccount(generatePrivateKey());
  const attack = async (n: number): Promise<void> => {
    const front = frontOf(n);
    // Every eleventh is one of a crowd in one /64; every seventh says that it is somebody else.
    const own = n % 11 === 0 ? `2001:db8::${n.toString(16)}` : attackerOf(n);
    const ip = n % 7 === 0 ? `${"9.9.9.9, ".repeat(200)}${own}` : own;
    const from = { "X-Forwarded-For": own };
    const path = [one, two, "buy-credits"][n % 3];
    note("forgery", await drain(fetch(`${front}/${path}`, { headers: headersOf(forgeryOf(n), ip) })));
    if (n % 3 === 0) note("free", await drain(fetch(`${front}/get-pricing`, { headers: from })));
    if (n % 10 === 0) await breakOff(front, one);
    if (n % 20 === 0) {
      const body = "[".repeat(NESTED);
      const headers = { ...from, "Content-Type": "application/json" };
      note("nested", await drain(fetch(`${front}/quote`, { method: "POST", headers, body })));
      note("health", await drain(fetch(`${front}/healthz`, { headers: from })));
    }
    const rebuilt = getPublicPayment();
    if (n % 5 === 0 && rebuilt !== "") {
      const headers = { ...from, "PAYMENT-SIGNATURE": rebuilt };
      note("replay", await drain(fetch(`${front}/${one}`, { headers })));
    }
  };
  const flood = (n: number) =>
    Promise.all(
      Array.from({ length: 100 }, async () => {
        const headers = { "X-API-Key": pass, "X-Forwarded-For": "203.0.113.99" };
        note("pass", await drain(fetch(`${frontOf(n)}/${two}`, { headers })));
      }),
    );
  const twins = async (n: number) => {
    const headers = { "X-API-Key": pass, "X-Forwarded-For": "203.0.113.99", "Idempotency-Key": `twin-${n}` };
    const pair = [0, 1].map((side) => drain(fetch(`${frontOf(side)}/${two}`, { headers })));
    for (const status of await Promise.all(pair)) note("twin", status);
  };
  const overdraw = (n: number) =>
    Promise.all(
      Array.from({ length: 10 }, async () => {
        const headers = headersOf(
          v2Header(await signPayment({ account: poor, value: 9_999_999n }, now())),
          "203.0.113.98",
        );
        note("overdrawn", await drain(fetch(`${frontOf(n)}/${one}`, { headers })));
      }),
    );
  return { attack, flood, twins, overdraw };
}
