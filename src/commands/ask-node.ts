import { resolve } from "node:path";
import { formOf, type OperationName, operationPath } from "../admin/operations.ts";
import { requireOperatorToken } from "../files/identity-file.ts";
import { loadConfigFile } from "./load-config-file.ts";

/** The running node to call. */
export interface NodePlace {
  readonly config: string;
  /** Its data folder, which holds its token; default: the configured one. */
  readonly data?: string | undefined;
  /** Its address; default: the configured host and port. */
  readonly url?: string | undefined;
}

/** The operator's access to a running node. */
export interface Reached {
  readonly url: string;
  readonly operator_token: string;
}

const REQUEST_TIMEOUT_MS = 120_000;

/**
 * The address of a configuration's node, with the operator's token.
 * @throws Error with the configuration's faults.
 */
export async function reachNode({ config: file, data, url }: NodePlace): Promise<Reached> {
  if (data !== undefined && url !== undefined) return { url: trim(url), operator_token: requireOperatorToken(data) };
  const loaded = await loadConfigFile(file);
  // A node may still run on a configuration that has become faulty, so its address is needed even then.
  if ("faults" in loaded) throw new Error(loaded.faults);
  const { server, data: folder } = loaded.config;
  const host = server.host.includes(":") ? `[${server.host}]` : server.host;
  return {
    url: trim(url ?? `http://${host}:${server.port}`),
    operator_token: requireOperatorToken(data ?? resolve(folder.dir)),
  };
}

const trim = (url: string): string => url.replace(/\/+$/, "");

/** @throws Error for people when the node does not answer, or refuses. */
export async function askOperation(
  { url, operator_token }: Reached,
  name: OperationName,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const { method } = formOf(name);
  const texts = Object.entries(input).map(([key, value]): [string, string] => [key, String(value)]);
  const query = method === "GET" && texts.length > 0 ? `?${new URLSearchParams(texts)}` : "";
  const response = await fetch(`${url}${operationPath(name)}${query}`, {
    method,
    headers: { authorization: `Bearer ${operator_token}`, "content-type": "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(method === "POST" ? { body: JSON.stringify(input) } : {}),
  }).catch((error: unknown) => {
    throw new Error(`the node at ${url} does not answer; is it running?`, { cause: error });
  });
  const body = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`the node at ${url} answered ${response.status}: ${String(body.detail ?? "")}`);
  return body;
}
