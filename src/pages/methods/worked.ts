import type { SurfaceProduct } from "../../surfaces/types.ts";
import { type Html, html } from "../html.ts";
import { renderMoment } from "../parts.ts";
import type { Words } from "../words.ts";
import { type WorkedFormula, workOut } from "./evaluate.ts";
import { type Formula, type FormulaValue, parseFormula, readMember, replacePaths } from "./formula.ts";

/** An answer to compute formulas on. */
export interface WorkedSample {
  readonly data: unknown;
  /** ISO 8601. */
  readonly as_of: string;
}

interface WorkedOptions {
  readonly formulas: readonly string[];
  readonly sample: WorkedSample | null;
  readonly product: SurfaceProduct;
  readonly words: Words;
}

/** Members of a list that are shown; the rest is counted. */
const SHOWN_MAX = 8;

const showValue = (value: FormulaValue | null): string => {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value === "string" ? `"${value}"` : String(value);
  const rest = value.length - SHOWN_MAX;
  const shown = value.slice(0, SHOWN_MAX).map(showValue);
  return `[${[...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join(", ")}]`;
};

/**
 * A product's formulas computed with the figures of its newest free answer, beside the figures that this answer states.
 * Formulas with a withheld figure use the example of the reference.
 */
export function renderWorked({ formulas, sample, product, words }: WorkedOptions): Html {
  const { say } = words;
  const parsed = formulas.map(parseFormula);
  const lately = sample === null ? [] : listWorked(parsed, sample.data);
  const known = new Set(lately.map(({ formula }) => formula));
  const others = parsed.filter((formula) => !known.has(formula));
  // The example of the reference is shortened; a formula that needs a missing part is not shown.
  const typical = listWorked(others, product.example.data).filter(({ agrees }) => agrees);
  if (lately.length + typical.length === 0) return html``;
  return html`<section aria-labelledby="worked-example"><h2 id="worked-example">${say("Worked example")}</h2>
${
  sample === null || lately.length === 0
    ? ""
    : html`<p class="soft small">${say("Worked out just now, from the figures of the free sample:")}
${renderMoment(Date.parse(sample.as_of), words)}</p>${lately.map((one) => renderFormula(one, sample.data, words))}`
}${
  typical.length === 0
    ? ""
    : html`<p class="soft small">${say("Worked out just now, from the figures of the example in the reference:")}
</p>${typical.map((one) => renderFormula(one, product.example.data, words))}`
}</section>`;
}

const listWorked = (formulas: readonly Formula[], data: unknown): readonly WorkedFormula[] =>
  formulas.flatMap((formula) => workOut(formula, data) ?? []);

function renderFormula({ formula, result, stated, agrees }: WorkedFormula, data: unknown, words: Words): Html {
  const { say, number } = words;
  const show = (value: number): string => number(value, { maximumSignificantDigits: 8 });
  const numbers = replacePaths(formula.text, (path) => showValue(readMember(data, path)));
  const told =
    stated === null
      ? ""
      : agrees
        ? say("The answer says {0}: the same, as far as its figures are rounded.", show(stated))
        : say("The answer says {0}: not the same.", show(stated));
  return html`<pre tabindex="0" class="worked" lang="en"><code>${formula.title} = ${formula.text}
${" ".repeat(formula.title.length)} = ${numbers}</code></pre>
<p class="num"><strong>= ${show(result)}</strong> <span class="soft small">${told}</span></p>`;
}
