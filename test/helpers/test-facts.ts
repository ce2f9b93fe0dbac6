import type { NodeFacts } from "../../src/catalog/node-facts.ts";

const NONE = { count: 0, amount_atomic: 0n };

/** What a node tells its products of itself, in tests: it has sold nothing yet. */
export const createTestFacts = (change: Partial<NodeFacts> = {}): NodeFacts => ({
  node_id: "in1test",
  public_key: "test-key",
  brand: "intel",
  name: "intel-node",
  version: "0.0.0-test",
  public_url: "https://node.example.com",
  started_at_ms: 0,
  askSelf: async () => ({ ok: false, rule: "url", reason: "no address", hops: [] }),
  listProducts: () => [],
  listPeers: () => [],
  provePayee: async (_, payee) => ({ ...payee, proven_by: "nothing", node_id: null, sandbox: false, steps: [] }),
  listModels: () => [],
  readReceiptTotals: async () => ({ organic: NONE, operator_test: NONE }),
  readLastSettledAt: async () => null,
  readPayer: async () => ({
    ...NONE,
    first_settled_at_ms: null,
    last_settled_at_ms: null,
    products: 0,
    is_capped: false,
  }),
  ...change,
});
