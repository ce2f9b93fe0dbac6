import type { ChainFaults } from "./chain-faults.ts";
import type { SandboxChain } from "./chains/types.ts";

/** A chain at a separate address without a path, because some official clients drop the path of a node's URL. */
export interface ChainServer {
  readonly rpc_name: string;
  readonly url: string;
  stop(): Promise<void>;
}

const BODY_BYTES_MAX = 262_144;

/** Serves on loopback every chain that answers at a separate address. */
export function serveChains(chains: readonly SandboxChain[], faults: ChainFaults): readonly ChainServer[] {
  return chains.flatMap((chain) => {
    const { rpc_name, handle } = chain;
    if (!handle) return [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      reusePort: false,
      maxRequestBodySize: BODY_BYTES_MAX,
      idleTimeout: 255,
      development: false,
      fetch: (request) => faults.respond(chain, request, (view) => handle(request, view ?? undefined)),
      error: (error) => Response.json({ message: error.message }, { status: 500 }),
    });
    return [{ rpc_name, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }];
  });
}
