import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CatalogProduct } from "../catalog/catalog.ts";
import type { Answerer } from "../catalog/make-answer.ts";
import type { MadeOfInputs } from "../catalog/rendered-answer.ts";
import type { WorkCosts } from "../catalog/work-costs.ts";
import type { BesideHow, BesideOrder, Production, Workshop } from "../catalog/workshop.ts";
import type { BrakeStatus, LoopBrake } from "../core/loop-brake.ts";
import { startCost, type ThreadClocks } from "../core/thread-cost.ts";
import { encodeInTurns } from "../recompute/inputs-parts.ts";
import { encodeInputs, NotPlainError } from "../recompute/inputs-text.ts";
import type { ComputePool, ComputePoolStatus } from "./compute-pool.ts";

/** The node's workshop, and how it stands with it. */
export interface NodeWorkshop extends Workshop {
  /** Files of products have changed. */
  renew(): void;
  /** Null where everything is done in the serving thread. */
  pool(): ComputePoolStatus | null;
  /** Null where nothing is ever held back. */
  brake(): BrakeStatus | null;
  close(): void;
}

export interface WorkshopParts extends Answerer {
  readonly pool: ComputePool | null;
  readonly costs: WorkCosts;
  readonly brake: LoopBrake | null;
  readonly clocks: ThreadClocks;
}

/** Ours are named from the root of the sources. */
const isBuiltIn = (file: string): boolean => file.startsWith("src/");

/**
 * Heavy work goes to the pool, as measured. What an operator wrote himself always does: nobody else has seen it, and
 * only a separate thread can be stopped if it never ends.
 */
export function createWorkshop(parts: WorkshopParts): NodeWorkshop {
  const { pool, costs, brake, clocks, ...answerer } = parts;
  const { elapsed_ms } = clocks;
  /** By definition: a reload brings another one. */
  const not_plain = new WeakSet<object>();
  const own_files = new Map<string, boolean>();
  const isOwnFile = (file: string): boolean => {
    const known = own_files.get(file) ?? (isAbsolute(file) && existsSync(file));
    own_files.set(file, known);
    return known;
  };
  const takes = ({ file, path, definition }: CatalogProduct): boolean =>
    !not_plain.has(definition) && (isBuiltIn(file) ? costs.isHeavy(path) : isOwnFile(file));

  const writeText = async (order: BesideOrder, inTurn: BesideHow["inTurn"]): Promise<string | null> => {
    if (order.text !== null) return order.text;
    try {
      return await encodeInTurns(order.inputs, { inTurn, elapsed_ms });
    } catch (error) {
      if (error instanceof NotPlainError) return null;
      throw error;
    }
  };

  const createProduction = (product: CatalogProduct): Production => {
    let [render_ms, total_ms] = [0, 0];
    const count = <T>(piece: () => T): T => {
      const readCost = startCost(clocks);
      try {
        return piece();
      } finally {
        total_ms += readCost();
      }
    };
    const endWatch = brake?.watch();
    return {
      count,
      countRender(piece) {
        const before_ms = total_ms;
        try {
          return count(piece);
        } finally {
          render_ms += total_ms - before_ms;
        }
      },
      async makeBeside<K extends keyof MadeOfInputs>(wanted: K, order: BesideOrder, how: BesideHow) {
        if (pool === null || !takes(product)) return null;
        const { signal, inTurn, is_patient } = how;
        const inputs = await writeText(order, (piece) => inTurn(() => count(piece)));
        if (inputs === null) {
          not_plain.add(product.definition);
          return null;
        }
        const { file, default_path, id } = product;
        const { params, now_ms, sources, row_warnings } = order;
        const made_of = { params: encodeInputs(params), inputs, now_ms, sources, row_warnings };
        const told = { wanted, file, default_path, product: id, ...made_of, ...answerer };
        const computed = await pool.compute({ order: told, signal, is_patient, is_harmless: isBuiltIn(file) });
        render_ms += computed?.cpu_ms ?? 0;
        // The thread made what it was asked for.
        return (computed?.made ?? null) as MadeOfInputs[K] | null;
      },
      end() {
        endWatch?.();
        if (render_ms > 0) costs.note(product.path, { render_ms, total_ms });
      },
    };
  };

  return {
    begin(product, is_part) {
      if (!is_part) brake?.assertFree(costs.totalOf(product.path));
      return createProduction(product);
    },
    renew() {
      own_files.clear();
      pool?.renew();
    },
    pool: () => pool?.status() ?? null,
    brake: () => brake?.status() ?? null,
    close: () => pool?.close(),
  };
}
