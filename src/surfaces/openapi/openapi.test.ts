import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { TSchema } from "@sinclair/typebox";
import Ajv2020 from "ajv/dist/2020";
import { createTestModel, postProduct } from "../../../test/helpers/surface-model.ts";
import { renderProductTool } from "../mcp-tools.ts";
import type { SurfaceModel } from "../types.ts";
import { compactSchema, DOCUMENT_CHARS_MAX } from "./detail.ts";
import { renderOpenAPI, renderProductOpenAPI } from "./document.ts";
import { templateOf } from "./operations.ts";
import { componentName, type OpenAPIJson, plainSchema } from "./schemas.ts";

/** The document as a reader gets it. */
// biome-ignore lint/suspicious/noExplicitAny: any document may come out of the renderer; the tests say what must.
const read = (document: OpenAPIJson): any => JSON.parse(JSON.stringify(document));
const bytesOf = (model: SurfaceModel) => new TextEncoder().encode(JSON.stringify(renderOpenAPI(model)));
const model = createTestModel({ of: "crypto-market", products: [postProduct] });

describe("one product", () => {
  test("a response schema is the schema the product checks its answers with", () => {
    for (const product of model.products) {
      const { id, data } = product;
      const { components } = read(renderProductOpenAPI(product, model));
      expect(components.schemas[`${componentName(id)}Data`]).toEqual(plainSchema(data));
    }
  });

  test("every example matches the schema beside it", () => {
    let examples = 0;
    for (const product of model.products) {
      const { path, methods } = product;
      // The document of all products may have to leave parts of some out.
      const document = read(renderProductOpenAPI(product, model));
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.addSchema({ ...document, $id: "https://node.example.com/doc" });
      const check = (pointer: string, value: unknown) => {
        const validate = ajv.compile({ $ref: `https://node.example.com/doc${pointer}` });
        const valid = validate(value);
        expect({ pointer, valid, errors: validate.errors ?? [] }).toEqual({ pointer, valid: true, errors: [] });
      };
      for (const method of methods.map((name) => name.toLowerCase())) {
        const operation = document.paths[path][method];
        const at = `#/paths/${path.replaceAll("/", "~1")}/${method}`;
        const content = "content/application~1json";
        check(`${at}/responses/200/${content}/schema`, operation.responses[200].content["application/json"].example);
        if (operation.requestBody) {
          check(`${at}/requestBody/${content}/schema`, operation.requestBody.content["application/json"].example);
        }
        for (const [index, parameter] of operation.parameters.entries()) {
          if (parameter.example !== undefined) check(`${at}/parameters/${index}/schema`, parameter.example);
        }
        examples += 1;
      }
    }
    expect(examples).toBeGreaterThan(model.products.length);
  });

  test("a wrong answer does not match", () => {
    const product = model.products.find(({ path }) => path === "/ask-me");
    const document = read(renderProductOpenAPI(product as (typeof model.products)[number], model));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: "https://node.example.com/doc" });
    const validate = ajv.compile({ $ref: "https://node.example.com/doc#/components/schemas/AskMe" });
    const { example } = document.paths["/ask-me"].post.responses[200].content["application/json"];
    expect(validate(example)).toBe(true);
    expect(validate({ ...example, data: { answer: 1 } })).toBe(false);
    expect(validate({ ...example, node_id: undefined })).toBe(false);
  });

  test("a product of both methods has an operation for each, its own names and parameters where they belong", () => {
    const { get, post } = read(renderOpenAPI(model)).paths["/ask-me"];
    expect([post.operationId, get.operationId]).toEqual(["ask_me", "ask_me_get"]);
    expect(post.requestBody.content["application/json"].schema).toEqual(JSON.parse(JSON.stringify(postProduct.params)));
    const names = (operation: { parameters: OpenAPIJson[] }) =>
      operation.parameters.map(({ name, $ref }) => name ?? $ref);
    const shared = ["preview", "x402Version", "format", "view", "fields", "lang"].map(
      (n) => `#/components/parameters/${n}`,
    );
    expect(names(post)).toEqual(shared);
    expect(names(get)).toEqual(["text", "mode", "days", "limit", ...shared]);
    expect(get.parameters[0]).toMatchObject({ required: true, description: "What is asked.", example: "why" });
  });

  test("price, first requirement and both ways to pay are on a paid operation", () => {
    const { get } = read(renderOpenAPI(model)).paths["/fear-greed"];
    expect(get.security).toEqual([{ x402: [] }, { apiKey: [] }]);
    expect(get["x-payment-info"].price).toEqual({ mode: "fixed", currency: "USD", amount: "0.01" });
    expect(get["x-x402-details"]).toEqual({
      amount_atomic: "10000",
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      network: "eip155:8453",
      payTo: "pay-to-base",
      scheme: "exact",
      credits: "GET /buy-credits, then X-API-Key",
    });
    expect(Object.keys(get.responses)).toEqual(["200", "402", "422", "429", "503"]);
  });

  test("a plan is paid for on chain, alone or onto a key", () => {
    const { get } = read(renderOpenAPI(model)).paths["/day-pass"];
    expect(get.security).toEqual([{ x402: [] }, { x402: [], apiKey: [] }]);
    expect(get["x-x402-details"].credits).toBeUndefined();
  });

  test("a plan's answer is the key that was bought, paid once, and its preview what it grants", () => {
    for (const product of model.products.filter(({ plan }) => plan !== null)) {
      const { paths, components, tags } = read(renderProductOpenAPI(product, model));
      const { description, responses } = paths[product.path].get;
      expect(description).toEndWith(`Paid once: $${product.price_usd}.`);
      expect(JSON.stringify(tags)).not.toContain("per call");
      const { schema, example } = responses[200].content["application/json"];
      const preview = { $ref: `#/components/schemas/${componentName(product.id)}` };
      expect(schema).toEqual({ anyOf: [{ $ref: "#/components/schemas/PlanAnswer" }, preview] });
      expect(Object.keys(components.schemas.PlanAnswer.properties)).toEqual(
        expect.arrayContaining([...Object.keys(example), "api_key", "balance_atomic", "topped_up"]),
      );
      expect(example).toMatchObject({ api_key: "ink_YOUR_KEY", plan: product.plan?.name });
    }
  });

  test("the document of one product holds nothing of another", () => {
    const product = model.products.find(({ id }) => id === "fear-greed");
    const document = read(renderProductOpenAPI(product as (typeof model.products)[number], model));
    expect(Object.keys(document.paths)).toEqual(["/fear-greed"]);
    expect(Object.keys(document.components.schemas)).not.toContain("MempoolData");
  });
});

