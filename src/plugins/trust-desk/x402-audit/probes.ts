import {
  compareText,
  type FetchContext,
  type GuardedFailure,
  type GuardedResult,
  NodeError,
  type Probe,
  readChallenge,
} from "intel-node";

const HEADERS = { accept: "application/json" } as const;
/** Rules the buyer broke by what he asked for. */
const REFUSED: readonly string[] = ["url", "port", "host", "address"];
/** A seller is slow from 5 s on; together with the pauses both judged probes end within the product's deadline. */
const PROBE_TIMEOUT_MS = 5_300;
const DOCUMENT_TIMEOUT_MS = 4_000;
/** Manifests and OpenAPI documents of large nodes. */
const DOCUMENT_BYTES_MAX = 1_048_576;

/** The audited seller and its address. */
export interface AuditTarget {
  /** What is named when he cannot be asked at all. */
  readonly url: string;
  readonly is_self: boolean;
  readonly ask: (timeout_ms?: number) => Promise<GuardedResult>;
  /** Asks for another path of where the first answer came from. */
  readonly askBeside: (url: string, path: `/${string}`) => Promise<GuardedResult>;
}

/** A seller that a buyer named. */
export const createTarget = (context: FetchContext, url: string): AuditTarget => ({
  url,
  is_self: false,
  ask: (timeout_ms = PROBE_TIMEOUT_MS) => context.askStranger({ url, headers: HEADERS, timeout_ms }),
  askBeside: (answered, path) =>
    context.askStranger({
      url: new URL(path, answered).href,
      headers: HEADERS,
      redirects_same_origin: true,
      bytes_max: DOCUMENT_BYTES_MAX,
      timeout_ms: DOCUMENT_TIMEOUT_MS,
    }),
});

/**
 * This node at its public address, by the cheapest of what it sells.
 * @throws NodeError upstream_unavailable when it sells nothing.
 */
export function createSelfTarget({ node, signal }: FetchContext): AuditTarget {
  const [sold] = node
    .listProducts()
    .filter(({ is_plan, methods }) => !is_plan && methods.includes("GET"))
    .toSorted((a, b) => Number(a.price_atomic - b.price_atomic) || compareText(a.path, b.path));
  if (!sold) throw new NodeError("upstream_unavailable", "This node sells nothing that could be audited.");
  return {
    url: `${node.public_url ?? ""}${sold.path}`,
    is_self: true,
    ask: () => node.askSelf(sold.path, signal),
    askBeside: (_, path) => node.askSelf(path, signal),
  };
}

/**
 * @throws NodeError invalid_parameter for an address that must not be called, upstream_unavailable for one that is
 * silent.
 */
export async function probe(target: AuditTarget): Promise<Probe | GuardedFailure> {
  const started = performance.now();
  const answer = await target.ask();
  if (answer.ok) {
    return {
      answer,
      terms: readChallenge(answer).stated,
      took_ms: Math.round(performance.now() - started),
    };
  }
  if (!target.is_self && REFUSED.includes(answer.rule)) {
    throw new NodeError("invalid_parameter", `url: ${answer.reason}`, { param: "url" });
  }
  if (answer.rule === "tls" || answer.rule === "redirect") return answer;
  const who = target.is_self ? "This node's own public address" : "The target";
  throw new NodeError("upstream_unavailable", `${who} cannot be reached: ${answer.reason}`);
}
