import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/facilitator";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/facilitator";
import { UptoEvmScheme } from "@x402/evm/upto/facilitator";
import { createWalletClient, http, publicActions } from "viem";
import type { Anvil } from "./anvil.ts";

const NETWORK = "eip155:8453";
/** The package's type knows only the names of version 2. */
const V1_NAME = "base" as unknown as typeof NETWORK;

/** What stands between the facilitator and its caller; `forward` lets it do its work. */
export type Between = (forward: () => Promise<Response>) => Promise<Response> | Response;

/** The unmodified official facilitator of both versions on an Anvil, behind HTTP. */
export async function startEvmFacilitator(anvil: Anvil, factories: readonly string[] = []) {
  const { account } = await anvil.newAccount(10n ** 18n);
  const options = { account, chain: anvil.reader.chain, transport: http(anvil.url), pollingInterval: 20 };
  const client = createWalletClient(options).extend(publicActions);
  type Signer = Parameters<typeof toFacilitatorEvmSigner>[0];
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    getCode: (args) => client.getCode(args),
    readContract: (args) => client.readContract(args as Parameters<typeof client.readContract>[0]),
    verifyTypedData: (args) => client.verifyTypedData(args as Parameters<typeof client.verifyTypedData>[0]),
    writeContract: (args) => client.writeContract(args as Parameters<typeof client.writeContract>[0]),
    sendTransaction: (args) => client.sendTransaction(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt({ ...args, pollingInterval: 20 }),
  } as Signer);
  const config = { eip6492AllowedFactories: [...factories] };
  const official = new x402Facilitator()
    .register(NETWORK, new ExactEvmScheme(signer, config))
    .register(NETWORK, new BatchSettlementEvmScheme(signer))
    .register(NETWORK, new UptoEvmScheme(signer))
    .registerV1(V1_NAME, new ExactEvmSchemeV1(signer));
  const script: { settle: Between } = { settle: (forward) => forward() };
  const calls = { verify: 0, settle: 0 };
  type Call = Parameters<typeof official.verify>;

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/supported") return Response.json(official.getSupported());
      const body = (await request.json()) as { paymentPayload: Call[0]; paymentRequirements: Call[1] };
      const call: Call = [body.paymentPayload, body.paymentRequirements];
      if (pathname === "/verify") {
        calls.verify += 1;
        return Response.json(await official.verify(...call));
      }
      calls.settle += 1;
      return script.settle(async () => Response.json(await official.settle(...call)));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    address: account.address,
    script,
    calls,
    verify: (...call: Call) => official.verify(...call),
    settle: (...call: Call) => official.settle(...call),
    stop: () => server.stop(true),
  };
}
