import type { CatalogProduct } from "./catalog.ts";
import type { AnswerParts } from "./make-answer.ts";
import type { MadeOfInputs } from "./rendered-answer.ts";

/** Inputs that another thread shall compute with. */
export interface BesideOrder extends AnswerParts {
  /** The inputs as text, where that was written already. */
  readonly text: string | null;
}

export interface BesideHow {
  /** Ends the work when it fires: the thread that does it too. */
  readonly signal: AbortSignal;
  /** Does one piece of work of the serving thread when it is its turn. */
  readonly inTurn: <T>(piece: () => T) => Promise<T>;
  readonly is_patient: boolean;
}

/** One production of an answer, from its first call to its last byte. */
export interface Production {
  /** Does a piece of work of the serving thread, and counts what it costs. */
  count<T>(piece: () => T): T;
  /** The same for the piece that makes the answer of its inputs. */
  countRender<T>(piece: () => T): T;
  /**
   * Makes an answer, or the views of a preview, in another thread.
   * @returns null where it has to be made in this one: its product is light, or its inputs cannot be written down.
   * @throws NodeError overloaded, deadline_exceeded, product_failed; else what the product throws.
   */
  makeBeside<K extends keyof MadeOfInputs>(
    wanted: K,
    order: BesideOrder,
    how: BesideHow,
  ): Promise<MadeOfInputs[K] | null>;
  /** To be called once, whatever came of it. */
  end(): void;
}

/** Does the work of answers: light work in place, heavy work beside the serving thread. */
export interface Workshop {
  /**
   * @param is_part what asks for it was let in already: it is not held back.
   * @throws NodeError overloaded while work as heavy as this product's is held back.
   */
  begin(product: CatalogProduct, is_part: boolean): Production;
}

/** Does everything where it is, and holds nothing back. */
export const PLAIN_WORKSHOP: Workshop = {
  begin: () => ({
    count: (piece) => piece(),
    countRender: (piece) => piece(),
    makeBeside: async () => null,
    end: () => undefined,
  }),
};
