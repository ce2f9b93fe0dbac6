import { type Changes, createChanges, type KeptWhole } from "../calls/changes.ts";
import { canonicalJSON } from "../core/hash.ts";
import { decodeInputs } from "../recompute/inputs-text.ts";
import type { Recipe } from "../recompute/recipe.ts";
import type { KeptText } from "../stores/inputs-db.ts";
import type { InputsStore } from "../stores/inputs-store.ts";
import type { Core, StartOptions } from "./parts.ts";

/** What was sold a moment ago is on its way to the disk. */
async function readText(inputs: Pick<InputsStore, "getText" | "flush">, sha256: string): Promise<KeptText | null> {
  const kept = inputs.getText(sha256);
  if (kept !== null) return kept;
  await inputs.flush();
  return inputs.getText(sha256);
}

/** An answer with what it was asked for; of one that said only what had changed, the whole that came of it. */
async function findKept(inputs: Pick<InputsStore, "getText" | "flush">, sha256: string): Promise<KeptWhole | null> {
  const sold = await readText(inputs, sha256);
  if (sold === null) return null;
  const { path, params, view, changes } = JSON.parse(sold.recipe) as Recipe;
  const asked = { path, params: canonicalJSON(decodeInputs(params)), view: view?.key ?? "" };
  if (changes === undefined) return { ...asked, body: sold.body };
  const told = JSON.parse(sold.body) as { readonly changes: { readonly answer_sha256: string } };
  const whole = await readText(inputs, told.changes.answer_sha256);
  return whole && { ...asked, body: whole.body };
}

/** Sells what changed since an earlier answer. */
export const composeChanges = ({ config }: StartOptions, { ledger, inputs }: Core): Changes =>
  createChanges({
    receipts: ledger.receipts,
    statements: ledger.statements,
    origins: inputs,
    findKept: async (sha256) => (inputs === null ? null : findKept(inputs, sha256)),
    unchanged_share: config.proof.unchanged_share,
  });
