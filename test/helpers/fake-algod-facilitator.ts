import { toFacilitatorAvmSigner } from "@x402/avm";
import { ExactAvmScheme } from "@x402/avm/exact/facilitator";
import { x402Facilitator } from "@x402/core/facilitator";
import { createAlgorandTestPayer } from "../../src/sandbox/test-payer-algorand.ts";
import { ALGORAND, type FakeAlgod } from "./fake-algod.ts";

/** What stands between the facilitator and its caller; `forward` lets it do its work. */
export type Between = (forward: () => Promise<Response>) => Promise<Response> | Response;

/**
 * The official facilitator on a fake network, behind HTTP.
 * @param spelling how it writes the network's id
 * @param tag what it names in its kind, if anything
 */
export async function startAlgorandFacilitator(algod: FakeAlgod, spelling: string = ALGORAND, tag?: string) {
  const { address, secret } = await createAlgorandTestPayer(new Uint8Array(32).fill(1));
  const signer = toFacilitatorAvmSigner(Buffer.from(secret).toString("base64"), { mainnetUrl: algod.url });
  const id = spelling as typeof ALGORAND;
  const official = new x402Facilitator().register(id, new ExactAvmScheme(signer));
  const script: { settle: Between } = { settle: (forward) => forward() };
  const calls = { verify: 0, settle: 0 };
  /** Networks in the requirements it was sent. */
  const networks: string[] = [];
  type Call = Parameters<typeof official.verify>;

  const supported = () => {
    const { kinds, ...rest } = official.getSupported();
    if (tag === undefined) return { kinds, ...rest };
    return { kinds: kinds.map((kind) => ({ ...kind, extra: { ...kind.extra, tag } })), ...rest };
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/supported") return Response.json(supported());
      const { paymentPayload, paymentRequirements } = (await request.json()) as {
        paymentPayload: Call[0];
        paymentRequirements: Call[1];
      };
      const call: Call = [paymentPayload, paymentRequirements];
      networks.push(paymentRequirements.network, paymentPayload.accepted.network);
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
    address,
    script,
    calls,
    networks,
    verify: (...call: Call) => official.verify(...call),
    settle: (...call: Call) => official.settle(...call),
    stop: () => server.stop(true),
  };
}
