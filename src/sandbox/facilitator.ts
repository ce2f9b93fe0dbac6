import { Type } from "@sinclair/typebox";
import { createReader } from "../payments/codec.ts";
import type { SandboxChain } from "./chains/types.ts";

export interface FacilitatorCalls {
  readonly supported_calls: number;
  readonly verify_calls: number;
  readonly settle_calls: number;
}

export interface FacilitatorMode {
  readonly verify: string;
  readonly settle: string;
  readonly delay_ms: number;
  /** Calls of verify or settle that still behave so; null = all. */
  readonly times: number | null;
  readonly dead: boolean;
}

/** One facilitator behind HTTP, told over the control door how to behave. */
export interface SandboxFacilitator {
  handle(request: Request, path: string): Promise<Response>;
  calls(): FacilitatorCalls;
  mode(): FacilitatorMode;
  /** Members left out go back to normal. Throws RangeError for an unknown word. */
  setMode(mode: { [Name in keyof FacilitatorMode]?: FacilitatorMode[Name] | undefined }): void;
}

const VERIFY_MODES = /^(ok|reject:[A-Za-z0-9_.:-]{1,80}|timeout|http500|garbage)$/;
const SETTLE_MODES =
  /^(ok|fail:[A-Za-z0-9_.:-]{1,80}|timeout_before_settling|timeout_after_settling|http500_after_settling|garbage)$/;
const NORMAL: FacilitatorMode = { verify: "ok", settle: "ok", delay_ms: 0, times: null, dead: false };
/** A caller who never hangs up is let go at some time. */
const HOLD_MS_MAX = 120_000;

const readCall = createReader(
  Type.Object({ paymentPayload: Type.Record(Type.String(), Type.Unknown()), paymentRequirements: Type.Unknown() }),
);

const hold = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, HOLD_MS_MAX);
    timer.unref();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

const garbage = () => new Response("<<< not json >>>", { headers: { "content-type": "text/plain" } });
const broken = () => new Response("Internal Server Error", { status: 500 });
const gone = () => new Response("no backend", { status: 503 });
const reasonOf = (mode: string): string => mode.slice(mode.indexOf(":") + 1);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

export function createSandboxFacilitator({ chains }: { chains: readonly SandboxChain[] }): SandboxFacilitator {
  let mode = NORMAL;
  const counts = { supported_calls: 0, verify_calls: 0, settle_calls: 0 };

  const supported = (): Response =>
    Response.json({
      kinds: chains.flatMap((chain) => chain.supportedKinds()),
      extensions: [],
      signers: Object.assign({}, ...chains.map((chain) => chain.signers())),
    });
  const chainOf = (requirement: unknown): SandboxChain | undefined => {
    const network = isRecord(requirement) ? requirement.network : undefined;
    return chains.find((chain) => chain.supportedKinds().some((kind) => kind.network === network));
  };
  /** The mode for this call; a counted one goes back to normal by itself. */
  const takeMode = (): FacilitatorMode => {
    const current = mode;
    if (current.times !== null) mode = current.times <= 1 ? NORMAL : { ...current, times: current.times - 1 };
    return current;
  };

  async function verify(request: Request, { verify: wanted }: FacilitatorMode): Promise<Response> {
    const call = readCall(await request.json());
    const chain = chainOf(call?.paymentRequirements);
    if (wanted === "timeout") await hold(request.signal);
    if (wanted === "http500") return broken();
    if (wanted === "garbage") return garbage();
    if (!call || !chain) return Response.json({ isValid: false, invalidReason: "invalid_network" });
    const result = await chain.verify(call.paymentPayload, call.paymentRequirements);
    if (!wanted.startsWith("reject:")) return Response.json(result);
    return Response.json({ isValid: false, invalidReason: reasonOf(wanted), payer: result.payer });
  }

  async function settle(request: Request, { settle: wanted }: FacilitatorMode): Promise<Response> {
    const call = readCall(await request.json());
    const chain = chainOf(call?.paymentRequirements);
    if (!call || !chain)
      return Response.json({ success: false, errorReason: "invalid_network", transaction: "", network: "" });
    if (wanted === "timeout_before_settling") {
      await hold(request.signal);
      return gone();
    }
    if (wanted === "garbage") return garbage();
    if (wanted.startsWith("fail:")) {
      return Response.json({ success: false, errorReason: reasonOf(wanted), transaction: "", network: chain.network });
    }
    const result = await chain.settle(call.paymentPayload, call.paymentRequirements);
    if (wanted === "timeout_after_settling") {
      await hold(request.signal);
      return gone();
    }
    return wanted === "http500_after_settling" ? broken() : Response.json(result);
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
      if (mode.dead) return gone();
      if (path === "/supported") return supported();
      if (request.method !== "POST" || (path !== "/verify" && path !== "/settle")) {
        return new Response("Not Found", { status: 404 });
      }
      // A word for verify is not used up by a settle, and the reverse.
      const concerned =
        path === "/verify"
          ? mode.verify !== "ok" || mode.settle === "ok"
          : mode.settle !== "ok" || mode.verify === "ok";
      const current = concerned ? takeMode() : mode;
      if (current.delay_ms > 0) await Bun.sleep(current.delay_ms);
      return path === "/verify" ? verify(request, current) : settle(request, current);
    },
  };
}
