import { afterEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createSimulatedNode } from "../../test/helpers/simulated-node.ts";
import { NodeError, UpstreamError } from "../core/errors.ts";
import { createCatalog } from "./catalog.ts";
import type { Asks, FetchContext, Source } from "./context.ts";
import { type AnyProduct, defineProduct } from "./product.ts";
import { createRunner } from "./runner.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);
const Number_ = Type.Object({ n: Type.Number() });
const SOURCE: Source = { provider: "abacus", url: "https://a.example", fetched_at: "2026-10-01T12:00:00Z", ok: true };

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

interface Given {
  readonly path: AnyProduct["path"];
  readonly asks?: Asks;
  readonly ttl?: string;
  readonly deadline_ms?: number;
  readonly is_bundle?: boolean;
  readonly fetch: (context: FetchContext, params: { factor: number }) => Promise<number>;
}

const product = ({ path, asks = {}, ttl = "0s", deadline_ms = 30_000, is_bundle = false, fetch }: Given): AnyProduct =>
  defineProduct({
    path,
    is_bundle,
    title: path,
    description: "A number.",
    category: "test",
    tags: [],
    price_usd: "0.01",
    params: Type.Object({ factor: Type.Number({ default: 1, maximum: 9, description: "a factor" }) }),
    data: Number_,
    example: { params: { factor: 1 }, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [],
    requires: [],
    asks,
    ttl,
    deadline_ms,
    preview: { every: "1h" },
    fetch,
    compute: (n: number, { now_ms }) => ({ as_of_ms: now_ms - 1_000, data: { n }, warnings: [`n: of ${path}`] }),
  });

const catalogOf = (...products: readonly AnyProduct[]) => catalogAt({}, products);
const catalogAt = (prices: Readonly<Record<string, string>>, products: readonly AnyProduct[]) => {
  const file = "own.ts";
  const plugin = { id: "p", title: "P", file, origin: "operator" as const, jobs: [], simulators: [] };
  return createCatalog({
    plugins: [{ ...plugin, products: products.map((one) => ({ file, product: one })) }],
    prices,
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: () => null,
  });
};

function createWorld(...products: readonly AnyProduct[]) {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  open.push(node);
  const catalog = catalogOf(...products);
  const failures: unknown[] = [];
  const runner = createRunner({
    node_id: "test",
    sandbox: false,
    clock: node.clock,
    history: node.history,
    createContext: node.createRun,
    find: catalog.get,
    onFailure: (_, error) => failures.push(error),
    onSuccess: () => undefined,
  });
  const call = async (path: string) => {
    const sold = catalog.get(path);
    if (!sold) throw new Error(`${path} is not sold`);
    return JSON.parse((await runner.produce(sold, sold.params.defaults)).body);
  };
  return { call, catalog, failures };
}

const tens = (more: Partial<Given> = {}) => {
  const runs = { count: 0 };
  const given = product({
    path: "/tens",
    fetch: async (context, { factor }) => {
      runs.count += 1;
      context.cite(SOURCE);
      return 10 * factor;
    },
    ...more,
  });
  return { given, runs };
};

describe("a product that asks for another", () => {
  const asking = (params: Record<string, unknown>, asks: Asks = { "/tens": "needed" }) =>
    product({
      path: "/asking",
      asks,
      fetch: async (context) => {
        const { data, as_of_ms, warnings } = await context.ask("/tens", params, Number_);
        expect({ as_of_ms, warnings }).toEqual({ as_of_ms: NOW_MS - 1_000, warnings: ["n: of /tens"] });
        return data.n + 1;
      },
    });

  test("gets its data as it is sold, and names its sources", async () => {
    const { call } = createWorld(tens().given, asking({ factor: 3 }));
    expect(await call("/asking")).toMatchObject({ data: { n: 31 }, sources: [SOURCE], warnings: ["n: of /asking"] });
  });

  test("shares its cache and its single flight", async () => {
    const { given, runs } = tens({ ttl: "1m" });
    const { call } = createWorld(given, asking({}));
    await Promise.all([call("/asking"), call("/tens"), call("/tens")]);
    await call("/asking");
    expect(runs.count).toBe(1);
  });

  test("gets the errors a buyer would get: refused parameters, missing data", async () => {
    const { call } = createWorld(tens().given, asking({ factor: 99 }));
    await expect(call("/asking")).rejects.toMatchObject({ code: "invalid_parameter", options: { param: "factor" } });
    const broken = tens({
      fetch: async (context) => {
        context.cite({ ...SOURCE, ok: false, error: "upstream_timeout" });
        throw new UpstreamError("upstream_timeout", "abacus", "late");
      },
    });
    const patient = product({
      path: "/patient",
      asks: { "/tens": "optional" },
      fetch: (context) =>
        context.ask("/tens", {}, Number_).then(
          ({ data }) => data.n,
          () => -1,
        ),
    });
    const world = createWorld(broken.given, patient);
    expect(await world.call("/patient")).toMatchObject({
      data: { n: -1 },
      sources: [{ provider: "abacus", ok: false }],
    });
  });

  test("waits no longer than its own time limit, while the other's run goes on for others", async () => {
    const done = Promise.withResolvers<number>();
    const { given } = tens({ fetch: () => done.promise });
    const hurried = product({
      path: "/hurried",
      asks: { "/tens": "needed" },
      deadline_ms: 20,
      fetch: (context) => context.ask("/tens", {}, Number_).then(({ data }) => data.n),
    });
    const { call } = createWorld(given, hurried);
    const other = call("/tens");
    await expect(call("/hurried")).rejects.toMatchObject({ code: "deadline_exceeded" });
    done.resolve(10);
    expect(await other).toMatchObject({ data: { n: 10 } });
  });

  test("is at fault when it asks for what it does not name, or reads what is not there", async () => {
    const unnamed = createWorld(tens().given, asking({}, {}));
    await expect(unnamed.call("/asking")).rejects.toThrow(NodeError);
    expect(String(unnamed.failures[0])).toContain("/asking (own.ts) asks for /tens, which is not among its asks");
    const misread = product({
      path: "/misread",
      asks: { "/tens": "needed" },
      fetch: async (context) => (await context.ask("/tens", {}, Type.Object({ m: Type.Number() }))).data.m,
    });
    const world = createWorld(tens().given, misread);
    await expect(world.call("/misread")).rejects.toThrow(NodeError);
    expect(String(world.failures[0])).toContain('reads "/m" of /tens');
  });
});

describe("what products ask of each other, at start", () => {
  const asker = (path: AnyProduct["path"], asks: Asks) => product({ path, asks, fetch: async () => 1 });

  test("a circle is refused, for every product of it and no other", () => {
    const [a, b, c] = [
      asker("/a", { "/b": "optional" }),
      asker("/b", { "/c": "needed" }),
      asker("/c", { "/a": "needed" }),
    ];
    const { products, faults } = catalogOf(
      a,
      b,
      c,
      asker("/d", { "/d": "optional" }),
      asker("/e", { "/b": "optional" }),
    );
    expect(products.map(({ path }) => path)).toEqual(["/e"]);
    expect(faults.map(({ message }) => message)).toEqual([
      "asks in a circle: /a -> /b -> /c -> /a",
      "asks in a circle: /b -> /c -> /a -> /b",
      "asks in a circle: /c -> /a -> /b -> /c",
      "asks in a circle: /d -> /d",
    ]);
  });

  test("a product that needs one not sold is withheld, and so is each that needs it", () => {
    const { products, withheld } = catalogOf(
      asker("/a", { "/b": "needed" }),
      asker("/b", { "/gone": "needed" }),
      asker("/c", { "/gone": "optional" }),
    );
    expect(products.map(({ path }) => path)).toEqual(["/c"]);
    const [of_a, of_b] = ["needs /b, which is not sold", "needs /gone, which is not sold"];
    expect(withheld).toEqual([
      { path: "/a", why: of_a, for_buyers: of_a },
      { path: "/b", why: of_b, for_buyers: of_b },
    ]);
  });
});

describe("a bundle", () => {
  const part = (path: AnyProduct["path"]) => product({ path, fetch: async () => 1 });
  const bundle = (path: AnyProduct["path"], ...paths: readonly string[]) =>
    product({
      path,
      is_bundle: true,
      asks: Object.fromEntries(paths.map((one) => [one, "needed"])),
      fetch: async () => 1,
    });

  test("is sold while its parts cost more one by one, and withheld with the reason when they do not", () => {
    const products = [part("/a"), part("/b"), bundle("/both", "/a", "/b")];
    expect(catalogAt({}, products).get("/both")).toBeDefined();
    // What an operator's prices leave is looked at with them: at the start, and after each reload.
    const { withheld } = catalogAt({ "/a": "0.004", "/b": "0.006" }, products);
    const why = "its parts cost $0.01 one by one, no more than the bundle";
    expect(withheld).toEqual([{ path: "/both", why: `${why}: lower [prices] "/both"`, for_buyers: why }]);
  });

  test("holds no bundle", () => {
    const { faults } = catalogOf(part("/a"), part("/b"), bundle("/both", "/a", "/b"), bundle("/more", "/a", "/both"));
    expect(faults.map(({ message }) => message)).toEqual(["bundles /both, which is a bundle"]);
  });
});
