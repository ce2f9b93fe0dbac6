import type { TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** The keys of every provider's table `[providers.<id>]`: its own options cannot have these names. */
export const PROVIDER_KEYS = [
  "enabled",
  "base_url",
  "api_key",
  "client_id",
  "client_secret",
  "hosts",
  "terms_ack",
  "rate_per_s",
  "quota_minute",
  "quota_hour",
  "quota_day",
  "quota_month",
  "timeout",
] as const;

const KEY = /^[a-z][a-z0-9_]{0,39}$/;
/** Reports of faults hide the values of lines that say one of these; see `renderFaults`. */
const SECRET_WORD = /key|token|secret|password/;

/**
 * Faults in the table of options that a plugin or provider declares, in words. Every key is described, and a node
 * starts without it: each is optional or has a default.
 * @param where the option that contains it, such as "config.".
 */
export function listConfigFaults(
  table: TSchema,
  { where = "config.", taken = [] }: { readonly where?: string; readonly taken?: readonly string[] } = {},
): readonly string[] {
  if (table?.type !== "object" || !table.properties) return [`${where.slice(0, -1)} must be a Type.Object`];
  const required: readonly string[] = table.required ?? [];
  return Object.entries((table as TObject).properties).flatMap(([name, schema]: [string, TSchema]) => {
    const key = `${where}${name}`;
    if (!KEY.test(name)) return [`${key}: a key is snake_case, at most 40 characters`];
    if (taken.includes(name)) return [`${key}: every provider has a key of this name`];
    if (!schema.description) return [`${key} needs a description: config.example.toml shows it`];
    if (schema.type === "object" && schema.properties) return listConfigFaults(schema, { where: `${key}.` });
    if (schema.secret === true && !SECRET_WORD.test(name)) {
      return [`${key} is secret: call it so that "key", "token", "secret" or "password" is in its name`];
    }
    const { default: value } = schema;
    if (value !== undefined) return Value.Check(schema, value) ? [] : [`${key}: its default does not match`];
    return required.includes(name) ? [`${key} needs a default, or Type.Optional: a node starts without it`] : [];
  });
}
