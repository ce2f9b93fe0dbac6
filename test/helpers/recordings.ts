import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { registry } from "../../src/plugins/registry.gen.ts";
import type { Provenance, RecordedEntry } from "../../src/tools/recorded-bytes.ts";
import { isEndpoint } from "../../src/upstream/endpoint.ts";
import { createWholeNode, PRODUCTS, produce } from "./catalog-world.ts";
import type { BentCall } from "./simulated-node.ts";

/** A provider's bytes and what is said of them: the project's own, or an operator's recording. */
export type Recording = Provenance & { readonly folder: string };

const BYTES_MAX = 64_000;
const ENDPOINT = /^[a-z0-9_]+ (?:(?:GET|POST|WS) \/\S*(?: \w+=\w+)*|RPC \w+)$/;

export const listBytes = (endpoints: Recording["endpoints"]): readonly RecordedEntry[] =>
  endpoints.filter((one): one is RecordedEntry => one.kind !== "imagined");

/** What is wrong with how a recording is written down. */
export function findFormFaults({ provider, endpoints, folder }: Recording): readonly string[] {
  const files = listBytes(endpoints).map(({ file }) => file);
  const stray = readdirSync(folder).filter((name) => name !== "provenance.json" && !files.includes(name));
  return [
    ...stray.map((name) => `${provider}: nothing is said of ${name}`),
    ...endpoints.flatMap((entry) => {
      const fault = (what: string) => `${provider} ${entry.endpoint}: ${what}`;
      if (!ENDPOINT.test(`${provider} ${entry.endpoint}`)) return [fault("is no endpoint")];
      if (entry.kind === "imagined") return entry.looked.length > 10 ? [] : [fault("where was looked?")];
      const { size } = Bun.file(join(folder, entry.file));
      if (size === 0 || size >= BYTES_MAX) return [fault(`${entry.file} has ${size} bytes`)];
      return [entry.from, entry.licence].every((text) => text.length > 2) ? [] : [fault("from where, and whose?")];
    }),
  ];
}

/** An answer that is no refusal, and is no mere beginning. */
const isGood = ({ status = 200, cut }: RecordedEntry): boolean => status < 300 && !cut?.startsWith("the first");

/** A cut leaves fewer rows than a reader may want. */
const isOfCut = (message: string): boolean => /array length|rows/.test(message);

/**
 * Makes everything that asks the providers of the recordings, and answers with what was recorded: where a reader finds
 * another shape than it reads. What an answer means is not judged: it is of another day than what it is asked for.
 */
export async function findShapeFaults(recordings: readonly Recording[]): Promise<readonly string[]> {
  const faults = new Set<string>();
  const bytesFor = ({ provider, ...call }: BentCall): Uint8Array | undefined => {
    const recording = recordings.find((one) => one.provider === provider);
    const entry =
      recording && listBytes(recording.endpoints).find((one) => isGood(one) && isEndpoint(one.endpoint, call));
    return recording && entry && readFileSync(join(recording.folder, entry.file));
  };
  const is_cut = new Set(
    recordings.filter(({ endpoints }) => listBytes(endpoints).some(({ cut }) => cut)).map(({ provider }) => provider),
  );
  const node = createWholeNode({
    now_ms: Date.now(),
    bend: (answer, call) => {
      const bytes = bytesFor(call);
      return bytes ? new Response(bytes, { headers: answer.headers }) : answer;
    },
    log: (event) => {
      if (event.event !== "upstream_call" || event.ok || !event.message?.includes("unexpected shape")) return;
      if (is_cut.has(event.provider) && isOfCut(event.message)) return;
      faults.add(event.message);
    },
  });
  try {
    const asked = new Set(
      recordings.filter(({ endpoints }) => listBytes(endpoints).some(isGood)).map(({ provider }) => provider),
    );
    const asks = ({ providers }: { readonly providers: readonly { readonly id: string }[] }) =>
      providers.some(({ id }) => asked.has(id));
    for (const product of PRODUCTS.filter(({ definition }) => asks(definition))) {
      await produce(node, product).catch(() => undefined);
    }
    for (const job of registry.flatMap(({ jobs }) => jobs).filter(asks)) {
      await job.run(node.createContext()).catch(() => undefined);
    }
  } finally {
    node.close();
  }
  return [...faults].sort();
}
