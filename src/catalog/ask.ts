import { Value } from "@sinclair/typebox/value";
import { NodeError } from "../core/errors.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { Asks, FetchContext, PartsContext, Payer, Source } from "./context.ts";
import type { Envelope } from "./envelope.ts";
import type { ParsedParams } from "./params.ts";
import { withPayer } from "./payer.ts";
import type { SoldPart } from "./product.ts";
import { PluginFault } from "./provider-guard.ts";

/** How one run asks for other products. */
export interface AskingRun {
  /** The product or job that asks, for its faults. */
  readonly what: string;
  readonly asks: Asks | undefined;
  /** Fires when the asking run's time is up: it stops waiting, while the asked product's run goes on for others. */
  readonly signal: AbortSignal;
  /** The payer of the asking run. */
  readonly payer: Payer | null;
  readonly cite: (source: Source) => void;
  readonly find: (path: string) => CatalogProduct | undefined;
  /** A fresh or kept answer's body, whole and in the view that the request names. */
  readonly produce: (product: CatalogProduct, request: ParsedParams) => Promise<ProducedBody>;
  /** What a failed run called before it failed. */
  readonly sourcesOf: (error: unknown) => readonly Source[];
}

export interface ProducedBody {
  readonly whole: string;
  readonly shown: string;
}

/**
 * Another product's data as a buyer gets it: parsed parameters, its cache and single flight, its schema, its age limit.
 * Nothing is charged for it, and all it was made of is named in the asker's sources.
 */
export function createAsk(run: AskingRun): FetchContext["ask"] {
  return async (path, params, schema) => {
    if (!Object.hasOwn(run.asks ?? {}, path)) {
      throw new PluginFault(`${run.what} asks for ${path}, which is not among its asks`);
    }
    const product = findSold(run, path);
    const parsed = product.params.fromBody(params);
    const { missing } = parsed;
    if (missing[0] !== undefined) throw new PluginFault(`${run.what} asks for ${path} without "${missing[0]}"`);
    const { as_of, warnings, data } = (await answer(run, product, parsed)).envelope;
    if (Value.Check(schema, data)) return { as_of_ms: Date.parse(as_of), data, warnings };
    const fault = Value.Errors(schema, data).First();
    throw new PluginFault(`${run.what} reads "${fault?.path}" of ${path} otherwise than it is: ${fault?.message}`);
  };
}

/** The whole answers of a call's parts; everything else is as above. */
export function createPartReader(run: AskingRun, parts: readonly SoldPart[]): PartsContext["part"] {
  return async (index) => {
    const part = parts[index];
    if (part === undefined) throw new PluginFault(`${run.what} asks for part ${index} of ${parts.length}`);
    const { envelope, shown } = await answer(run, findSold(run, part.path), part.request);
    return { as_of_ms: Date.parse(envelope.as_of), body: shown };
  };
}

function findSold({ find }: AskingRun, path: string): CatalogProduct {
  const product = find(path);
  if (!product) throw new NodeError("upstream_unavailable", `${path} is not sold by this node.`);
  return product;
}

/** Whatever comes of it, what was called for it is named in the asker's sources. */
async function answer(run: AskingRun, product: CatalogProduct, parsed: ParsedParams) {
  const request = run.payer ? withPayer(product, parsed, run.payer) : parsed;
  const { whole, shown } = await within(run.signal, product, run.produce(product, request)).catch((error: unknown) => {
    for (const source of run.sourcesOf(error)) run.cite(source);
    throw error;
  });
  const envelope: Envelope = JSON.parse(whole);
  for (const source of envelope.sources) run.cite(source);
  return { envelope, shown };
}

/** @throws NodeError deadline_exceeded as soon as the signal fires. */
async function within<T>(signal: AbortSignal, { id }: CatalogProduct, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const leave = () => late.reject(new NodeError("deadline_exceeded", `${id} was not ready in time.`));
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
    late.promise.catch(() => undefined);
    // The loser of the race must not surface as an unhandled rejection.
    work.catch(() => undefined);
  }
}
