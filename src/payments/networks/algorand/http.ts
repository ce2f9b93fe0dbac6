const TIMEOUT_MS = 5_000;
/** A block full of transaction ids has about 1 MB. */
const ANSWER_BYTES_MAX = 4_194_304;

/** One algod or indexer. */
export interface Endpoint {
  readonly url: string;
  /** Such as a token. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The body as text; throws when it is longer than any honest answer. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * GETs a path of algod's or the indexer's REST interface.
 * @returns the parsed body, or undefined for 404.
 * @throws Error for every other status, what is no JSON, and an endpoint that cannot be reached.
 */
export async function getJSON({ url, headers }: Endpoint, path: string): Promise<unknown> {
  const response = await fetch(`${url.replace(/\/+$/, "")}${path}`, {
    headers: { accept: "application/json", ...headers },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "manual",
  });
  const text = await readText(response);
  if (response.status === 404) return undefined;
  // The host alone: an address may hold a key.
  if (response.status !== 200) throw new Error(`${new URL(url).host}${path} answered ${response.status}`);
  return JSON.parse(text);
}
