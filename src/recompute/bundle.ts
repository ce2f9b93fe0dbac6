import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { WrittenBy } from "../catalog/model-turns.ts";
import type { TermsClass } from "../catalog/provider.ts";
import { compileSchema } from "../core/compile-schema.ts";
import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { decodeInputs } from "./inputs-text.ts";
import type { Recipe } from "./recipe.ts";

const BUNDLE_FORMAT = "intel-node-bundle/1";

const hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const text = Type.String({ maxLength: 2_000 });
const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const open = { additionalProperties: true } as const;

const RecipeSchema = Type.Object({
  node_id: text,
  sandbox: Type.Boolean(),
  path: text,
  product: text,
  params: Type.String(),
  now_ms: Type.Integer(),
  sources: Type.Array(Type.Object({ provider: text, url: text, fetched_at: text, ok: Type.Boolean() }, open)),
  row_warnings: Type.Array(Type.String()),
  view: nullable(
    Type.Object({
      is_brief: Type.Boolean(),
      fields: Type.Array(text),
      key: text,
      lang: Type.Optional(Type.Literal("pt")),
    }),
  ),
  inputs_sha256: hash,
  made_by: text,
  point_in_time: Type.Optional(Type.Object({ as_of: text, made_at: text, answer_sha256: hash, inputs_sha256: hash })),
  changes: Type.Optional(Type.Object({ since: text, base: Type.String(), charged_usd: text })),
});

const Withheld = Type.Object({ provider: text, url: text, terms: text });

/** A sold answer with everything that determines it. Further members are kept but never used. */
export const BundleSchema = Type.Object(
  {
    format: Type.Literal(BUNDLE_FORMAT),
    recipe: RecipeSchema,
    code_sha256: nullable(hash),
    answer: Type.String(),
    response_sha256: hash,
    inputs: nullable(Type.String()),
    inputs_sha256: hash,
    withheld: Type.Array(Withheld),
  },
  open,
);
export type Bundle = Static<typeof BundleSchema>;

const isBundle = compileSchema(BundleSchema);

/** @throws Error with the fault of the bundle. */
export function parseBundle(json: string): Bundle {
  const given: unknown = JSON.parse(json);
  if (isBundle.Check(given)) return given as Bundle;
  const fault = isBundle.Errors(given).First();
  throw new Error(fault ? `it is no bundle: "${fault.path}": ${fault.message}` : "it is no bundle");
}

/** The contradictions in a bundle; empty if its parts match its hashes. */
export function listBundleFaults({
  answer,
  response_sha256,
  inputs,
  inputs_sha256,
  recipe,
}: Bundle): readonly string[] {
  return [
    ...(sha256Hex(answer) === response_sha256 ? [] : ["the answer is not the one that response_sha256 names"]),
    ...(inputs === null || sha256Hex(inputs) === inputs_sha256 ? [] : ["the inputs are not those inputs_sha256 names"]),
    ...(recipe.inputs_sha256 === inputs_sha256 ? [] : ["the recipe names other inputs"]),
  ];
}

/** The kept facts of an answer. */
export interface BundleParts {
  readonly sha256: string;
  readonly inputs_sha256: string;
  readonly code_sha256: string | null;
  readonly recipe: string;
  readonly body: string;
  readonly inputs: string;
}

export interface BundleReader {
  /** Whether the reader is the payer, who may get more than others. */
  readonly is_payer: boolean;
  /** Terms of a source by name; null for a source without terms, such as this node itself. */
  readonly termsOf: (provider: string) => TermsClass | null;
}

const FREE: readonly (TermsClass | null)[] = ["open", "attribution", null];
const FOR_PAYERS: readonly (TermsClass | null)[] = [...FREE, "unclear"];

/**
 * Sources of an answer whose data may not be passed on to a reader. Inputs are one text of all sources; if one source
 * may not be passed on, the hash and the addresses replace all inputs.
 */
export const listWithheld = (sources: Recipe["sources"], { is_payer, termsOf }: BundleReader): Bundle["withheld"] =>
  sources.flatMap(({ provider, url, ok }) => {
    const terms = termsOf(provider);
    const allowed = is_payer ? FOR_PAYERS : FREE;
    return !ok || allowed.includes(terms) ? [] : [{ provider, url, terms: terms ?? "unknown" }];
  });

/** Requests to models contain data of sources. If that may not be passed on, its hash replaces it. */
const describeWritten = (written: WrittenBy, is_withheld: boolean) => ({
  written: is_withheld ? null : written,
  written_sha256: sha256Hex(canonicalJSON(written)),
});

/** The bundle of one answer, without proofs, which the caller adds. */
export function createBundle(kept: BundleParts, reader: BundleReader): Bundle & { readonly params: unknown } {
  const { written, ...recipe } = JSON.parse(kept.recipe) as Recipe;
  const withheld = listWithheld(recipe.sources, reader);
  return {
    format: BUNDLE_FORMAT,
    params: decodeInputs(recipe.params),
    recipe: recipe as Bundle["recipe"],
    code_sha256: kept.code_sha256,
    answer: kept.body,
    response_sha256: kept.sha256,
    inputs: withheld.length > 0 ? null : kept.inputs,
    inputs_sha256: kept.inputs_sha256,
    withheld,
    ...(written === undefined ? {} : describeWritten(written, withheld.length > 0)),
  };
}
