import type { TSchema } from "@sinclair/typebox";
import type { ProviderDefinition } from "../catalog/provider.ts";
import type { ErrorForm, RequestTarget, UpstreamRequest, Validators } from "../catalog/request.ts";
import { UpstreamError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { type Address, getAddresses, type UpstreamAddressOptions } from "./addresses.ts";
import type { Sink } from "./attempt.ts";
import type { Credentials, FlightRequest } from "./flight.ts";
import type { AnswerRule } from "./read-answer.ts";
import { createRequestBody, type RequestBody } from "./request-body.ts";
import type { ProviderSettings } from "./settings.ts";
import type { Patience } from "./throttle.ts";

// biome-ignore lint/suspicious/noExplicitAny: only the caller knows the type of a reader's result.
export type AnyRequest = UpstreamRequest<TSchema, any>;

/** A request with its addresses, headers and body. */
export interface UpstreamCall {
  readonly provider: ProviderDefinition;
  readonly target: RequestTarget;
  readonly settings: ProviderSettings;
  readonly addresses: readonly Address[];
  readonly body: RequestBody | undefined;
}

/** @throws UpstreamError when the request has no valid address. */
export function createCall(
  provider: ProviderDefinition,
  target: RequestTarget,
  options: UpstreamAddressOptions,
): UpstreamCall {
  const { settings } = options;
  const addresses = getAddresses(provider, target, options);
  return { provider, target, settings, addresses, body: createRequestBody(provider, target, settings.api_key) };
}

const HEADER_NAME = /^[a-z0-9-]{1,60}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,1000}$/;

/** @throws UpstreamError when a header is malformed. */
function headersOf({ provider, target: { headers = {} } }: UpstreamCall): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (HEADER_NAME.test(name) && HEADER_VALUE.test(value)) continue;
    throw new UpstreamError(
      "upstream_bad_response",
      provider.id,
      `${provider.id}: a header of the request is malformed`,
    );
  }
  return headers;
}

/** A key that is equal for calls that can share an answer. */
export const getSharedKey = ({ provider, target, body, addresses }: UpstreamCall, rule: AnswerRule): string =>
  sha256Hex(
    JSON.stringify([
      provider.id,
      target.chain ?? "",
      target.host ?? "",
      rule.format,
      rule.charset ?? "",
      (rule.unpack ?? []).map((step) => [step.kind, "member" in step ? String(step.member) : "", step.bytes_max]),
      target.path,
      target.headers ?? {},
      body ? [body.content_type, body.name] : "",
      // After a reload of the configuration, answers of the old address must not be used.
      addresses[0]?.key ?? "",
    ]),
  );

/** Known error bodies: those of the request, then those of its provider. */
export const listErrorForms = (
  provider: Pick<ProviderDefinition, "errors">,
  request: Pick<RequestTarget, "errors">,
): readonly ErrorForm[] => [...(request.errors ?? []), ...(provider.errors ?? [])];

/** The settings to read a request's answer. */
export const createRule = (provider: ProviderDefinition, request: AnyRequest): AnswerRule => ({
  format: request.format ?? "json",
  charset: request.charset,
  unpack: request.unpack,
  errors: listErrorForms(provider, request),
  statuses: request.statuses,
  schema: request.schema,
  read: request.read,
  gives_text: request.gives_text,
});

export interface FlightPlan {
  readonly rule: AnswerRule;
  readonly patience: () => Patience | null;
  readonly known: Validators | undefined;
  readonly credentials: Credentials | undefined;
  readonly openSink?: () => Promise<Sink>;
}

/** Everything needed to send a call. @throws UpstreamError when a header is malformed. */
export function createFlightRequest(
  call: UpstreamCall,
  { rule, patience, known, credentials, openSink }: FlightPlan,
): FlightRequest {
  const { provider, target, settings, addresses, body } = call;
  const { limits } = provider;
  return {
    provider,
    addresses,
    path: target.path,
    chain: target.chain,
    body,
    headers: headersOf(call),
    credentials,
    rule,
    body_bytes_max: target.body_bytes_max ?? limits.body_bytes_max,
    openSink,
    known,
    timeout_ms: target.timeout_ms ?? settings.timeout_ms ?? limits.timeout_ms,
    rate_per_s: settings.rate_per_s ?? limits.rate_per_s,
    quotas: { ...limits.quotas, ...settings.quotas },
    cost: target.cost ?? 1,
    patience,
  };
}
