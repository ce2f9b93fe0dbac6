import type { PrivateKeyAccount } from "viem/accounts";
import { encodeHeader } from "../src/payments/codec.ts";
import { TRANSFER_WITH_AUTHORIZATION, usdcDomain } from "../src/payments/networks/evm/check-signature.ts";
import { networkById } from "../src/payments/networks/table.ts";
import { createAttacks, drain, uploadSlowly } from "../test/helpers/hostile-visitors.ts";

/**
 * What bench/hostile.ts sends. Started as a program, it sends one window of attacks: in a process of its own, because
 * what the sender is busy with must not look like the node's delay. Its argument is a task as JSON.
 */
const NETWORK = networkById("eip155:84532") as NonNullable<ReturnType<typeof networkById>>;
export const HOSTILE_A_MINUTE = 10_000;
export const ADDRESSES = 20;
/** Of the mixed attacks: each is a forgery, often with a replay, a broken upload, a nested body and free calls. */
const MIXED_A_MINUTE = 700;
/** Mixed attacks between two floods by a pass (100 calls at once), overdrafts (10) and twins. */
const FLOOD_EVERY = 40;
const SLOW_UPLOADS = 10;

export interface Requirement {
  readonly network: string;
  readonly amount: string;
  readonly payTo: string;
}

const newNonce = (): `0x${string}` => `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`;

export async function sign(account: PrivateKeyAccount, accepted: Requirement) {
  const validBefore = Math.floor(Date.now() / 1000) + 280;
  const nonce = newNonce();
  const to = accepted.payTo as `0x${string}`;
  const signature = await account.signTypedData({
    domain: usdcDomain(NETWORK),
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: "TransferWithAuthorization",
    message: {
      from: account.address,
      to,
      value: BigInt(accepted.amount),
      nonce,
      validAfter: 0n,
      validBefore: BigInt(validBefore),
    },
  });
  const authorization = {
    from: account.address,
    to,
    value: accepted.amount,
    nonce,
    validAfter: "0",
    validBefore: `${validBefore}`,
  };
  return { signature: signature as string, authorization };
}
export type Signed = Awaited<ReturnType<typeof sign>>;

export const headerOf = (accepted: Requirement, payload: object): string =>
  encodeHeader({ x402Version: 2, accepted, payload });

/** Twelve ways to be no payment; each call makes another one. */
export function createForgeries(accepted: Requirement, template: Signed, victim: string): (n: number) => string {
  const forge = (signature: string, more: object = {}) =>
    headerOf(accepted, { signature, authorization: { ...template.authorization, nonce: newNonce(), ...more } });
  const kinds: readonly (() => string)[] = [
    () => forge(`0x${"ab".repeat(300)}${"6492".repeat(16)}`),
    () => forge(`0x${"ab".repeat(4_000)}${"6492".repeat(16)}`),
    () => forge(`0x${"11".repeat(64)}1b`),
    () => forge(template.signature),
    () => forge(`0x${"11".repeat(200)}`, { from: victim }),
    () => forge(`0x${"11".repeat(64)}1b`, { from: victim }),
    () => forge(template.signature, { value: "9999" }),
    () => headerOf(accepted, { signature: template.signature, permit2Authorization: template.authorization }),
    () => forge(template.signature, { validBefore: "1700000000" }),
    () => forge(template.signature, { to: victim }),
    () => headerOf({ ...accepted, network: "eip155:1" }, { signature: template.signature }),
    () => "e30=".repeat(200),
  ];
  return (n) => (kinds[n % kinds.length] as () => string)();
}

