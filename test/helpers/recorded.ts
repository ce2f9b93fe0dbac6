import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JobContext } from "../../src/catalog/context.ts";
import { isUnusable } from "../../src/catalog/unusable.ts";
import type { Provenance, RecordedEntry } from "../../src/tools/recorded-bytes.ts";
import { isEndpoint, listMethods } from "../../src/upstream/endpoint.ts";
import { createStream } from "../../src/upstream/sockets.ts";
import { createWholeNode } from "./catalog-world.ts";
import type { BentCall } from "./simulated-node.ts";

/** One question to a provider, answered with bytes it sent. */
export interface Reading {
  /** Files of the provider's `recorded` folder, each of which is asked for. */
  readonly files: readonly string[];
  /** When it was asked: readers refuse what is old. */
  readonly at: string;
  readonly read: (context: JobContext) => Promise<unknown>;
  /** What the reader makes of it, or the part of that which was looked up in the bytes: of a list its first items. */
  readonly gives?: unknown;
  /** Instead of `gives`: why the reader refuses it after having understood its shape, such as another pair. */
  readonly refused?: string;
  /** Whose figures `gives` holds, where it is not ours: another project's reading of the same bytes. */
  readonly as_read_by?: string;
}

/** By provider. */
export type Readings = Readonly<Record<string, readonly Reading[]>>;

const parseBody = (body: string): unknown => (body === "" ? undefined : JSON.parse(body));

/** The one file of a reading that answers a call; of several for one endpoint, those not yet asked for come first. */
function createAnswers(folder: string, entries: readonly RecordedEntry[]) {
  const asked = new Set<string>();
  const bytesOf = ({ file }: RecordedEntry) => readFileSync(join(folder, file));
  const find = (call: Pick<BentCall, "path" | "body">): RecordedEntry | undefined => {
    const fitting = entries.filter(({ endpoint }) => isEndpoint(endpoint, call));
    return fitting.find(({ file }) => !asked.has(file)) ?? fitting[0];
  };
  /** An answer to a batch is put together of single ones: the number of a call is the caller's. */
  const answerRpc = (body: unknown): Response => {
    const answer = (one: unknown) => {
      const entry = find({ path: "", body: JSON.stringify(one) });
      if (!entry) throw new Error(`no recorded answer to ${JSON.stringify(one)}`);
      asked.add(entry.file);
      return { ...(JSON.parse(bytesOf(entry).toString()) as object), id: (one as { readonly id: unknown }).id };
    };
    return Response.json(Array.isArray(body) ? body.map(answer) : answer(body));
  };
  return {
    asked,
    answer(call: BentCall): Response {
      if (entries.some(({ endpoint }) => endpoint.startsWith("RPC "))) {
        const body = parseBody(call.body);
        if (listMethods(body).length > 0) return answerRpc(body);
      }
      const entry = find(call);
      if (!entry) throw new Error(`no recorded answer to ${call.provider} ${call.path} ${call.body}`);
      asked.add(entry.file);
      const type = { json: "application/json", xml: "application/xml", csv: "text/csv" }[
        entry.file.split(".").at(-1) ?? ""
      ];
      return new Response(bytesOf(entry), {
        status: entry.status ?? 200,
        ...(type === undefined ? {} : { headers: { "content-type": type } }),
      });
    },
  };
}

/** What a stream makes of the recorded messages, one a line. @throws when it refuses one. */
const createDrain =
  (folder: string, entries: readonly RecordedEntry[], asked: Set<string>): JobContext["drain"] =>
  (provider, request) => {
    const { read } = createStream(provider, request, []);
    const frames = entries.filter(({ endpoint }) => endpoint === `WS ${request.path}`);
    const lines = frames.flatMap(({ file }) => {
      asked.add(file);
      return readFileSync(join(folder, file), "utf8").trim().split("\n");
    });
    const messages = lines.flatMap((line) => {
      const told = read(JSON.parse(line));
      if (isUnusable(told)) throw new Error(`${told.why}: ${line}`);
      return told === null ? [] : [{ at_ms: 0, value: told.value as never }];
    });
    return { listening_since_ms: 0, messages, gaps: [] };
  };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** What of a value a reading says something of. Maps are told as objects, sets as lists. */
export function pickTold(value: unknown, told: unknown): unknown {
  if (value instanceof Map) return pickTold(Object.fromEntries(value), told);
  if (value instanceof Set) return pickTold([...value], told);
  if (Array.isArray(value) && Array.isArray(told)) {
    return value.slice(0, told.length).map((one, index) => pickTold(one, told[index]));
  }
  if (!isRecord(value) || !isRecord(told)) return value;
  return Object.fromEntries(Object.keys(told).map((name) => [name, pickTold(value[name], told[name])]));
}

/** Asks once as the node would, and is answered with recorded bytes: what was read, and which files were asked for. */
export async function readRecorded(
  { provider, endpoints, folder }: Provenance & { readonly folder: string },
  { files, at, read }: Reading,
): Promise<{ readonly value: unknown; readonly asked: readonly string[] }> {
  const entries = files.map((file) => {
    const entry = endpoints.find((one): one is RecordedEntry => one.kind !== "imagined" && one.file === file);
    if (!entry || !existsSync(join(folder, file))) throw new Error(`${provider}: nothing is said of ${file}`);
    return entry;
  });
  const { asked, answer } = createAnswers(folder, entries);
  const bend = (_: Response, call: BentCall) => answer(call);
  const node = createWholeNode({ now_ms: Date.parse(at), bend });
  try {
    const context = { ...node.createContext(), drain: createDrain(folder, entries, asked) as JobContext["drain"] };
    return { value: await read(context), asked: [...asked].sort() };
  } finally {
    node.close();
  }
}
