import { Type } from "@sinclair/typebox";
import { createReader } from "../codec.ts";

const RPC_TIMEOUT_MS = 5_000;
/** 1,000 signatures with memos take about 0.5 MB. */
const ANSWER_BYTES_MAX = 4_194_304;

const readReply = createReader(Type.Object({ result: Type.Unknown() }));
const readFault = createReader(
  Type.Object({ error: Type.Object({ code: Type.Number(), message: Type.String({ maxLength: 4_096 }) }) }),
);

/** The body as JSON; throws when it is longer than any honest answer. */
async function readBody(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/** Calls one JSON-RPC method. */
export type JSONRPC = (method: string, params: readonly unknown[]) => Promise<unknown>;

/**
 * JSON-RPC over the endpoints, in order: the next one is asked when one fails, answers an error or nonsense.
 * @throws Error when none gives a result.
 */
export function createJSONRPC(urls: readonly string[]): JSONRPC {
  const call = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: AbortSignal.timeout(RPC_TIMEOUT_MS),
      redirect: "manual",
    });
    const body = await readBody(response);
    const fault = readFault(body);
    if (fault) throw new Error(`${method}: error ${fault.error.code}: ${fault.error.message.slice(0, 200)}`);
    const reply = readReply(body);
    if (!reply) throw new Error(`${method}: the endpoint answered ${response.status} without a result`);
    return reply.result;
  };
  return async (method, params) => {
    let last: unknown = new Error("no RPC endpoint is configured");
    for (const url of urls) {
      try {
        return await call(url, method, params);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  };
}
