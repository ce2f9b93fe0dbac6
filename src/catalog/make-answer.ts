import { renderTime } from "../core/clock.ts";
import type { ToldLanguage } from "../grounding/teller.ts";
import type { CatalogProduct } from "./catalog.ts";
import { type Chart, parseCharts, roundCharts } from "./chart.ts";
import { settleComputed } from "./computed.ts";
import { createEnvelope, type Envelope, type Via } from "./envelope.ts";
import { renderInForm } from "./form.ts";
import { ownLanguage, tellGist } from "./gist.ts";
import type { Listed } from "./listed.ts";
import type { Source } from "./source.ts";
import { applyView, type View } from "./view.ts";

/** The parts of an answer before they are wrapped; what a snapshot stores. */
export interface Produced {
  readonly as_of_ms: number;
  readonly generated_at_ms: number;
  readonly sources: readonly Source[];
  readonly warnings: readonly string[];
  readonly data: unknown;
  /** Set where a peer made it. */
  readonly via?: Via;
  /** Set where a parameter of the product's own asks for another language than English. */
  readonly lang?: ToldLanguage | undefined;
  /** Of snapshots of products that draw some. */
  readonly charts?: readonly Chart[];
  /** Of snapshots of products that count what they list. */
  readonly listed?: Listed;
}

/** Everything that determines the bytes of an answer: the same parts always give the same bytes. */
export interface AnswerParts {
  readonly params: unknown;
  readonly inputs: unknown;
  readonly now_ms: number;
  readonly sources: readonly Source[];
  /** What was left out of lists while they were read; said after what the product says. */
  readonly row_warnings: readonly string[];
}

/** The part of a product that its answers depend on. */
export type AnswerMaker = Pick<CatalogProduct, "id" | "definition" | "data_check" | "round">;

export interface FinishAnswer extends AnswerParts {
  readonly product: AnswerMaker;
  readonly redact?: ((data: unknown) => unknown) | undefined;
  readonly listed?: ((data: unknown) => Listed) | undefined;
  readonly charts?: ((view: { data: unknown; inputs: unknown }) => readonly Chart[]) | undefined;
  readonly rowCharts?: ((shown: unknown) => readonly Chart[]) | undefined;
}

/** Computes and checks. Data that does not match the published schema is never sold. */
export function computeProduced({ product, params, inputs, now_ms, ...more }: FinishAnswer): Produced {
  const { sources, row_warnings, redact, listed, charts, rowCharts } = more;
  const computed = settleComputed(product.definition.compute(inputs, { params, now_ms }));
  const whole = product.round(computed.data);
  // A figure that only a preview has is rounded as the others are.
  const data = redact ? product.round(redact(whole)) : whole;
  const fault = product.data_check.Check(data) ? undefined : product.data_check.Errors(data).First();
  if (fault) throw new Error(`data does not match its schema at "${fault.path}": ${fault.message}`);
  const drawn =
    charts || rowCharts ? [...(charts?.({ data: whole, inputs }) ?? []), ...(rowCharts?.(data) ?? [])] : null;
  const lang = ownLanguage(params);
  if (!Number.isFinite(computed.as_of_ms)) throw new Error("as_of_ms is not a time");
  return {
    as_of_ms: computed.as_of_ms,
    generated_at_ms: now_ms,
    sources,
    warnings: [...computed.warnings, ...row_warnings],
    data,
    ...(lang === undefined ? {} : { lang }),
    ...(drawn ? { charts: roundCharts(parseCharts(drawn)) } : {}),
    ...(listed ? { listed: listed(whole) } : {}),
  };
}

/** The node that answers, as named in every envelope. */
export interface Answerer {
  readonly node_id: string;
  readonly sandbox: boolean;
}

/** The bytes that are sold, as text. An answer that does not match the published schema is never sold. */
export const renderAnswer = (product: AnswerMaker, produced: Produced, { node_id, sandbox }: Answerer): string =>
  JSON.stringify(wrap(product, envelopeOf(product, produced, { node_id, sandbox })));

function envelopeOf({ id, definition }: AnswerMaker, produced: Produced, { node_id, sandbox }: Answerer): Envelope {
  const { data, as_of_ms, lang } = produced;
  const gist = tellGist(definition, { data, as_of: renderTime(as_of_ms), lang });
  return createEnvelope({ product: id, node_id, sandbox, ...produced, gist });
}

type NamedDefinition = Pick<AnswerMaker, "definition">;

/** An answer with its sentence in a language. */
export function tellIn(lang: ToldLanguage, envelope: Envelope, { definition }: NamedDefinition): Envelope {
  const { data, as_of } = envelope;
  const told = tellGist(definition, { data, as_of, lang });
  return told === null ? envelope : { ...envelope, ...told };
}

/** A view of an answer, in the requested language. */
export function viewEnvelope(envelope: Envelope, view: View, product: NamedDefinition): object {
  const told = view.lang === undefined ? envelope : tellIn(view.lang, envelope, product);
  return applyView(told, view, product.definition.long ?? []);
}

/** A view of an answer's text. */
export const renderView = (body: string, view: View, product: NamedDefinition): string =>
  JSON.stringify(viewEnvelope(JSON.parse(body), view, product));

/** Puts an answer into its form. The result is sold only if it matches the schema. */
function wrap({ definition, data_check }: AnswerMaker, envelope: Envelope): unknown {
  const { form } = definition;
  const whole = renderInForm(form, envelope);
  const fault = form === undefined || data_check.Check(whole) ? undefined : data_check.Errors(whole).First();
  if (fault) throw new Error(`the answer does not match its schema at "${fault.path}": ${fault.message}`);
  return whole;
}
