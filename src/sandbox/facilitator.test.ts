import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { FacilitatorTimeoutError } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { x402Client } from "@x402/fetch";
import type { PrivateKeyAccount } from "viem/accounts";
import { wrapFetchWithPayment as wrapFetchV1 } from "x402-fetch";
import { until } from "../../test/helpers/hang-limit.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { createSandbox } from "./index.ts";
import { createTestPayer } from "./test-payer.ts";

// The official clients sign with the system's time.
const clock = createStillClock(Date.now());
const sandbox = await createSandbox({ seed: "s", clock, simulators: [] });
afterAll(() => sandbox.stop());

const NETWORK = "eip155:84532";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const REQUIREMENT = {
  scheme: "exact",
  network: NETWORK,
  amount: "10000",
  asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { name: "USDC", version: "2" },
} as const;

let payers = 0;
const newPayer = () => createTestPayer(`facilitator ${payers++}`);
const client = (url = sandbox.facilitatorUrl(), timeoutMs = 5_000) => new HTTPFacilitatorClient({ url, timeoutMs });

async function control(path: string, body?: unknown): Promise<Record<string, unknown>> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await sandbox.handleControl(new Request(`http://localhost/__sandbox${path}`, init));
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}
const setMode = (mode: object) => control("/facilitator", mode);
const readCalls = async () => {
  const { supported_calls, verify_calls, settle_calls } = await control("/facilitator");
  return [Number(supported_calls), Number(verify_calls), Number(settle_calls)] as const;
};

/** A payment made by the official version 2 client, with its requirement. */
async function pay(account?: PrivateKeyAccount) {
  const signer = account ?? (await newPayer());
  const payment = await new x402Client().register("eip155:*", new ExactEvmScheme(signer)).createPaymentPayload({
    x402Version: 2,
    resource: { url: "http://localhost/x" },
    accepts: [{ ...REQUIREMENT }],
  });
  return { payer: signer.address, call: [payment, { ...REQUIREMENT }] as const };
}
/** What the official version 1 client puts into X-PAYMENT. */
async function payV1(account: PrivateKeyAccount, requirement: object): Promise<unknown> {
  let header: string | null = null;
  const shop = async (...[, init]: Parameters<typeof fetch>) => {
    header ??= new Headers(init?.headers).get("X-PAYMENT");
    return header === null
      ? Response.json({ x402Version: 1, error: "pay", accepts: [requirement] }, { status: 402 })
      : new Response("sold");
  };
  const given = [Object.assign(shop, { preconnect: () => undefined }), account] as unknown;
  const response = await wrapFetchV1(...(given as Parameters<typeof wrapFetchV1>))("http://localhost/x");
  expect(await response.text()).toBe("sold");
  return JSON.parse(Buffer.from(header ?? "", "base64").toString());
}
const FEE_PAYER = { feePayer: "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9" };
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
const countSettled = async (payer: string): Promise<number> => {
  const { settlements } = await control("/chain");
  return (settlements as { payer: string }[]).filter((one) => one.payer === payer.toLowerCase()).length;
};

beforeEach(async () => {
  await setMode({});
});