describe("the whole document", () => {
  test("every free path asks for nothing and every operation has its own name", () => {
    const { paths } = read(renderOpenAPI(model));
    const operations = Object.values(paths as Record<string, Record<string, OpenAPIJson>>).flatMap((item) =>
      Object.values(item),
    );
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, methods, signs_in } of model.free) {
      const wanted = signs_in ? [{ siwx: [] }] : [];
      for (const method of methods) expect(paths[templateOf(path)][method.toLowerCase()].security).toEqual(wanted);
    }
  });

  test("a free path that takes a body shows one", () => {
    const { paths } = read(renderOpenAPI(model));
    const { requestBody } = paths["/quote"].post;
    expect(requestBody.content["application/json"].example.calls[0]).toEqual({ product: "<product id>", count: 100 });
    expect(paths["/keys"].get.requestBody).toBeUndefined();
  });

  test("ownership signatures are shown on a real node and never in a sandbox", () => {
    const origin_signatures = ["0xabc", "def"];
    const shown = read(renderOpenAPI(createTestModel({ origin_signatures })));
    expect(shown["x-agentcash-provenance"]).toEqual({ ownershipProofs: origin_signatures });
    expect(shown["x-discovery"]).toEqual({ ownershipProofs: origin_signatures });
    const hidden = read(renderOpenAPI(createTestModel({ origin_signatures, sandbox: true })));
    expect(hidden["x-agentcash-provenance"]).toBeUndefined();
    expect(hidden["x-sandbox"]).toBe(true);
    expect(read(renderOpenAPI(createTestModel()))["x-discovery"]).toBeUndefined();
  });

  test("without a contact address the page about the node is the contact", () => {
    const without = createTestModel({ node: { contact_email: null } });
    expect(read(renderOpenAPI(without)).info.contact).toEqual({
      name: "intel-node",
      url: "https://node.example.com/about",
    });
    expect(read(renderOpenAPI(model)).info.contact.email).toBe("ops@node.example.com");
  });

  test("a product that no network can be paid on says no address", () => {
    const { get } = read(renderOpenAPI(createTestModel({ networks: [], of: "crypto-market" }))).paths["/fear-greed"];
    expect(Object.keys(get["x-x402-details"])).toEqual(["amount_atomic", "credits"]);
  });

  test("guidance stays below 4,000 characters", () => {
    const { info } = read(renderOpenAPI(model));
    expect(info["x-guidance"].length).toBeGreaterThan(300);
    expect(info["x-guidance"].length).toBeLessThan(4_000);
  });
});

