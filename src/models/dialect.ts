import type { CompletionRequest } from "../catalog/model.ts";

/** How JSON is asked for: by schema, as any JSON object, or in words alone. */
const FORMATS = ["schema", "object", "text"] as const;
type Format = (typeof FORMATS)[number];

/** What a host was found not to take. */
export type DialectFault = "tokens_field" | "temperature" | "format";

/** What is learnt of a host's words, call by call. */
export interface Dialect {
  /** A request in the host's words, as its JSON body. */
  render(model: string, request: CompletionRequest): Readonly<Record<string, unknown>>;
  /** Learns from a refusal. False where there is no other way to say it. */
  learn(fault: DialectFault, request: CompletionRequest): boolean;
}

/** A host may learn a form that it did not know: it is tried again after a day. */
const FORMAT_KEPT_MS = 86_400_000;

export function createDialect(elapsed_ms: () => number): Dialect {
  let tokens_field: "max_tokens" | "max_completion_tokens" = "max_tokens";
  let is_tokens_field_swapped = false;
  let takes_temperature = true;
  let format: Format = "schema";
  let format_learnt_ms = 0;

  const current = (): Format => {
    if (format !== "schema" && elapsed_ms() - format_learnt_ms > FORMAT_KEPT_MS) format = "schema";
    return format;
  };
  const renderFormat = ({ json }: CompletionRequest): object => {
    if (json === undefined || current() === "text") return {};
    if (current() === "object") return { response_format: { type: "json_object" } };
    const { name, schema } = json;
    return { response_format: { type: "json_schema", json_schema: { name, strict: true, schema } } };
  };

  return {
    render: (model, request) => ({
      model,
      messages: request.messages.map(({ role, content }) => ({ role, content })),
      [tokens_field]: request.max_tokens,
      ...(request.temperature === undefined || !takes_temperature ? {} : { temperature: request.temperature }),
      ...renderFormat(request),
    }),
    learn(fault, request) {
      if (fault === "tokens_field") {
        if (is_tokens_field_swapped) return false;
        is_tokens_field_swapped = true;
        tokens_field = "max_completion_tokens";
        return true;
      }
      if (fault === "temperature") {
        if (!takes_temperature || request.temperature === undefined) return false;
        takes_temperature = false;
        return true;
      }
      const next = FORMATS[FORMATS.indexOf(current()) + 1];
      if (next === undefined || request.json === undefined) return false;
      format = next;
      format_learnt_ms = elapsed_ms();
      return true;
    },
  };
}
