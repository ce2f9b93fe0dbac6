/**
 * The thread that keeps what answers were made of: it hashes, packs and writes, so that serving never waits for it. It
 * must be named as an entry point when the binary is compiled.
 */
import type { Database } from "bun:sqlite";
import { messageOf } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { codeOf } from "../recompute/code-digest.ts";
import type { Recipe } from "../recompute/recipe.ts";
import { createInputsWriter, hashQuestion, type InputsRow, type InputsWriter, openInputsDb } from "./inputs-db.ts";
import type { InputsCall, InputsNews, InputsOrder, InputsStart } from "./inputs-messages.ts";

declare const self: Worker;

/** Room is made no more often: it reads the sizes of everything. */
const PRUNE_EVERY_MS = 30_000;

let start: InputsStart | null = null;
let db: Database | null = null;
let writer: InputsWriter | null = null;
let pruned_at_ms = Number.NEGATIVE_INFINITY;

const tell = (news: InputsNews): void => self.postMessage(news);

function open(order: InputsStart): void {
  const opened = openInputsDb(order.file, order.now_ms);
  [start, db, writer] = [order, opened.db, createInputsWriter(opened.db)];
  tell({ ready: true, put_aside: opened.put_aside });
}

const toRow = ({ product_file, ...order }: InputsOrder): InputsRow => ({
  ...order,
  sha256: sha256Hex(order.body),
  code_sha256: codeOf(product_file),
  asked: order.inputs === null ? null : questionOf(order.recipe),
});

function questionOf(recipe: string): string {
  const { path, params } = JSON.parse(recipe) as Recipe;
  return hashQuestion(path, params);
}

function keep(orders: readonly InputsOrder[], now_ms: number): void {
  if (writer === null || start === null) throw new Error("the inputs are not open");
  let [kept, ended, fault]: [number, number, string | null] = [0, 0, null];
  try {
    kept = writer.add(orders.map(toRow));
    if (Math.abs(now_ms - pruned_at_ms) >= PRUNE_EVERY_MS) {
      ended = writer.prune({ before_ms: now_ms - start.keep_ms, bytes_max: start.bytes_max });
      pruned_at_ms = now_ms;
    }
  } catch (error) {
    fault = messageOf(error);
  }
  tell({ done: orders.length, kept, ended, bytes: fault === null ? writer.bytes() : 0, fault });
}

self.onmessage = ({ data }: MessageEvent<InputsCall | "close">) => {
  if (data === "close") {
    db?.close();
    // The next store is opened as by a new thread.
    [start, db, writer, pruned_at_ms] = [null, null, null, Number.NEGATIVE_INFINITY];
    self.postMessage("closed");
  } else if ("start" in data) open(data.start);
  else keep(data.orders, data.now_ms);
};
