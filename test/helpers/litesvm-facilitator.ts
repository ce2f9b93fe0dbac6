import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { x402Facilitator } from "@x402/core/facilitator";
import { SettlementCache, toFacilitatorSvmSigner } from "@x402/svm";
import { ExactSvmScheme } from "@x402/svm/exact/facilitator";
import { ExactSvmSchemeV1 } from "@x402/svm/exact/v1/facilitator";
import type { SolanaEngine } from "./litesvm-engine.ts";

const NETWORK = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

/** The package's type knows only the names of version 2. */
const V1_NAME = "solana" as unknown as typeof NETWORK;

/** What stands between the facilitator and its caller; `forward` lets it do its work. */
export type Between = (forward: () => Promise<Response>) => Promise<Response> | Response;

/** The official facilitator of both versions on an engine, behind HTTP. */
export async function startSolanaFacilitator(engine: SolanaEngine) {
  const key = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1));
  engine.airdrop(key.address);
  const signer = toFacilitatorSvmSigner(key, { defaultRpcUrl: engine.url });
  const create = () => {
    const cache = new SettlementCache();
    return new x402Facilitator()
      .register(NETWORK, new ExactSvmScheme(signer, cache))
      .registerV1(V1_NAME, new ExactSvmSchemeV1(signer, cache));
  };
  let official = create();
  const script: { settle: Between } = { settle: (forward) => forward() };
  const calls = { verify: 0, settle: 0 };
  type Call = Parameters<typeof official.verify>;

  const respond = async (path: string, body: { paymentPayload: Call[0]; paymentRequirements: Call[1] }) => {
    const call: Call = [body.paymentPayload, body.paymentRequirements];
    if (path === "/verify") return Response.json(await official.verify(...call));
    return Response.json(await official.settle(...call));
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/supported") return Response.json(official.getSupported());
      const body = (await request.json()) as Parameters<typeof respond>[1];
      if (pathname === "/verify") calls.verify += 1;
      else calls.settle += 1;
      const forward = () => respond(pathname, body);
      return pathname === "/verify" ? forward() : script.settle(forward);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    address: key.address,
    script,
    calls,
    verify: (...call: Call) => official.verify(...call),
    settle: (...call: Call) => official.settle(...call),
    /** As after a restart: it remembers nothing. */
    forget: () => {
      official = create();
    },
    stop: () => server.stop(true),
  };
}
