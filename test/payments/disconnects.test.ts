import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { until } from "../helpers/hang-limit.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, type Payer, payFor } from "../helpers/payers.ts";

const [BASE] = PAYERS;
if (!BASE) throw new Error("no payer");
const { newPayer } = BASE;

let money: MoneyNode;
let payer: Payer;
let url: string;
beforeEach(async () => {
  money = await startMoneyNode();
  payer = await newPayer(money.url);
  url = `${money.url}/one`;
});
afterEach(() => money.stop());

type Step = "before verify" | "between verify and settle" | "while it is settled";

/** Holds the node at a step until told to go on. */
function holdAt(step: Step) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const wait = async () => {
    reached.resolve();
    await released.promise;
  };
  const { script } = money.facilitator;
  if (step === "before verify") {
    script.verify = async (forward) => {
      await wait();
      return forward();
    };
  } else if (step === "between verify and settle") money.work.produce = wait;
  else {
    script.settle = async (forward) => {
      await wait();
      return forward();
    };
  }
  return { reached: reached.promise, release: () => released.resolve() };
}

const door = async (headers: Record<string, string>): Promise<Record<string, unknown>> => {
  const [text = ""] = Object.values(headers);
  const { authorization } = JSON.parse(atob(text)).payload;
  const key = `evm:84532:0x036CbD53842c5426634e7929541eC2318f3dCF7e:${authorization.from}:${authorization.nonce}`;
  const answer = await fetch(`${money.url}/payments/${encodeURIComponent(key.toLowerCase())}`, { headers });
  return (await answer.json()) as Record<string, unknown>;
};

/** What the ledger says once nothing is in flight any more. */
async function ended(headers: Record<string, string>): Promise<Record<string, unknown>> {
  for (;;) {
    const told = await door(headers);
    if (told.state !== "in_progress") return told;
    await Bun.sleep(5);
  }
}

describe.each<Step>(["before verify", "between verify and settle", "while it is settled"])(
  "a buyer who hangs up %s",
  (step) => {
    const leave = async () => {
      const headers = await payFor(url, payer, 2);
      const held = holdAt(step);
      const hangUp = new AbortController();
      const call = fetch(url, { headers, signal: hangUp.signal }).catch((error: unknown) => error);
      await held.reached;
      hangUp.abort();
      expect(await call).toBeInstanceOf(Error);
      held.release();
      return headers;
    };

    test("finds his answer at the recovery door", async () => {
      const headers = await leave();
      expect(await ended(headers)).toMatchObject({ state: "settled", product: "one", answer: { product: "one" } });
      expect(money.settlements()).toBe(1);
      expect(await money.node.audit()).toMatchObject({ ok: true, receipts: 1 });
    });

    test("gets it by sending the same payment again, at once or later", async () => {
      const headers = await leave();
      const again = await fetch(url, { headers });
      expect(again.status).toBe(200);
      expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
      expect(money.settlements()).toBe(1);
      expect(money.facilitator.calls).toMatchObject({ verify: 1, settle: 1 });
    });

    test("gets it by signing a new payment, which is not settled", async () => {
      await leave();
      await until(async () => (await money.node.audit()).payments.settled === 1, "the settlement");
      // Longer than the guard against double calls: he is remembered because nobody was there to take the answer.
      money.clock.advance(120_000);
      const fresh = await fetch(url, { headers: await payFor(url, payer, 2) });
      expect(fresh.status).toBe(200);
      expect(fresh.headers.get("X-Duplicate-Payment-Avoided")).toBe("true");
      expect(money.settlements()).toBe(1);
      expect(await money.node.audit()).toMatchObject({ ok: true, receipts: 1 });
    });
  },
);

test("a buyer who hangs up at the first byte of his answer finds the whole of it again", async () => {
  const headers = await payFor(url, payer, 2);
  const { hostname, port } = new URL(url);
  const left = Promise.withResolvers<void>();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(`GET /one HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${lines.join("")}\r\n`),
      data: (socket) => {
        socket.terminate();
        left.resolve();
      },
    },
  });
  await left.promise;
  expect(await ended(headers)).toMatchObject({ state: "settled", answer: { product: "one" } });
  expect((await fetch(url, { headers })).status).toBe(200);
  expect(money.settlements()).toBe(1);
});
