import { afterAll, expect, test } from "bun:test";
import {
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  discoverOriginSchema,
  GuidanceMode,
  getOpenAPI,
  getWarningsForFavicon,
  getWarningsForL2,
  getWarningsForL4,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
} from "@agentcash/discovery";
import { cleanUp, type DemoNode, startDemo } from "../helpers/demo-node.ts";
import { networksOf } from "../helpers/product-networks.ts";

afterAll(cleanUp);

interface Priced {
  readonly path: string;
  readonly methods: readonly string[];
  readonly price_usd: string;
  readonly price_atomic: string;
  readonly priced_by?: unknown;
}
interface Shop {
  readonly node: DemoNode;
  readonly products: readonly Priced[];
}

let started: Promise<Shop> | undefined;
/** One node for every test of this file: nothing here changes it. */
const open = (): Promise<Shop> => {
  started ??= (async () => {
    const node = await startDemo();
    const { products } = (await (await node.get("/get-pricing")).json()) as { products: Priced[] };
    return { node, products };
  })();
  return started;
};

test("agentcash sees every paid route as key or payment, at its price, and warns of nothing", async () => {
  const { node, products } = await open();
  const parsed = (await getOpenAPI(node.url))._unsafeUnwrap();
  if (!parsed || isOpenApiParseFailure(parsed)) throw new Error(JSON.stringify(parsed));
  const routes = checkL2ForOpenAPI(parsed);
  const paid = routes.routes.filter(({ authMode }) => authMode !== "unprotected" && authMode !== "siwx");
  const seen = paid.map(({ path, method, authMode, price, currency, protocols }) => {
    return { path, method, authMode, price, currency, protocols };
  });
  const wanted = products.flatMap(({ path, methods, price_usd, priced_by }) =>
    methods.map((method) => ({
      path,
      method,
      authMode: "apiKey+paid",
      // What a call asks for decides: the least is told.
      price: `${priced_by === undefined ? "" : "from "}${price_usd} USD`,
      currency: "USD",
      protocols: ["x402", "mpp"],
    })),
  );
  const keyOf = ({ path, method }: { path: string; method: string }) => `${path} ${method}`;
  const byPath = (a: Parameters<typeof keyOf>[0], b: Parameters<typeof keyOf>[0]) => (keyOf(a) < keyOf(b) ? -1 : 1);
  expect([...seen].sort(byPath) as unknown[]).toEqual([...wanted].sort(byPath));
  const guidance = checkL4ForOpenAPI(parsed);
  expect(guidance?.guidance).toContain("?preview=1");
  const warnings = [...getWarningsForOpenAPI(parsed), ...getWarningsForL2(routes), ...getWarningsForL4(guidance)];
  // Expected with more than 40 routes.
  expect(warnings.map(({ code }) => code).filter((code) => code !== "L2_ROUTE_COUNT_HIGH")).toEqual([]);
  expect((await getWarningsForFavicon(node.url))._unsafeUnwrap()).toEqual([]);
});

test("agentcash discovers the origin with its guidance", async () => {
  const { node, products } = await open();
  const found = await discoverOriginSchema({ target: node.url, guidance: GuidanceMode.Always });
  if (!found.found) throw new Error(JSON.stringify(found));
  expect(found.source).toBe("openapi");
  expect(found.info?.title).toBe("intel-node demo");
  expect(found.endpoints.filter(({ authMode }) => authMode === "apiKey+paid")).toHaveLength(
    products.flatMap(({ methods }) => methods).length,
  );
  expect(found.guidance?.length).toBeLessThan(4_000);
  // A sandbox's wallets prove nothing.
  expect(found.ownershipProofs ?? []).toEqual([]);
});

test("agentcash, probing, finds every way to pay the price, input and output of every product", async () => {
  const { node, products } = await open();
  for (const { path, price_atomic } of products) {
    const found = await checkEndpointSchema({ url: `${node.url}${path}`, probe: true });
    if (!found.found) throw new Error(`${path}: ${JSON.stringify(found)}`);
    const [advisory] = found.advisories;
    const options = advisory?.paymentOptions ?? [];
    const amounts = options.map((option) => ("amount" in option ? option.amount : null));
    const networks = networksOf(path);
    // It takes every challenge of MPP for Tempo's.
    const by_mpp = networks.includes("eip155") ? ["tempo"] : [];
    expect({ path, amounts }).toEqual({ path, amounts: [...networks, ...by_mpp].map(() => price_atomic) });
    const kinds = options.map((option) => ("network" in option ? option.network.split(":")[0] : null));
    expect(kinds).toEqual([...networks, ...by_mpp]);
    expect(advisory?.inputSchema?.type).toBe("object");
    expect(advisory?.outputSchema?.type).toBe("object");
  }
});

test("agentcash, reading only, takes input and output of every product from the document", async () => {
  const { node, products } = await open();
  for (const { path } of products) {
    const found = await checkEndpointSchema({ url: `${node.url}${path}` });
    if (!found.found) throw new Error(`${path}: ${JSON.stringify(found)}`);
    const [advisory] = found.advisories;
    expect({ path, source: advisory?.source, authMode: advisory?.authMode }).toEqual({
      path,
      source: "openapi",
      authMode: "apiKey+paid",
    });
    expect(advisory?.inputSchema).toBeDefined();
    expect(advisory?.outputSchema).toBeDefined();
  }
});
