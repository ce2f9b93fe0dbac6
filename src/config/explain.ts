import type { LoadedConfig } from "./load.ts";
import { pathKey } from "./toml.ts";
import { leavesOf } from "./walk.ts";

export interface ExplainedKey {
  readonly key: string;
  /** JSON text; "***" for a secret, "-" when unset. */
  readonly value: string;
  /** "node.toml:12", "env INTEL_NODE_SERVER_PORT" or "default". */
  readonly origin: string;
}

const MASK = "***";

/** An address without what lets its holder in: user info, query values and long tokens in the path. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username) url.username = MASK;
  if (url.password) url.password = MASK;
  for (const name of [...url.searchParams.keys()]) url.searchParams.set(name, MASK);
  url.pathname = url.pathname.replace(/\/[A-Za-z0-9_-]{20,}(?=\/|$)/g, `/${MASK}`);
  return url.toString().replace(/\/$/, text.endsWith("/") ? "/" : "");
}

const maskAny = (value: unknown): unknown => {
  if (typeof value === "string") return /^https?:\/\//.test(value) ? maskUrl(value) : value;
  return Array.isArray(value) ? value.map(maskAny) : value;
};

/** Every key with its value and where it comes from. Secrets never appear, in whatever form they were given. */
export function explainConfig({ config, origins, schema }: LoadedConfig): readonly ExplainedKey[] {
  const { tables: of_providers, ...providers } = config.providers;
  const { tables: of_plugins, ...plugins } = config.plugins;
  const whole = {
    ...config,
    providers: { ...providers, ...of_providers },
    plugins: { ...plugins, ...of_plugins },
  };
  return [...leavesOf(schema, whole)].map(({ path, schema, value }) => ({
    key: path.map((part) => (/^[A-Za-z0-9_-]+$/.test(String(part)) ? part : JSON.stringify(part))).join("."),
    value: value === undefined ? "-" : schema.secret === true ? MASK : JSON.stringify(maskAny(value)),
    origin: origins.get(pathKey(path)) ?? "default",
  }));
}