/** Sends at a fixed rate until told to stop; times count from when a request was due. */
export async function pace(rate: number, until_ms: number, send: (n: number) => Promise<void>): Promise<void> {
  const running: Promise<void>[] = [];
  const from = performance.now();
  for (let n = 0; performance.now() < until_ms; n += 1) {
    const due = from + (n * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    running.push(send(n));
  }
  await Promise.all(running);
}

/** Whoever stands beside honest buyers. */
export const ATTACKS = ["forged", "mixed", "nothing", "heavy", "refused"] as const;
export type Attack = (typeof ATTACKS)[number];
/** "all" is every attack at once, each sent by a process of its own. */
export const KINDS = ["quiet", ...ATTACKS, "all"] as const;
export type Kind = (typeof KINDS)[number];
/** Calls a second of one pass that end uncharged, its connections at heavy work, and those of who is over his limit. */
export const NOTHING_RATE = 40;
export const HEAVY_CONNECTIONS = 60;
export const REFUSED_CONNECTIONS = 60;

export interface Task {
  readonly kind: Attack;
  readonly url: string;
  readonly window_ms: number;
  readonly accepted: Requirement;
  readonly template: Signed;
  /** A wallet that paid before, in whose name is forged. */
  readonly victim: string;
  /** A key without a limit. */
  readonly pass: string;
  /** Somebody's payment, as the chain shows it. */
  readonly public_payment: string;
  readonly offset: number;
}

type Note = (attack: string, status: number) => void;

/** Payments that are none, at a fixed rate. */
async function sendForged({ url, window_ms, accepted, template, victim, offset }: Task, note: Note): Promise<void> {
  const forgery = createForgeries(accepted, template, victim);
  await pace(HOSTILE_A_MINUTE / 60, window_ms + performance.now(), async (n) => {
    const headers = { "PAYMENT-SIGNATURE": forgery(offset + n), "X-Forwarded-For": `203.0.113.${n % ADDRESSES}` };
    const response = await fetch(`${url}/bench`, { headers });
    await response.arrayBuffer();
    note("forgery", response.status);
  });
}

/** All that the hostile hour of test/simulation sends, at its rate. */
async function sendMixed({ url, window_ms, victim, pass, public_payment, offset }: Task, note: Note): Promise<void> {
  const attacks = await createAttacks({
    now: Date.now,
    frontOf: () => url,
    victim,
    pass,
    note,
    getPublicPayment: () => public_payment,
    paths: ["bench", "bench"],
  });
  const slow = Array.from({ length: SLOW_UPLOADS }, () => uploadSlowly(url));
  await pace(MIXED_A_MINUTE / 60, window_ms + performance.now(), async (n) => {
    const more = n % FLOOD_EVERY === 0 ? [attacks.flood(n), attacks.overdraw(n), attacks.twins(offset + n)] : [];
    await Promise.all([attacks.attack(offset + n), ...more]);
  });
  for (const socket of slow) socket.destroy();
}

/** One pass whose calls find nothing to charge for. */
async function sendNothing({ url, window_ms, pass }: Task, note: Note): Promise<void> {
  const headers = { "X-API-Key": pass, "X-Forwarded-For": "203.0.113.1" };
  await pace(NOTHING_RATE, window_ms + performance.now(), async (n) => {
    const response = await fetch(`${url}/bench-nothing?q=${n}`, { headers });
    await response.arrayBuffer();
    note("nothing", response.status);
  });
}

/** Many connections, each sending its next call as soon as the last one is answered. */
async function sendOnAll(connections: number, window_ms: number, send: (name: string) => Promise<void>): Promise<void> {
  const end = window_ms + performance.now();
  const loop = async (connection: number): Promise<void> => {
    for (let n = 0; performance.now() < end; n += 1) await send(`${connection}-${n}`);
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => loop(connection)));
}

/** One pass, always asking for heavy work. */
async function sendHeavy({ url, window_ms, pass }: Task, note: Note): Promise<void> {
  const headers = { "X-API-Key": pass, "X-Forwarded-For": "203.0.113.2" };
  await sendOnAll(HEAVY_CONNECTIONS, window_ms, async (name) => {
    note("heavy", await drain(fetch(`${url}/bench-heavy?q=${name}`, { headers })));
  });
}

/** One address that pays nothing, soon over its limit, and goes on as if it had not been told. */
async function sendRefused({ url, window_ms }: Task, note: Note): Promise<void> {
  const headers = { "X-Forwarded-For": "203.0.113.200" };
  await sendOnAll(REFUSED_CONNECTIONS, window_ms, async () => {
    note("refused", await drain(fetch(`${url}/bench`, { headers })));
  });
}

const SENDERS = {
  forged: sendForged,
  mixed: sendMixed,
  nothing: sendNothing,
  heavy: sendHeavy,
  refused: sendRefused,
} as const;

/** Prints how many were answered with which status. */
async function send(task: Task): Promise<void> {
  const statuses: Record<string, number> = {};
  const note: Note = (attack, status) => {
    const name = `${attack} ${status}`;
    statuses[name] = (statuses[name] ?? 0) + 1;
  };
  console.log("sending");
  await SENDERS[task.kind](task, note);
  console.log(JSON.stringify(statuses));
}

if (import.meta.main) await send(JSON.parse(process.argv[2] ?? ""));
