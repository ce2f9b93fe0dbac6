import { isJson, type Json } from "../../src/pages/json.ts";
import { jsonAt, list, text } from "../../src/pages/schema-table.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { renderOpenAPI, renderProductOpenAPI } from "../../src/surfaces/openapi/document.ts";
import { createTestModel } from "./surface-model.ts";

/** English texts that say what parts of the API mean, as readers of its documents meet them. */
export interface APITexts {
  /** Of the fields of answers: every product's data, plans, the envelope, problems. */
  readonly fields: ReadonlySet<string>;
  /** Of parameters and bodies, of free paths, and the terms of sources. */
  readonly texts: ReadonlySet<string>;
}

/** Whatever schemas a schema is made of. */
const listParts = (schema: Json): readonly unknown[] => [
  ...Object.values(jsonAt(schema, "properties")),
  ...Object.values(jsonAt(schema, "patternProperties")),
  ...["anyOf", "oneOf", "allOf", "prefixItems", "items"].flatMap((name) => list(schema[name])),
  schema.items,
  schema.additionalProperties,
];

/** What a schema says of itself and of its fields, at any depth. */
function listDescriptions(schema: unknown): readonly string[] {
  if (!isJson(schema)) return [];
  const own = textAt(schema, "description");
  return [...(own === "" ? [] : [own]), ...listParts(schema).flatMap(listDescriptions)];
}

const textAt = (value: unknown, name: string): string => text(isJson(value) ? value[name] : undefined);
const listSchemas = (holders: unknown): readonly unknown[] =>
  Object.values(isJson(holders) ? holders : {}).map((one) => jsonAt(one, "schema"));

/** Of paths that ask for something in a body, or say in place what they answer. */
function readOperation(operation: Json): { readonly asked: readonly string[]; readonly answered: readonly string[] } {
  const parameters = list(operation.parameters).filter(isJson);
  const bodies = listSchemas(jsonAt(operation, "requestBody", "content"));
  const answers = Object.values(jsonAt(operation, "responses")).flatMap((one) => listSchemas(jsonAt(one, "content")));
  return {
    asked: [
      ...parameters.map((one) => textAt(one, "description")),
      ...parameters.flatMap(({ schema }) => listDescriptions(schema)),
      ...bodies.flatMap(listDescriptions),
    ],
    answered: answers.flatMap(listDescriptions),
  };
}

/** Those of a public node with all built-in products. A text of both kinds is one of `texts`. */
export function listAPITexts(): APITexts {
  const model = createTestModel();
  const document = renderOpenAPI(model);
  const paid = new Set(model.products.map(({ path }) => path));
  // With those that not every node sells, such as what needs a model.
  const products = [...registry.flatMap((plugin) => plugin.products.map((one) => one.product)), ...model.products];
  const paths = Object.entries(jsonAt(document, "paths"));
  // The document of all products says less of each the more there are: what was left out stands in that of each one.
  const alone = model.products.flatMap((product) =>
    Object.entries(jsonAt(renderProductOpenAPI(product, model), "paths")),
  );
  const operations = [...paths, ...alone].flatMap(([, item]) => Object.values(isJson(item) ? item : {}).filter(isJson));
  const free = paths.flatMap(([path, item]) => (paid.has(path) || !isJson(item) ? [] : Object.values(item)));
  const read = operations.map(readOperation);
  const texts = [
    ...products.flatMap(({ params }) => listDescriptions(params)),
    ...products.flatMap(({ providers }) => providers.map(({ terms }) => terms.note)),
    ...read.flatMap(({ asked }) => asked),
    ...Object.values(jsonAt(document, "components", "parameters")).map((one) => textAt(one, "description")),
    ...free.map((one) => textAt(one, "summary")),
  ].filter((one) => one !== "");
  const fields = [
    ...products.flatMap(({ data }) => listDescriptions(data)),
    ...Object.values(jsonAt(document, "components", "schemas")).flatMap(listDescriptions),
    ...read.flatMap(({ answered }) => answered),
  ];
  const asked = new Set(texts);
  return { fields: new Set(fields.filter((one) => !asked.has(one))), texts: asked };
}
