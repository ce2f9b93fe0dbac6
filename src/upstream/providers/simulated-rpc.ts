import type { SimulatedAnswer } from "../../catalog/simulator.ts";

export interface SimulatedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Answers with a result. */
  readonly answer: (result: unknown) => SimulatedAnswer;
  /** Answers with an error, which JSON-RPC nodes send with status 200. */
  readonly fail: (code: number, message: string) => SimulatedAnswer;
}

/** Reads a JSON-RPC request, or answers as a node does that cannot. */
export function readCall(body: unknown, play: (call: SimulatedCall) => SimulatedAnswer): SimulatedAnswer {
  const fields: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  const id = fields.id ?? null;
  const fail = (code: number, message: string) => ({ json: { jsonrpc: "2.0", id, error: { code, message } } });
  if (typeof fields.method !== "string") return fail(-32600, "Invalid request");
  const params: readonly unknown[] = Array.isArray(fields.params) ? fields.params : [];
  const answer = (result: unknown) => ({ json: { jsonrpc: "2.0", id, result } });
  return play({ method: fields.method, params, answer, fail });
}
