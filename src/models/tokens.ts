import type { CompletionRequest, ModelMessage, ModelUsage } from "../catalog/model.ts";
import type { ModelSettings, Picodollars } from "./model-settings.ts";

/** An upper bound of what common tokenizers make of text: three bytes a token; code and rare scripts come near it. */
const BYTES_PER_TOKEN = 3;
/** What wraps each message: role and separators. */
const TOKENS_PER_MESSAGE = 4;
/** No tokenizer packs more into a token on average, and none makes more than one of a byte. */
const BYTES_PER_TOKEN_MAX = 16;
/** Templates of hosts add instructions of their own. */
const TEMPLATE_TOKENS = 600;
/** Hosts count the end mark, and may stop a few tokens late. */
const OVER_LIMIT_TOKENS = 32;

const bytesOf = (text: string): number => Buffer.byteLength(text);
const bytesOfAll = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { content }) => sum + bytesOf(content), 0);

/** Tokens of a request, at most. */
export const estimatePrompt = (messages: readonly ModelMessage[]): number =>
  Math.ceil(bytesOfAll(messages) / BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE * messages.length;

/** What a call costs at most: an answer of full length. */
export const worstCost = ({ price_in, price_out }: ModelSettings, request: CompletionRequest): Picodollars =>
  estimatePrompt(request.messages) * price_in + request.max_tokens * price_out;

export const costOf = ({ price_in, price_out }: ModelSettings, usage: ModelUsage): Picodollars =>
  usage.prompt_tokens * price_in + usage.completion_tokens * price_out;

/** Tokens as a host states them; null for what it left out. */
export interface StatedUsage {
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
}

/** What a call used, and whether the host stated what cannot be. */
export interface CountedUsage extends ModelUsage {
  readonly is_implausible: boolean;
}

const isBetween = (value: number, from: number, to: number): boolean =>
  Number.isSafeInteger(value) && value >= from && value <= to;

/**
 * Takes a host's own count where it can be true of the bytes that went over the wire; else counts them here. What a
 * model thought is paid for and not shown, so that an answer may have used more tokens than its text has, up to the
 * limit that was asked for.
 */
export function countUsage(request: CompletionRequest, text: string, stated: StatedUsage): CountedUsage {
  const { prompt_tokens, completion_tokens } = stated;
  const in_bytes = bytesOfAll(request.messages);
  const out_bytes = bytesOf(text);
  const estimated = {
    prompt_tokens: estimatePrompt(request.messages),
    completion_tokens: Math.min(request.max_tokens, Math.max(1, Math.ceil(out_bytes / BYTES_PER_TOKEN))),
    is_estimated: true,
  };
  if (prompt_tokens === null || completion_tokens === null) return { ...estimated, is_implausible: false };
  const in_max = in_bytes + TOKENS_PER_MESSAGE * request.messages.length + TEMPLATE_TOKENS;
  const out_max = request.max_tokens + OVER_LIMIT_TOKENS;
  const is_plausible =
    isBetween(prompt_tokens, Math.floor(in_bytes / BYTES_PER_TOKEN_MAX), in_max) &&
    isBetween(completion_tokens, Math.max(1, Math.floor(out_bytes / BYTES_PER_TOKEN_MAX)), out_max);
  if (!is_plausible) return { ...estimated, is_implausible: true };
  return { prompt_tokens, completion_tokens, is_estimated: false, is_implausible: false };
}
