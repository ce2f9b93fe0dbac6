/** A thread of the pool that does what its order's product is named after, for tests of the pool. */
import type { ComputeOrder } from "../../src/threads/compute-messages.ts";

declare const self: Worker;

self.onmessage = ({ data: { product, inputs } }: MessageEvent<ComputeOrder>) => {
  if (product === "unknown") return self.postMessage({ unknown: "no such product" });
  self.postMessage("computing");
  if (product === "exits") process.exit(3);
  if (product === "throws outside") throw new Error("outside of everything");
  while (product === "never ends") Bun.hash(inputs);
  return self.postMessage({ made: { body: inputs, as_of_ms: 1, generated_at_ms: 2, peer_price: null }, cpu_ms: 5 });
};
self.postMessage("ready");
