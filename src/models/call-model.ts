import { type Clock, startTimeLimit, type Timers } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { readBody } from "../upstream/read-body.ts";
import { parseRetryAfter } from "../upstream/retry.ts";
import type { ModelSettings } from "./model-settings.ts";
import { type CallOutcome, type FailedCompletion, readCompletion, readRefusal } from "./read-completion.ts";

export type FetchModel = (url: string, init: RequestInit) => Promise<Response>;

export interface ModelCall {
  readonly settings: ModelSettings;
  readonly body: Readonly<Record<string, unknown>>;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  readonly fetch: FetchModel;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly user_agent: string;
}

const ANSWER_BYTES_MAX = 1_000_000;

/** No key leaves with a reason: hosts like to quote it. */
function withoutKey(failed: FailedCompletion, api_key: string | null): FailedCompletion {
  return api_key === null ? failed : { ...failed, reason: failed.reason.replaceAll(api_key, "[key]") };
}

/** One call of a model's host. Never throws: whatever came of it is an outcome. */
export async function callModel(call: ModelCall): Promise<CallOutcome> {
  const { settings } = call;
  const limit = startTimeLimit(call.timers, call.timeout_ms, call.signal);
  let begun = false;
  try {
    const response = await call.fetch(`${settings.base_url}/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "user-agent": call.user_agent,
        ...(settings.api_key === null ? {} : { authorization: `Bearer ${settings.api_key}` }),
      },
      body: JSON.stringify(call.body),
      redirect: "error",
      signal: limit.signal,
    });
    begun = true;
    const read = await readBody(response, ANSWER_BYTES_MAX);
    if (!read.ok) return { kind: "bad_answer", reason: read.reason };
    if (response.status === 200) {
      const outcome = readCompletion(read.text, settings.model);
      return outcome.kind === "ok" || outcome.kind === "wordless" ? outcome : withoutKey(outcome, settings.api_key);
    }
    const retry_after_ms = parseRetryAfter(response.headers.get("retry-after"), call.clock.now());
    const refusal = withoutKey(readRefusal(response.status, read.text), settings.api_key);
    return { ...refusal, ...(retry_after_ms === undefined ? {} : { retry_after_ms }) };
  } catch (error) {
    if (limit.signal.aborted) return { kind: "down", reason: `no answer within ${call.timeout_ms} ms`, is_left: true };
    return withoutKey({ kind: begun ? "down" : "reset", reason: messageOf(error) }, settings.api_key);
  } finally {
    limit.end();
  }
}
