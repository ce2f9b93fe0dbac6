import type { ProviderDefinition } from "../../src/catalog/provider.ts";
import type { UpstreamRequest } from "../../src/catalog/request.ts";
import type { SimulatedNode } from "./simulated-node.ts";

/** One way of reading a provider. */
export interface NotedReader {
  readonly provider: ProviderDefinition;
  readonly request: UpstreamRequest<never>;
}

/** The same node, which notes the first request of each kind; `nameOf` says what a kind is. */
export function noteReaders<K>(
  node: SimulatedNode,
  readers: Map<K, NotedReader>,
  nameOf: (reader: NotedReader) => K,
): SimulatedNode {
  const note = <C extends { get: unknown }>(context: C): C => ({
    ...context,
    get(provider: ProviderDefinition, request: UpstreamRequest<never>) {
      const name = nameOf({ provider, request });
      if (!readers.has(name)) readers.set(name, { provider, request });
      return (context.get as (...args: unknown[]) => unknown)(provider, request);
    },
  });
  return {
    ...node,
    createRun: ((run: never) => note(node.createRun(run))) as SimulatedNode["createRun"],
    createContext: () => note(node.createContext()),
  };
}
