import type { ProviderDefinition } from "../catalog/provider.ts";
import type { RequestTarget } from "../catalog/request.ts";
import { UpstreamError } from "../core/errors.ts";
import { canonicalJSON } from "../core/hash.ts";

/** The body of a request; its presence makes the call a POST. */
export interface RequestBody {
  readonly content_type: string;
  /** The sent text, which may contain the operator's key. */
  readonly text: string;
  /** The same without the key, so that equal requests have equal names. */
  readonly name: string;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The body of a request in canonical form, so that equal bodies are equal texts.
 * @throws UpstreamError for two bodies, or if the key must go into a body that is missing.
 */
export function createRequestBody(
  provider: ProviderDefinition,
  { body, form }: Pick<RequestTarget, "body" | "form">,
  api_key: string | undefined,
): RequestBody | undefined {
  const fail = (why: string) => new UpstreamError("upstream_bad_response", provider.id, `${provider.id}: ${why}`);
  if (body !== undefined && form !== undefined) throw fail("the request has a JSON body and a form");
  const { key } = provider;
  const secret = key?.in === "body" && api_key ? { [key.name]: `${key.prefix ?? ""}${api_key}` } : undefined;
  if (form !== undefined) {
    const name = new URLSearchParams(form).toString();
    const text = secret ? new URLSearchParams({ ...form, ...secret }).toString() : name;
    return { content_type: "application/x-www-form-urlencoded", text, name };
  }
  if (body === undefined) {
    if (secret) throw fail("its key goes into the body, and the request has none");
    return undefined;
  }
  const name = canonicalJSON(body);
  if (!secret) return { content_type: "application/json", text: name, name };
  if (!isRecord(body)) throw fail("its key goes into the body, which is no JSON object");
  return { content_type: "application/json", text: canonicalJSON({ ...body, ...secret }), name };
}
