/** What of a call says which endpoint it is. */
export interface EndpointCall {
  /** Path and query below the provider's address. */
  readonly path: string;
  /** What is sent by POST; empty for a GET. */
  readonly body: string;
}

const quoteText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;

/** Methods of a call by JSON-RPC; none for any other. */
export function listMethods(body: unknown): readonly string[] {
  const calls = Array.isArray(body) ? body : [body];
  const is_rpc = calls.length > 0 && calls.every((one) => typeof memberOf(one, "method") === "string");
  return is_rpc ? calls.map((one) => memberOf(one, "method") as string) : [];
}

/** Whether an endpoint as a provenance.json writes it is what is called. */
export function isEndpoint(endpoint: string, { path: called, body }: EndpointCall): boolean {
  const [method = "", target = "", ...members] = endpoint.split(" ");
  const sent = body === "" ? undefined : parseBody(body);
  if (method === "RPC") return listMethods(sent).includes(target);
  const [bare = "", asked = ""] = called.split("?", 2);
  const [path = "", query = ""] = target.split("?", 2);
  const pattern = quoteText(path)
    .replaceAll("\\{\\}", "[^/]+")
    .replace(/\\\*\\\*$/, ".*");
  const values = new URLSearchParams(asked);
  return (
    method === (body === "" ? "GET" : "POST") &&
    new RegExp(`^${pattern}$`).test(bare) &&
    [...new URLSearchParams(query)].every(([name, value]) => values.get(name) === value) &&
    members.every((one) => memberOf(sent, one.split("=")[0] ?? "") === one.split("=")[1])
  );
}

/** The endpoint of a list that is called; the call's own path where none is. */
export const nameEndpoint = (call: EndpointCall, known: readonly string[] = []): string =>
  known.find((endpoint) => isEndpoint(endpoint, call)) ??
  `${call.body === "" ? "GET" : "POST"} ${call.path.split("?", 1)[0] || "/"}`;