describe("a schema in fewer words", () => {
  const string = (value: string) => ({ const: value, type: "string" });
  const none = { type: "null" };

  test("is an enum for constants and a list of types for what may be null", () => {
    expect(compactSchema({ anyOf: [string("a"), string("b")] })).toEqual({ type: "string", enum: ["a", "b"] });
    expect(compactSchema({ anyOf: [string("a"), none] })).toEqual({ type: ["string", "null"], enum: ["a", null] });
    expect(compactSchema({ description: "Why.", anyOf: [{ type: "number", minimum: 0 }, none] })).toEqual({
      description: "Why.",
      type: ["number", "null"],
      minimum: 0,
    });
    const field = { type: "array", items: { anyOf: [{ type: "integer" }, none] } };
    expect(compactSchema({ type: "object", properties: { anyOf: field } })).toEqual({
      type: "object",
      properties: { anyOf: { type: "array", items: { type: ["integer", "null"] } } },
    });
  });

  test("is left alone where fewer words would say something else", () => {
    for (const schema of [
      { anyOf: [{ type: "object", properties: {} }, none] },
      { anyOf: [string("a"), { const: 1, type: "number" }] },
      { anyOf: [{ type: "number" }, { type: "string" }] },
      { anyOf: [{ type: "number", description: "One." }, none], description: "Other." },
      { default: { anyOf: [string("a"), none] } },
    ]) {
      expect(compactSchema(schema)).toEqual(schema);
    }
  });

  test("takes what the long one takes and refuses what it refuses, field by field", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const values = [null, true, 0, 0.5, -1, 1e9, "", "x", [], {}];
    let differing = 0;
    for (const { data, example } of model.products) {
      const compact = compactSchema(JSON.parse(JSON.stringify(data)));
      const [long, short] = [ajv.compile(JSON.parse(JSON.stringify(data))), ajv.compile(compact)];
      for (const name of Object.keys(example.data as OpenAPIJson)) {
        for (const value of [...values, (example.data as OpenAPIJson)[name]]) {
          const answer = { ...(example.data as OpenAPIJson), [name]: value };
          const taken = long(answer);
          if (!taken) differing += 1;
          expect([name, value, short(answer)]).toEqual([name, value, taken]);
        }
      }
    }
    expect(differing).toBeGreaterThan(100);
  });
});

test("the built-in catalog stays within the limit, every product naming its fields", () => {
  const built_in = createTestModel();
  expect(bytesOf(built_in).length).toBeLessThanOrEqual(DOCUMENT_CHARS_MAX);
  const { components, paths } = read(renderOpenAPI(built_in));
  for (const product of built_in.products) {
    const { properties } = components.schemas[`${componentName(product.id)}Data`];
    expect([product.id, Object.keys(properties ?? {})]).toEqual([
      product.id,
      Object.keys((product.data as TSchema).properties),
    ]);
    for (const operation of Object.values(paths[product.path] as Record<string, OpenAPIJson>)) {
      expect(Object.keys(operation)).toEqual(expect.arrayContaining(["x-payment-info", "x-x402-details"]));
    }
  }
});

