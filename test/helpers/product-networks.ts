/** Paths behind which a model writes: it may take longer than a payment on Solana or Algorand lasts. */
const SLOW = new Set(["/council-deep", "/deep-think", "/llm", "/v1/chat/completions"]);
const ALL = ["eip155", "solana", "algorand"];

/** Families of networks a path of the sandbox is sold on, in the order of its offers. */
export const networksOf = (path: string): readonly string[] => (SLOW.has(path) ? ALL.slice(0, 1) : ALL);
