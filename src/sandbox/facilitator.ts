import { Type } from "@sinclair/typebox";
import { createReader } from "../payments/codec.ts";
import type { SandboxChain } from "./chains/types.ts";
import { inventTransaction } from "./invent-transaction.ts";
import { waitForHangUp } from "./wait-for-hang-up.ts";

export interface FacilitatorCalls {
  readonly supported_calls: number;
  readonly verify_calls: number;
  readonly settle_calls: number;
}

export interface FacilitatorMode {
  readonly verify: string;
  readonly settle: string;
  readonly delay_ms: number;
  /** Number of calls in this mode, then all is normal; null = every call. A dead facilitator counts all three calls. */
  readonly times: number | null;
  readonly dead: boolean;
}

/** One facilitator behind HTTP, whose behaviour is set over the control door. */
export interface SandboxFacilitator {
  handle(request: Request, path: string): Promise<Response>;
  calls(): FacilitatorCalls;
  mode(): FacilitatorMode;
  /** Members left out go back to normal. Throws RangeError for an unknown word. */
  setMode(mode: { [Name in keyof FacilitatorMode]?: FacilitatorMode[Name] | undefined }): void;
}

const VERIFY_MODES = /^(ok|reject:[A-Za-z0-9_.:-]{1,80}|timeout|http500|garbage)$/;
/** `lie`: reports a settlement with a transaction although it settled nothing. */
const SETTLE_MODES =
  /^(ok|lie|fail:[A-Za-z0-9_.:-]{1,80}|timeout_before_settling|timeout_after_settling|http500_after_settling|garbage)$/;
const NORMAL: FacilitatorMode = { verify: "ok", settle: "ok", delay_ms: 0, times: null, dead: false };
/** After this time even a caller who never hangs up is released. */
const HOLD_MS_MAX = 120_000;

const readCall = createReader(
  Type.Object({
    paymentPayload: Type.Object({ x402Version: Type.Integer() }),
    paymentRequirements: Type.Object({ network: Type.String() }),
  }),
);
type Call = NonNullable<ReturnType<typeof readCall>>;

const hold = (signal: AbortSignal): Promise<void> => waitForHangUp(signal, HOLD_MS_MAX);
const garbage = () => new Response("<<< not json >>>", { headers: { "content-type": "text/plain" } });
const broken = () => new Response("Internal Server Error", { status: 500 });
const gone = () => new Response("no backend", { status: 503 });
const reasonOf = (mode: string): string => mode.slice(mode.indexOf(":") + 1);
const failed = (errorReason: string, network: string) =>
  Response.json({ success: false, errorReason, transaction: "", network });

/** The body of a verify or settle; null when the text is not such a body. */
async function readRequest(request: Request): Promise<Call | null> {
  try {
    return readCall(await request.json());
  } catch {
    // Text that is not JSON is answered like any other faulty body.
    return null;
  }
}

export function createSandboxFacilitator({ chains }: { chains: readonly SandboxChain[] }): SandboxFacilitator {
  let mode = NORMAL;
  const counts = { supported_calls: 0, verify_calls: 0, settle_calls: 0 };

  const supported = (): Response =>
    Response.json({
      kinds: chains.flatMap((chain) => chain.supportedKinds()),
      extensions: [],
      signers: Object.assign({}, ...chains.map((chain) => chain.signers())),
    });
  /** Version 1 names a network by its short name, version 2 by its CAIP-2 id; each kind knows only its own. */
  const chainOf = ({ paymentPayload: { x402Version }, paymentRequirements: { network } }: Call) =>
    chains.find((chain) =>
      chain.supportedKinds().some((kind) => kind.x402Version === x402Version && kind.network === network),
    );
  /** The mode for this call; a counted mode goes back to normal by itself. */
  const takeMode = (): FacilitatorMode => {
    const current = mode;
    if (current.times !== null) mode = current.times <= 1 ? NORMAL : { ...current, times: current.times - 1 };
    return current;
  };

  async function verify(call: Call, { verify: wanted }: FacilitatorMode, signal: AbortSignal): Promise<Response> {
    if (wanted === "timeout") await hold(signal);
    if (wanted === "http500") return broken();
    if (wanted === "garbage") return garbage();
    const chain = chainOf(call);
    if (!chain) return Response.json({ isValid: false, invalidReason: "invalid_network" });
    const result = await chain.verify(call.paymentPayload, call.paymentRequirements);
    if (!wanted.startsWith("reject:")) return Response.json(result);
    return Response.json({ isValid: false, invalidReason: reasonOf(wanted), payer: result.payer });
  }

  async function settle(call: Call, { settle: wanted }: FacilitatorMode, signal: AbortSignal): Promise<Response> {
    const { network } = call.paymentRequirements;
    if (wanted === "timeout_before_settling") {
      await hold(signal);
      return gone();
    }
    if (wanted === "garbage") return garbage();
    if (wanted.startsWith("fail:")) return failed(reasonOf(wanted), network);
    const chain = chainOf(call);
    if (!chain) return failed("invalid_network", network);
    if (wanted === "lie") return lie(call, chain);
    const result = await chain.settle(call.paymentPayload, call.paymentRequirements);
    if (wanted === "timeout_after_settling") {
      await hold(signal);
      return gone();
    }
    // The network, named as the caller's protocol version names it.
    return wanted === "http500_after_settling" ? broken() : Response.json({ ...result, network });
  }

  async function lie(call: Call, chain: SandboxChain): Promise<Response> {
    const { network } = call.paymentRequirements;
    const { isValid, invalidReason, payer } = await chain.verify(call.paymentPayload, call.paymentRequirements);
    if (!isValid) return failed(invalidReason ?? "refused", network);
    const transaction = inventTransaction(chain.network, `${counts.settle_calls} ${JSON.stringify(call)}`);
    return Response.json({ success: true, transaction, network, payer });
  }

  return {
    calls: () => ({ ...counts }),
    mode: () => mode,
    setMode(wanted) {
      const { verify: v = "ok", settle: s = "ok", delay_ms = 0, times = null, dead = false } = wanted;
      if (!VERIFY_MODES.test(v)) throw new RangeError(`verify: "${v}" is no mode`);
      if (!SETTLE_MODES.test(s)) throw new RangeError(`settle: "${s}" is no mode`);
      mode = { verify: v, settle: s, delay_ms, times, dead };
    },
    async handle(request, path) {
      if (path === "/supported") counts.supported_calls += 1;
      if (path === "/verify") counts.verify_calls += 1;
      if (path === "/settle") counts.settle_calls += 1;
      if (mode.dead) {
        takeMode();
        return gone();
      }
      if (path === "/supported") return supported();
      if (request.method !== "POST" || (path !== "/verify" && path !== "/settle")) {
        return new Response("Not Found", { status: 404 });
      }
      // A settle does not use up a mode for verify, nor the reverse.
      const concerned =
        path === "/verify"
          ? mode.verify !== "ok" || mode.settle === "ok"
          : mode.settle !== "ok" || mode.verify === "ok";
      const current = concerned ? takeMode() : mode;
      if (current.delay_ms > 0) await Bun.sleep(current.delay_ms);
      const call = await readRequest(request);
      if (!call) return Response.json({ error: "not a verify or settle call" }, { status: 400 });
      return path === "/verify" ? verify(call, current, request.signal) : settle(call, current, request.signal);
    },
  };
}
