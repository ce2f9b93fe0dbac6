import type { ProviderDefinition } from "../../src/catalog/provider.ts";
import type { UpstreamRequest } from "../../src/catalog/request.ts";
import type { SimulatedNode } from "./simulated-node.ts";

/** One way of reading a provider. */
export interface NotedReader {
  readonly provider: ProviderDefinition;
  readonly request: UpstreamRequest<never>;
}

/** What is asked of a provider, as text to sort by. */
const addressOf = ({ request: { host = "", path, body } }: NotedReader): string => JSON.stringify([host, path, body]);

/**
 * The same node, which notes one request of each kind; `nameOf` says what a kind is. It is the one whose address sorts
 * first, so that it is the same one in whatever order they were made: a job makes several at a time.
 */
export function noteReaders<K>(
  node: SimulatedNode,
  readers: Map<K, NotedReader>,
  nameOf: (reader: NotedReader) => K,
): SimulatedNode {
  const note = <C extends { get: unknown }>(context: C): C => ({
    ...context,
    get(provider: ProviderDefinition, request: UpstreamRequest<never>) {
      const reader = { provider, request };
      const name = nameOf(reader);
      const known = readers.get(name);
      if (known === undefined || addressOf(reader) < addressOf(known)) readers.set(name, reader);
      return (context.get as (...args: unknown[]) => unknown)(provider, request);
    },
  });
  return {
    ...node,
    createRun: ((run: never) => note(node.createRun(run))) as SimulatedNode["createRun"],
    createContext: () => note(node.createContext()),
  };
}
