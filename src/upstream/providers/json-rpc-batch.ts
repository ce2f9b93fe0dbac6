import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../catalog/context.ts";
import { type Outcome, outcomeOf } from "../../catalog/failover.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import { Whole } from "../../catalog/rows.ts";
import { isUnusable, judgeReading, type Unusable, unusable } from "../../catalog/unusable.ts";
import { UpstreamError } from "../../core/errors.ts";
import { matches } from "../read-answer.ts";
import { fetchRPC, RpcErrorMember, renderRpcError } from "./json-rpc.ts";

/** Answers of a batch, in any order (JSON-RPC 2.0, section 6). */
export const RpcBatchAnswer = Whole(
  "parts",
  Type.Object({
    jsonrpc: Type.Literal("2.0"),
    id: Type.Integer({ minimum: 0 }),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(RpcErrorMember),
  }),
  { minItems: 1, maxItems: 1_000 },
);
export type RpcBatchAnswer = Static<typeof RpcBatchAnswer>;

export interface RpcBatch<S extends TSchema, T> {
  readonly chain: string;
  readonly method: string;
  /** Parameters of each call. */
  readonly calls: readonly (readonly unknown[])[];
  /** Schema of each `result`. */
  readonly result: S;
  readonly read: (result: Static<S>) => T | Unusable;
  /** What `read` returns may be a text. */
  readonly gives_text?: boolean;
  readonly ttl_ms: number;
  readonly timeout_ms?: number;
  /** Instead of the provider's; of one request. */
  readonly body_bytes_max?: number;
  /** Calls in one request; default 25. */
  readonly batch_max?: number;
}

const BATCH_MAX = 25;

/** The body of a batch; ids are positions. */
export const createBatch = (calls: readonly { readonly method: string; readonly params: readonly unknown[] }[]) =>
  calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));

/** Answers by position, or why they are not one for each call. */
export function sortBatch(answers: RpcBatchAnswer, count: number): RpcBatchAnswer | Unusable {
  const by_id = new Map(answers.map((answer) => [answer.id, answer]));
  const sorted = Array.from({ length: count }, (_, id) => by_id.get(id)).filter((one) => one !== undefined);
  const is_complete = sorted.length === count && answers.length === count;
  return is_complete ? sorted : unusable(`${answers.length} answers to ${count} calls`);
}

const refuse = ({ id }: ProviderDefinition, why: string): Outcome<never> => ({
  ok: false,
  error: new UpstreamError("upstream_bad_response", id, `${id}: ${why}`),
});

/**
 * Many calls of one method in few requests. Each may fail by itself; a node that takes no batch is asked one by one.
 * @returns the outcomes in the order of the calls.
 */
export async function fetchRPCBatch<S extends TSchema, T>(
  context: Pick<FetchContext, "get">,
  provider: ProviderDefinition,
  batch: RpcBatch<S, T>,
): Promise<readonly Outcome<T>[]> {
  const { method, chain, result, ttl_ms, calls, batch_max = BATCH_MAX } = batch;
  const { timeout_ms, body_bytes_max, gives_text = false } = batch;
  const options = {
    chain,
    ttl_ms,
    gives_text,
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(body_bytes_max === undefined ? {} : { body_bytes_max }),
  };

  const readOne = (answer: RpcBatchAnswer[number]): Outcome<T> => {
    if (answer.error) return refuse(provider, renderRpcError(method, answer.error));
    if (!matches(result, answer.result)) return refuse(provider, `${method}: the result has another shape`);
    const value = judgeReading(batch.read(answer.result), gives_text);
    return isUnusable(value) ? refuse(provider, value.why) : { ok: true, value };
  };
  const askOne = (params: readonly unknown[]) =>
    outcomeOf(fetchRPC(context, provider, { ...options, method, params, result, read: batch.read }));

  const askMany = async (list: typeof calls): Promise<readonly Outcome<T>[]> => {
    const answered = await outcomeOf(
      context.get(provider, {
        ...options,
        path: "",
        body: createBatch(list.map((params) => ({ method, params }))),
        cost: list.length,
        schema: RpcBatchAnswer,
        read: (answers) => sortBatch(answers, list.length),
      }),
    );
    if (answered.ok) return answered.value.map(readOne);
    const is_refused = answered.error instanceof UpstreamError && answered.error.kind === "upstream_bad_response";
    return is_refused ? Promise.all(list.map(askOne)) : list.map(() => answered);
  };

  const outcomes: Outcome<T>[] = [];
  for (let at = 0; at < calls.length; at += batch_max) {
    outcomes.push(...(await askMany(calls.slice(at, at + batch_max))));
  }
  return outcomes;
}