describe("the facilitator, called by the official client,", () => {
  test("lists its networks in every protocol version they have", async () => {
    expect(await client().getSupported()).toMatchObject({
      kinds: expect.arrayContaining([
        { x402Version: 2, scheme: "exact", network: NETWORK },
        { x402Version: 1, scheme: "exact", network: "base-sepolia" },
        { x402Version: 2, scheme: "exact", network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", extra: FEE_PAYER },
        { x402Version: 1, scheme: "exact", network: "solana-devnet", extra: FEE_PAYER },
      ]),
      extensions: [],
      signers: { "eip155:*": [expect.stringMatching(/^0x[0-9a-fA-F]{40}$/)] },
    });
  });

  test("verifies a payment without moving money, then settles it once", async () => {
    const { payer, call } = await pay();
    expect(await client().verify(...call)).toMatchObject({ isValid: true, payer });
    expect(await countSettled(payer)).toBe(0);
    const settled = await client().settle(...call);
    expect(settled).toMatchObject({ success: true, network: NETWORK, payer });
    expect(settled.transaction).toMatch(/^0x[0-9a-f]{64}$/);
    const again = await client().settle(...call);
    expect(again).toMatchObject({ success: false, errorReason: "invalid_exact_evm_nonce_already_used" });
    expect(again.transaction).toBe("");
    expect(await countSettled(payer)).toBe(1);
  });

  test("takes a payment of the official version 1 client", async () => {
    const account = await newPayer();
    const { amount, ...rest } = REQUIREMENT;
    const described = { resource: "http://localhost/x", description: "", mimeType: "" } as const;
    const requirement = { ...rest, ...described, network: "base-sepolia", maxAmountRequired: amount } as const;
    const paymentPayload = await payV1(account, requirement);
    const init = {
      method: "POST",
      body: JSON.stringify({ x402Version: 1, paymentPayload, paymentRequirements: requirement }),
    };
    const url = sandbox.facilitatorUrl();
    expect(await (await fetch(`${url}/verify`, init)).json()).toMatchObject({ isValid: true });
    expect(await (await fetch(`${url}/settle`, init)).json()).toMatchObject({ success: true, network: "base-sepolia" });
    expect(await countSettled(account.address)).toBe(1);
  });

  test("counts every call, refused ones too", async () => {
    const [supported, verified, settled] = await readCalls();
    const { call } = await pay();
    await client().getSupported();
    await client().verify(...call);
    await client().settle(...call);
    await client().settle(...call);
    expect(await readCalls()).toEqual([supported + 1, verified + 1, settled + 2]);
  });

  test("knows only its own networks, each version by its own name", async () => {
    const { call } = await pay();
    for (const network of ["eip155:8453", "base-sepolia"] as const) {
      const requirement = { ...call[1], network: network as typeof NETWORK };
      expect(await client().verify(call[0], requirement)).toMatchObject({ invalidReason: "invalid_network" });
      expect(await client().settle(call[0], requirement)).toMatchObject({ errorReason: "invalid_network" });
    }
  });
});

describe("told to, verify", () => {
  test("rejects with the reason given, whatever the payment", async () => {
    await setMode({ verify: "reject:insufficient_funds" });
    const { call, payer } = await pay();
    expect(await client().verify(...call)).toEqual({
      isValid: false,
      invalidReason: "insufficient_funds",
      payer,
    });
  });

  test("never answers", async () => {
    const { call } = await pay();
    await setMode({ verify: "timeout" });
    const failure = await failureOf(client(undefined, 40).verify(...call));
    expect(failure).toBeInstanceOf(FacilitatorTimeoutError);
    await setMode({});
    expect(await client().verify(...call)).toMatchObject({ isValid: true });
  });

  test.each(["http500", "garbage"])("answers with %s, which no client takes for a word", async (verify) => {
    await setMode({ verify });
    const { call } = await pay();
    await expect(client().verify(...call)).rejects.toThrow();
    const body = JSON.stringify({ paymentPayload: call[0], paymentRequirements: call[1] });
    const response = await fetch(`${sandbox.facilitatorUrl()}/verify`, { method: "POST", body });
    expect(response.status).toBe(verify === "http500" ? 500 : 200);
    const text = await response.text();
    expect(() => JSON.parse(text)).toThrow();
  });
});

describe("told to, settle", () => {
  test("fails with the reason given and moves nothing", async () => {
    await setMode({ settle: "fail:insufficient_funds" });
    const { call, payer } = await pay();
    expect(await client().settle(...call)).toMatchObject({
      success: false,
      errorReason: "insufficient_funds",
      transaction: "",
      network: NETWORK,
    });
    expect(await countSettled(payer)).toBe(0);
  });

  test.each([
    ["timeout_before_settling", 0],
    ["timeout_after_settling", 1],
  ] as const)("does %s", async (settle, settled) => {
    const { call, payer } = await pay();
    await client().verify(...call);
    await setMode({ settle });
    const failure = await failureOf(client(undefined, 150).settle(...call));
    expect(failure).toBeInstanceOf(FacilitatorTimeoutError);
    // On a slow machine the client may leave before the money moved.
    await until(async () => (await countSettled(payer)) >= settled, "the money to move");
    expect(await countSettled(payer)).toBe(settled);
    await setMode({});
    expect((await client().settle(...call)).success).toBe(settled === 0);
    expect(await countSettled(payer)).toBe(1);
  });

  test.each([
    ["http500_after_settling", 1],
    ["garbage", 0],
  ] as const)("answers with %s", async (settle, settled) => {
    await setMode({ settle });
    const { call, payer } = await pay();
    expect(await failureOf(client().settle(...call))).toBeInstanceOf(Error);
    expect(await countSettled(payer)).toBe(settled);
  });
});

describe("a mode", () => {
  test("with a number of times ends after as many calls of its kind", async () => {
    await setMode({ settle: "fail:x", times: 2 });
    const { call } = await pay();
    const outcomes: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      outcomes.push((await client().verify(...call)).isValid, (await client().settle(...call)).success);
    }
    expect(outcomes).toEqual([true, false, true, false, true, true]);
    const mode = { verify: "ok", settle: "ok", delay_ms: 0, times: null, dead: false };
    expect(await control("/facilitator")).toMatchObject({ mode });
  });

  test("for verify is not used up by settle", async () => {
    const { call } = await pay();
    await setMode({ verify: "reject:x", times: 1 });
    expect(await client().settle(...call)).toMatchObject({ success: true });
    expect(await client().verify(...call)).toMatchObject({ invalidReason: "x" });
  });

  test("is shown, and members left out go back to normal", async () => {
    const mode = { verify: "reject:a", settle: "garbage", delay_ms: 5, times: 3, dead: false };
    expect(await setMode(mode)).toMatchObject({ mode });
    expect(await setMode({ settle: "garbage" })).toMatchObject({
      mode: { verify: "ok", settle: "garbage", delay_ms: 0, times: null, dead: false },
    });
  });

  test("with a delay gives the answer late", async () => {
    const { call } = await pay();
    await setMode({ delay_ms: 300 });
    const early = await failureOf(client(undefined, 30).verify(...call));
    expect(early).toBeInstanceOf(FacilitatorTimeoutError);
    expect(await client().verify(...call)).toMatchObject({ isValid: true });
  });

  test("of a dead facilitator fails every call without JSON", async () => {
    await setMode({ dead: true });
    const { call, payer } = await pay();
    const response = await fetch(`${sandbox.facilitatorUrl()}/supported`);
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(() => JSON.parse(text)).toThrow();
    expect(await failureOf(client().verify(...call))).toBeInstanceOf(Error);
    expect(await failureOf(client().settle(...call))).toBeInstanceOf(Error);
    expect(await countSettled(payer)).toBe(0);
  });
});

describe("several facilitators", () => {
  test("have modes and counts of their own, and one chain", async () => {
    await setMode({ name: "second", dead: true });
    const { call, payer } = await pay();
    expect(await failureOf(client(sandbox.facilitatorUrl("second")).verify(...call))).toMatchObject({
      message: expect.stringContaining("503"),
    });
    await setMode({ name: "second" });
    expect(await client().settle(...call)).toMatchObject({ success: true });
    expect(await client(sandbox.facilitatorUrl("second")).settle(...call)).toMatchObject({
      errorReason: "invalid_exact_evm_nonce_already_used",
    });
    expect(await control("/facilitator?name=second")).toMatchObject({ verify_calls: 1, settle_calls: 1 });
    expect(await countSettled(payer)).toBe(1);
  });

  test("the one without a name is main", async () => {
    const [supported] = await readCalls();
    await client(`${sandbox.url}/facilitator`).getSupported();
    expect((await readCalls())[0]).toBe(supported + 1);
  });
});
