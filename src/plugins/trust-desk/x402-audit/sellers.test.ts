import { expect, test } from "bun:test";
import { createRequire } from "node:module";
import type { Server } from "node:net";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { paymentMiddleware as expressPayment } from "x402-express";
import {
  type Ask,
  auditSeller,
  createSeller,
  FAULTY_SELLERS,
  HOST,
  honest,
  PAY_TO,
  USDC,
} from "../../../../test/helpers/audited-sellers.ts";
import { startProductNode } from "../../../../test/helpers/product-node.ts";

test("a seller without a fault is sound, at 100", async () => {
  expect(await auditSeller(createSeller())).toEqual({ verdict: "sound", score: 100, failed: [] });
});

test.each(FAULTY_SELLERS)("a seller that %s is found out, and is worth less", async (_, faults, due) => {
  const { failed, score } = await auditSeller(createSeller(faults));
  expect(failed).toEqual(expect.arrayContaining([...due]));
  expect(score).toBeLessThan(100);
});

const ALGORAND_HASH = "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8";
const BATCHED = { ...honest("eip155:8453"), scheme: "batch-settlement" };

test.each<readonly [string, readonly Readonly<Record<string, unknown>>[]]>([
  ["Polygon", [honest("eip155:137")]],
  ["Polygon, by its name of version 1", [honest("polygon")]],
  ["Avalanche", [honest("eip155:43114")]],
  ["Avalanche, by its name of version 1", [honest("avalanche")]],
  ["Arbitrum", [honest("eip155:42161")]],
  ["Ethereum", [honest("eip155:1")]],
  ["Optimism", [honest("eip155:10")]],
  ["Celo", [honest("eip155:42220")]],
  ["Sei", [honest("eip155:1329")]],
  ["Monad", [honest("eip155:143")]],
  ["XDC", [honest("eip155:50")]],
  ["Base and Polygon", [honest("eip155:8453"), honest("eip155:137")]],
  [
    "every network of the Ethereum family at once",
    ["1", "10", "137", "8453", "42161", "43114"].map((id) => honest(`eip155:${id}`)),
  ],
  ["Solana", [honest("solana")]],
  ["Solana by its id, beside Base", [honest("eip155:8453"), honest("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")]],
  ["Algorand by its whole hash", [honest(`${ALGORAND_HASH}=`)]],
  ["Algorand by its whole hash, cut short", [honest(ALGORAND_HASH)]],
  ["Base in USDC and in EURC", [honest("eip155:8453"), honest("eip155:8453", "EURC")]],
  ["Base by exact, and by batches", [honest("eip155:8453"), BATCHED]],
  ["Base, and a test network beside it", [honest("eip155:84532"), honest("eip155:8453")]],
  ["Stable, in its own dollar", [honest("eip155:988", "USDT0")]],
  ["MegaETH, through Permit2", [honest("eip155:4326", "MegaUSD")]],
])("an honest seller on %s is sound", async (_, accepts) => {
  expect(await auditSeller(createSeller(() => ({ accepts })))).toEqual({ verdict: "sound", score: 100, failed: [] });
});

test.each<readonly [string, Readonly<Record<string, unknown>>]>([
  ["Polygon", { ...honest("eip155:137"), asset: `0x${"7".repeat(40)}` }],
  ["Base, with the contract of Polygon", { ...honest("eip155:137"), network: "eip155:8453" }],
])("a token that takes USDC's name on %s is a trap, also beside the real one", async (_, trap) => {
  const judged = await auditSeller(createSeller(() => ({ accepts: [honest("eip155:8453"), trap] })));
  expect(judged).toMatchObject({ verdict: "unsafe", failed: expect.arrayContaining(["P6"]) });
});

test("a token called USDC on a network without a known one is neither genuine nor a trap", async () => {
  const accepts = [{ network: "eip155:999999999", asset: `0x${"7".repeat(40)}` }];
  expect(await auditSeller(createSeller(() => ({ accepts })))).toMatchObject({ verdict: "caution" });
});

