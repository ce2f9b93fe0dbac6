/** The parts of a call that determine its endpoint. */
export interface EndpointCall {
  /** Path and query below the provider's address. */
  readonly path: string;
  /** Body of a POST; empty for a GET. */
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

/** Methods of a JSON-RPC call; empty for any other call. */
export function listMethods(body: unknown): readonly string[] {
  const calls = Array.isArray(body) ? body : [body];
  const is_rpc = calls.length > 0 && calls.every((one) => typeof memberOf(one, "method") === "string");
  return is_rpc ? calls.map((one) => memberOf(one, "method") as string) : [];
}

/** A call with its parts parsed. */
export interface ReadCall {
  readonly method: string;
  /** Below the provider's address, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined for a GET. */
  readonly body: unknown;
}

/** Parses an endpoint in the form of provenance.json. @returns a test of whether a call is of that endpoint. */
export function compileEndpoint(endpoint: string): (call: ReadCall) => boolean {
  const [method = "", target = "", ...members] = endpoint.split(" ");
  if (method === "RPC") return ({ body }) => listMethods(body).includes(target);
  const [path = "", query = ""] = target.split("?", 2);
  const pattern = quoteText(path)
    .replaceAll("\\{\\}", "[^/]+")
    .replace(/\\\*\\\*$/, ".*");
  const fits = new RegExp(`^${pattern}$`);
  const values = [...new URLSearchParams(query)];
  const wanted = members.map((one) => one.split("=", 2));
  return (call) =>
    method === call.method &&
    fits.test(call.path) &&
    values.every(([name, value]) => call.query.get(name) === value) &&
    wanted.every(([name = "", value]) => memberOf(call.body, name) === value);
}

/** Whether a call is of an endpoint in the form of provenance.json. */
export function isEndpoint(endpoint: string, { path: called, body }: EndpointCall): boolean {
  const [path = "", query = ""] = called.split("?", 2);
  return compileEndpoint(endpoint)({
    method: body === "" ? "GET" : "POST",
    path,
    query: new URLSearchParams(query),
    body: body === "" ? undefined : parseBody(body),
  });
}

/** The endpoint of a call from a list; without a match, the call's own path. */
export const nameEndpoint = (call: EndpointCall, known: readonly string[] = []): string =>
  known.find((endpoint) => isEndpoint(endpoint, call)) ??
  `${call.body === "" ? "GET" : "POST"} ${call.path.split("?", 1)[0] || "/"}`;
