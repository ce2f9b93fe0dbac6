import { type Static, Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";

const Data = Type.Object({ n: Type.Number() });

/** What products of a test need that is nobody's concern there. */
export const PLAIN_PRODUCT = {
  category: "test",
  tags: ["test"],
  params: Type.Object({ q: Type.Optional(Type.String({ maxLength: 100 })) }),
  data: Data,
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [],
  requires: [],
  deadline_ms: 5_000,
  preview: { every: "24h" },
};

interface RelayedOptions {
  /** "0s" unless given. */
  readonly ttl?: string;
  /** False for one price. */
  readonly metered?: boolean;
}

/** Products that pass on the call of a peer for 0.01 USD, and what the peer does. */
export function createRelayed() {
  const peer = {
    /** What it is paid in the next answer, atomic; the charge is a tenth of it, from 1,000 on. */
    price: 25_000,
    fails: false,
    /** Done once, while its answer is made. */
    between: async () => undefined as unknown,
  };
  const product = (path: `/${string}`, { ttl = "0s", metered = true }: RelayedOptions = {}) =>
    defineProduct({
      ...PLAIN_PRODUCT,
      path,
      title: path,
      description: "A relayed call of the tests.",
      price_usd: "0.01",
      ttl,
      ...(metered ? { metered: { by: "peer_price", read: ({ n }: Static<typeof Data>) => BigInt(n) } as const } : {}),
      fetch: async () => {
        if (peer.fails) throw new Error("no data");
        const { between } = peer;
        peer.between = async () => undefined;
        await between();
        return peer.price;
      },
      compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n: Number(n) }, warnings: [] }),
    });
  return { peer, product };
}
