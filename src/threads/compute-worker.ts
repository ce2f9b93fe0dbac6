/**
 * A thread of the pool that makes heavy answers of their inputs. It must be named as an entry point when the binary is
 * compiled: a worker that is not in it would never answer.
 */
import type { AnswerMaker } from "../catalog/make-answer.ts";
import type { AnyProduct } from "../catalog/product.ts";
import { MAKERS, type MadeOfInputs } from "../catalog/rendered-answer.ts";
import { createRounder } from "../catalog/round-data.ts";
import { compileSchema } from "../core/compile-schema.ts";
import { messageOf } from "../core/errors.ts";
import { startCost, THREAD_CLOCKS } from "../core/thread-cost.ts";
import { loadPluginFile } from "../plugin-host/load-plugins.ts";
import { decodeInputs, encodeInputs } from "../recompute/inputs-text.ts";
import { COMPUTING, type ComputeNews, type ComputeOrder, type ComputeSaid, READY } from "./compute-messages.ts";

declare const self: Worker;

type Known = Omit<AnswerMaker, "id">;

const tell = (said: ComputeSaid): void => self.postMessage(said);

const known = new Map<string, Known>();

/** The products of a file, by where they are sold by default. */
async function listProducts(file: string): Promise<readonly AnyProduct[]> {
  if (!file.startsWith("src/")) return (await loadPluginFile(file)).products.map(({ product }) => product);
  const { registry } = await import("../plugins/registry.gen.ts");
  const products = registry.flatMap((plugin) => plugin.products);
  return products.flatMap((one) => (one.file === file ? [one.product] : []));
}

async function find({ file, default_path }: ComputeOrder): Promise<Known> {
  const name = `${file} ${default_path}`;
  const found = known.get(name);
  if (found) return found;
  const definition = (await listProducts(file)).find(({ path }) => path === default_path);
  if (definition === undefined) throw new Error(`${file} has no product ${default_path}`);
  const round = createRounder(definition.data) ?? ((data: unknown) => data);
  const made = { definition, round, data_check: compileSchema(definition.data) };
  known.set(name, made);
  return made;
}

function describe(error: unknown, cpu_ms: number): ComputeNews {
  const { name, stack } = error instanceof Error ? error : new Error();
  try {
    return { thrown: encodeInputs(error instanceof Error ? error : new Error(messageOf(error))), name, stack, cpu_ms };
  } catch {
    // It holds what cannot be written down.
    return { thrown: encodeInputs(new Error(messageOf(error))), name, stack, cpu_ms };
  }
}

function compute(found: Known, wanted: keyof MadeOfInputs, order: ComputeOrder): ComputeNews {
  const { product: id, node_id, sandbox, now_ms, sources, row_warnings } = order;
  const readCost = startCost(THREAD_CLOCKS);
  try {
    const parts = { params: decodeInputs(order.params), inputs: decodeInputs(order.inputs), now_ms };
    const product = { ...found, id };
    const made = MAKERS[wanted]({ product, ...parts, sources, row_warnings }, { node_id, sandbox });
    return { made, cpu_ms: readCost() };
  } catch (error) {
    return describe(error, readCost());
  }
}

self.onmessage = async ({ data: order }: MessageEvent<ComputeOrder>) => {
  const found = await find(order).catch((error: unknown) => messageOf(error));
  if (typeof found === "string") return tell({ unknown: found });
  tell(COMPUTING);
  tell(order.wanted === "product" ? { made: null, cpu_ms: 0 } : compute(found, order.wanted, order));
};
tell(READY);
