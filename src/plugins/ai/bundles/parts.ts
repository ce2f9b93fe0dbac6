import { Type } from "@sinclair/typebox";
import { type FetchContext, NodeError, type OtherAnswer, outcomeOf, toNodeError } from "intel-node";
import type { SignalName } from "./signals.ts";

/** One product of a bundle. */
export interface BundlePart {
  readonly path: `/${string}`;
  readonly params: Readonly<Record<string, string>>;
  /** How its data are read for a direction: a name, because inputs are plain data. */
  readonly signal: SignalName;
}

export interface AnsweredPart extends BundlePart {
  readonly price_atomic: bigint;
  readonly answer: OtherAnswer<Record<string, unknown>>;
}

export interface BundleInputs {
  readonly parts: readonly AnsweredPart[];
  readonly price_atomic: bigint;
}

const Data = Type.Object({}, { additionalProperties: true });

/** As a product's `asks`: without one of its parts a bundle is not sold. */
export const asksOf = (parts: readonly BundlePart[]): Readonly<Record<`/${string}`, "needed">> =>
  Object.fromEntries(parts.map(({ path }) => [path, "needed"]));

/**
 * Every part at once, through its own cache. All are essential: a bundle with a missing part is not sold.
 * @throws NodeError naming the unavailable parts; or when the parts together do not cost more than the bundle.
 */
export async function fetchBundle(
  context: FetchContext,
  { path, parts }: { readonly path: string; readonly parts: readonly BundlePart[] },
): Promise<BundleInputs> {
  const sold = new Map<string, bigint>(context.node.listProducts().map((one) => [one.path, one.price_atomic]));
  const price_atomic = sold.get(path) ?? 0n;
  const answers = await Promise.all(parts.map((part) => outcomeOf(context.ask(part.path, part.params, Data))));
  const failed = parts.filter((_, index) => !answers[index]?.ok).map((part) => part.path);
  if (failed.length > 0) {
    const errors = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));
    throw toNodeError(errors, `${failed.join(", ")} of the bundle`);
  }
  const answered = parts.flatMap((part, index): readonly AnsweredPart[] => {
    const answer = answers[index];
    return answer?.ok ? [{ ...part, price_atomic: sold.get(part.path) ?? 0n, answer: answer.value }] : [];
  });
  if (answered.reduce((sum, part) => sum + part.price_atomic, 0n) <= price_atomic) {
    throw new NodeError("upstream_unavailable", "The parts cost no more than the bundle: buy them one by one.");
  }
  return { parts: answered, price_atomic };
}
