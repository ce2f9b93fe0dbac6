import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import { validate } from "mppx/discovery";
import { renderOpenAPI } from "../../src/surfaces/openapi/document.ts";
import { cleanUp, type DemoNode, newFolder, startDemo } from "../helpers/demo-node.ts";
import { createTestModel, postProduct } from "../helpers/surface-model.ts";

afterAll(cleanUp);

interface Priced {
  readonly path: string;
  readonly method: string;
  readonly price_usd: string;
  readonly price_atomic: string;
}
interface Shop {
  readonly node: DemoNode;
  readonly text: string;
  readonly products: readonly Priced[];
}

let started: Promise<Shop> | undefined;
/** One node for every test of this file: nothing here changes it. */
const open = (): Promise<Shop> => {
  started ??= (async () => {
    const node = await startDemo({ history: "resting" });
    const text = await (await node.get("/openapi.json")).text();
    const { products } = (await (await node.get("/get-pricing")).json()) as { products: Priced[] };
    return { node, text, products };
  })();
  return started;
};

test("Swagger's parser finds nothing wrong with the document", async () => {
  const { text } = await open();
  await SwaggerParser.validate(JSON.parse(text));
  const broken = JSON.parse(text);
  delete broken.info.title;
  expect(SwaggerParser.validate(broken)).rejects.toThrow();
});

test("Redocly's recommended rules give neither an error nor a warning", async () => {
  const { text } = await open();
  const file = join(newFolder(), "openapi.json");
  await Bun.write(file, text);
  const { problems, totals } = await lint(file);
  expect(problems).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  const broken = JSON.parse(text);
  delete broken.info.license;
  await Bun.write(file, JSON.stringify(broken));
  expect((await lint(file)).totals.warnings).toBe(1);
});

test("90 products, some of them cut and one that takes POST, pass the same three", async () => {
  const document = renderOpenAPI(createTestModel({ products: [postProduct], count: 90 }));
  const text = JSON.stringify(document);
  expect(text).toContain("externalDocs");
  await SwaggerParser.validate(JSON.parse(text));
  expect(validate(JSON.parse(text))).toEqual([]);
  const file = join(newFolder(), "openapi.json");
  await Bun.write(file, text);
  // The one warning is about the server's name, which is this test's.
  const { problems } = await lint(file);
  // What holds for all products is described once, also where every entry was cut and none refers to it.
  const told = problems.map(({ ruleId }) => ruleId).filter((id) => id !== "no-unused-components");
  expect(told).toEqual(["no-server-example.com"]);
});

interface Lint {
  readonly problems: readonly { readonly ruleId: string }[];
  readonly totals: Readonly<Record<string, number>>;
}

async function lint(file: string): Promise<Lint> {
  const script = join(import.meta.dir, "..", "..", "node_modules", ".bin", "redocly");
  const child = Bun.spawn(
    [Bun.which("node") ?? process.execPath, script, "lint", "--extends=recommended", "--format=json", file],
    {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: newFolder(),
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  const start = out.indexOf("{");
  if (start < 0) throw new Error(`redocly said nothing: ${err.slice(0, 1_000)}`);
  return JSON.parse(out.slice(start)) as Lint;
}

test("the discovery validator of MPP has no objection", async () => {
  const { text } = await open();
  expect(validate(JSON.parse(text))).toEqual([]);
  const broken = JSON.parse(text);
  delete broken.paths["/fear-greed"].get.responses[402];
  expect(validate(broken)).toHaveLength(1);
});

test("a live answer and a preview match the schema that the document gives them", async () => {
  const { default: Ajv2020 } = await import("ajv/dist/2020");
  const { node, text, products } = await open();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...JSON.parse(text), $id: "https://node.example.com/doc" });
  let checked = 0;
  for (const { path, method } of products) {
    const preview = await node.get(`${path}?preview=1`);
    if (preview.status !== 200) continue;
    const at = `paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}`;
    const pointer = `#/${at}/responses/200/content/application~1json/schema`;
    const check = ajv.compile({ $ref: `https://node.example.com/doc${pointer}` });
    expect({ path, valid: check(await preview.json()), errors: check.errors ?? [] }).toEqual({
      path,
      valid: true,
      errors: [],
    });
    checked += 1;
  }
  expect(checked).toBeGreaterThan(3);
});

test("the document of one product is whole; an unknown one is 422 with the known ones", async () => {
  const { node } = await open();
  const one = (await (await node.get("/openapi.json?product=fear-greed")).json()) as Record<string, object>;
  expect(Object.keys(one.paths ?? {})).toEqual(["/fear-greed"]);
  await SwaggerParser.validate(structuredClone(one) as never);
  const none = await node.get("/openapi.json?product=nothing");
  expect(none.status).toBe(422);
  expect(await none.json()).toMatchObject({ code: "invalid_parameter", param: "product", charged: false });
});