/** The main networks of the sandbox's test networks. */
const MAIN_NETWORKS: readonly (readonly [string, string])[] = [
  ["eip155:84532", "eip155:8453"],
  ["0x036CbD53842c5426634e7929541eC2318f3dCF7e", USDC],
  ['"name":"USDC"', '"name":"USD Coin"'],
  ["solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
  ["4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
  ["algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe", "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k"],
  ["10458941", "31566704"],
];
const onMain = (text: string): string =>
  MAIN_NETWORKS.reduce((said, [test, main]) => said.replaceAll(test, main), text);

/** This node's own answers as they would be behind TLS and on main networks: nothing else of them is changed. */
function createOwnSeller(url: string, public_url: string): Ask {
  const rename = (text: string) => onMain(text).replaceAll(url, public_url);
  return async (path) => {
    const response = await fetch(`${url}${path}`);
    const headers = new Headers(response.headers);
    const sent = headers.get("payment-required");
    if (sent !== null) headers.set("payment-required", btoa(rename(atob(sent))));
    return new Response(rename(await response.text()), { status: response.status, headers });
  };
}

test("this node fails nothing, and is worth more than the official servers", async () => {
  const public_url = "https://node.example.com";
  const node = await startProductNode({ seed_history: false, config: `[node]\npublic_url = "${public_url}"\n` });
  try {
    const own = await auditSeller(createOwnSeller(node.url, public_url), "/mempool", public_url);
    expect(own).toEqual({ verdict: "sound", score: 100, failed: [] });
    const hono = await auditSeller(await createHonoSeller());
    expect(hono.failed).toEqual(["T3", "D1", "D3", "D4", "H3"]);
    const express = await startExpressSeller();
    try {
      const judged = await auditSeller(
        (path) => fetch(`${express.url}${path}`, { headers: PROXIED }),
        "/weather",
        express.host,
      );
      expect(judged.failed).toEqual(["T3", "D1", "D3", "D4", "H3"]);
      expect(own.score).toBeGreaterThan(Math.max(hono.score, judged.score));
    } finally {
      express.stop();
    }
  } finally {
    await node.stop();
  }
});

/** What a proxy with TLS in front of a server says. */
const PROXIED = { accept: "application/json", "x-forwarded-proto": "https" };

/** A seller as the official middleware of version 1 for Express makes one, on the Express it brings. */
async function startExpressSeller() {
  const load = createRequire(require.resolve("x402-express"));
  const app = load("express")();
  app.set("trust proxy", true);
  const description = { description: "Weather.", mimeType: "application/json" };
  app.use(expressPayment(PAY_TO, { "GET /weather": { price: "$0.01", network: "base", config: description } }));
  const server = await new Promise<Server>((resolve) => {
    const started: Server = app.listen(0, "127.0.0.1", () => resolve(started));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const at = `127.0.0.1:${address.port}`;
  return { url: `http://${at}`, host: `https://${at}`, stop: () => server.close() };
}

/** A seller as the official middleware for Hono makes one, behind a facilitator that is never asked anything else. */
async function createHonoSeller(): Promise<Ask> {
  const facilitator = new HTTPFacilitatorClient({ url: "https://facilitator.example" });
  facilitator.getSupported = async () => ({
    kinds: [{ x402Version: 2, scheme: "exact", network: "eip155:8453" }],
    extensions: [],
    signers: {},
  });
  const server = new x402ResourceServer(facilitator).register("eip155:8453", new ExactEvmScheme());
  const app = new Hono();
  const accepts = { scheme: "exact", network: "eip155:8453", payTo: PAY_TO, price: "$0.01" } as const;
  app.use(
    paymentMiddleware({ "GET /weather": { accepts, description: "Weather.", mimeType: "application/json" } }, server),
  );
  app.get("/weather", (context) => context.json({ temperature_c: 21 }));
  return (path) => app.request(`${HOST}${path}`, { headers: { accept: "application/json" } });
}
