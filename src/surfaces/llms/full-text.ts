import type { TSchema } from "@sinclair/typebox";
import { type Detail, DOCUMENT_CHARS_MAX, renderParts } from "../openapi/detail.ts";
import { describePreviewsOf } from "../preview-text.ts";
import { priceText } from "../price-text.ts";
import type { SurfaceModel, SurfaceProduct } from "../types.ts";
import { describeType, type FieldText, listFields, oneLine } from "./fields.ts";
import { callsOf, plansOf, renderHead } from "./index-text.ts";

/** A further chapter, in Markdown: its own headings are of the third level. */
export interface Chapter {
  readonly title: string;
  readonly render: (model: SurfaceModel) => string;
}

/** Every product with parameters, fields and an example; cut as /openapi.json is when it grows too long. */
export function renderFullText(model: SurfaceModel, chapters: readonly Chapter[]): string {
  const head = [...renderHead(model), ...renderRules(model)];
  const tail = chapters.flatMap(({ title, render }) => {
    const text = render(model).trim();
    return text === "" ? [] : [`## ${title}`, "", text, ""];
  });
  const room = DOCUMENT_CHARS_MAX - [...head, ...tail].join("\n").length;
  const listed = [...callsOf(model), ...plansOf(model)];
  const parts = renderParts({
    products: listed,
    render: (product, detail) => ({ product, text: renderProduct(product, model, detail) }),
    sizeOf: ({ text }) => text.length,
    room,
  });
  const section = (title: string, plan: boolean) => {
    const own = parts.filter(({ product }) => (product.plan !== null) === plan).map(({ text }) => text);
    return own.length === 0 ? [] : [`## ${title}`, "", ...own];
  };
  const sold = [...section("Products", false), ...section("Prepaid", true)];
  return [...head, ...sold, ...tail].join("\n");
}

const renderRules = ({ node }: SurfaceModel): readonly string[] => [
  "## Rules",
  "",
  "- Parameters are strict: an unknown or wrong one is 422, which names it, before anything is charged.",
  "- Failure: 503 or 504 says the data could not be made; nothing is charged, and the same payment can be sent again.",
  "- Lost answer: send the same request with the same payment again; it is answered from the books, not charged twice.",
  `- Proof: ${node.public_url}/receipts/{X-Receipt-Id}/bundle, asked for with what paid, holds request, inputs, ` +
    "answer, receipt and seal; `intel-node recompute FILE` makes the same bytes of it, offline.",
  "- Answers are JSON: product, node_id, as_of, generated_at, delayed, sources, warnings, data. Below, fields are " +
    "those of data.",
  `- Prices: ${node.public_url}/get-pricing. Error codes: ${node.public_url}/errors. Terms: ${node.public_url}/terms.`,
  "",
];

const PLAN_ANSWER =
  "- Answer: plan, api_key (shown once; with X-API-Key that key is topped up instead), key_id, granted_atomic and " +
  "balance_atomic (or unlimited), expires_at, priority, receipt";

function renderProduct(product: SurfaceProduct, model: SurfaceModel, detail: Detail): string {
  const { title, description, methods, url, price_atomic, preview_delay_s, max_age_s, data, plan } = product;
  const of = describePreviewsOf(product);
  const kept = of === null ? "" : `, kept only for ${of}`;
  const full = `${model.node.public_url}/openapi.json?product=${encodeURIComponent(product.id)}`;
  return [
    `### ${oneLine(title)}`,
    "",
    oneLine(description),
    "",
    `- Path: ${methods.map((method) => `${method} ${url}`).join(", ")}`,
    `- Price: ${priceText(product)} ${plan ? "once" : "a call"} (${price_atomic} atomic USDC)`,
    ...renderMetering(product),
    ...(plan
      ? [PLAN_ANSWER, `- Preview: ${url}?preview=1, free: what it grants, in the fields below`]
      : [`- Preview: ${url}?preview=1, free, at least ${preview_delay_s} s old${kept}`]),
    ...(max_age_s === null ? [] : [`- Age: data whose as_of is more than ${max_age_s} s ago is refused, not charged`]),
    `- Failure: no data, no charge`,
    ...(detail === "whole" ? [] : [`- Whole schema and example: ${full}`]),
    "",
    ...renderParameters(product),
    ...renderFields(listFields(data), detail),
    ...(detail === "whole" ? renderExample(product) : []),
  ].join("\n");
}

const renderMetering = ({ metering }: SurfaceProduct): readonly string[] =>
  metering === undefined
    ? []
    : [
        `- By ${metering.charged_to.join(", ")}: ` +
          `${metering.floor} to ${metering.ceiling} atomic USDC, ${metering.formula}`,
      ];

function renderParameters({ params }: SurfaceProduct): readonly string[] {
  const required: readonly string[] = params.required ?? [];
  const rows = Object.entries(params.properties as Record<string, TSchema>).map(([name, schema]) => {
    const use = required.includes(name) && schema.default === undefined ? "required" : "optional";
    const fallback = schema.default === undefined ? "" : `, default ${oneLine(JSON.stringify(schema.default))}`;
    return `| ${name} | ${oneLine(describeType(schema))} | ${use}${fallback} | ${oneLine(schema.description ?? "")} |`;
  });
  if (rows.length === 0) return ["Parameters: none.", ""];
  return ["| Parameter | Type | Use | Meaning |", "|---|---|---|---|", ...rows, ""];
}

function renderFields(fields: readonly FieldText[], detail: Detail): readonly string[] {
  if (detail === "bare") return [];
  const first = fields.filter(({ path }) => !path.includes("."));
  if (detail === "names") return [`Fields: ${first.map(({ path }) => path).join(", ")}.`, ""];
  const shown = detail === "flat" ? first : fields;
  const rows = shown.map(({ path, type, description }) => {
    const told = detail === "short" && path.includes(".") ? "" : description;
    return `| ${path} | ${oneLine(type)} | ${told} |`;
  });
  return ["| Field | Type | Meaning |", "|---|---|---|", ...rows, ""];
}

function renderExample({ method, url, example }: SurfaceProduct): readonly string[] {
  const query = new URLSearchParams(
    Object.entries(example.params).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
  const call =
    method === "GET"
      ? `GET ${url}${query.size > 0 ? `?${query}` : ""}`
      : `POST ${url} with ${JSON.stringify(example.params)}`;
  const fence = "```";
  return [
    `Example: \`${call.replaceAll("`", "'")}\``,
    "",
    `${fence}json`,
    JSON.stringify({ as_of: example.as_of, data: example.data }),
    fence,
    "",
  ];
}