test("however little room there is, a product with a text declares format as json and md, here and as a tool", () => {
  for (const whole of [createTestModel(), createTestModel({ count: 120 })]) {
    const { paths } = read(renderOpenAPI(whole));
    const written = whole.products.filter(({ has_markdown }) => has_markdown);
    const names = written.map(({ path }) => path);
    expect(names).toEqual(expect.arrayContaining(["/agent-composable", "/global-morning-brief"]));
    for (const product of written) {
      const { parameters } = paths[product.path][product.method.toLowerCase()];
      const format = parameters.filter(({ name }: { name: string }) => name === "format");
      expect(format).toMatchObject([{ in: "query", schema: { enum: ["json", "md"], default: "json" } }]);
      const { inputSchema } = renderProductTool(product, whole) as { inputSchema: OpenAPIJson };
      expect(inputSchema).toMatchObject({ properties: { format: { enum: ["json", "md"] } } });
    }
  }
});

describe("90 products", () => {
  const many = createTestModel({ count: 90 });
  const document = read(renderOpenAPI(many));
  const schemaOf = (id: string) => document.components.schemas[`${componentName(id)}Data`];

  test("stay within 258 kB, which docs/agent.md promises, and within 60 KB packed", () => {
    const bytes = bytesOf(many);
    expect(many.products).toHaveLength(90);
    expect(bytes.length).toBeLessThanOrEqual(DOCUMENT_CHARS_MAX);
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(60_000);
    expect(bytes.length).toBeGreaterThan(200_000);
  });

  test("are all there with price and parameters, and what was cut is one address away", () => {
    for (const product of many.products) {
      const { get } = document.paths[product.path];
      expect(get["x-payment-info"].price.amount).toBe(product.price_usd);
      const fields = Object.keys((product.data as TSchema).properties);
      const { properties } = schemaOf(product.id);
      if (properties) expect(Object.keys(properties)).toEqual(fields);
      const cut = get.responses[200].content["application/json"].example === undefined;
      expect(get.externalDocs?.url).toBe(
        cut ? `https://node.example.com/openapi.json?product=${encodeURIComponent(product.id)}` : undefined,
      );
      const alone = read(renderProductOpenAPI(product, many));
      expect(alone.components.schemas[`${componentName(product.id)}Data`]).toEqual(plainSchema(product.data));
      expect(alone.paths[product.path].get.responses[200].content["application/json"].example).toBeDefined();
    }
    expect(many.products.some(({ path }) => document.paths[path].get.externalDocs)).toBe(true);
    expect(many.products.some(({ id }) => schemaOf(id).properties)).toBe(true);
  });

  test("a cut schema refuses no answer that the whole one takes", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { id, example } of many.products) expect(ajv.validate(schemaOf(id), example.data)).toBe(true);
  });
});

test("120 products stay within 256 KiB: bare ones keep parameters and price, the 402 says what all share", () => {
  const many = createTestModel({ count: 120 });
  const document = read(renderOpenAPI(many));
  expect(bytesOf(many).length).toBeLessThanOrEqual(256 * 1024);
  const operations = many.products.map((product) => ({ product, get: document.paths[product.path].get }));
  const bare = operations.filter(({ get }) => Object.keys(get["x-x402-details"]).length === 1);
  expect(bare.length).toBeGreaterThan(0);
  for (const { product, get } of bare) {
    expect(get["x-x402-details"]).toEqual({ amount_atomic: product.price_atomic });
    expect(get["x-payment-info"].price.amount).toBe(product.price_usd);
    expect(get.parameters.length).toBeGreaterThanOrEqual(Object.keys(product.params.properties).length);
  }
});
