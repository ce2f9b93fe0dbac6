import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSetupAccess } from "../../src/commands/setup/access.ts";
import { createSetupDesk } from "../../src/commands/setup/desk.ts";
import { createSetupRoutes } from "../../src/commands/setup/routes.ts";
import type { TestSale } from "../../src/commands/setup/test-sale.ts";
import { createWalletClaims } from "../../src/commands/setup/wallet-claims.ts";
import { isNodeError } from "../../src/core/errors.ts";
import { loadIdentity } from "../../src/files/identity-file.ts";
import type { FreeRoute } from "../../src/http/free-route.ts";

const SELLABLE = {
  products: [
    { path: "/fear-greed", price_usd: "0.01" },
    { path: "/mempool", price_usd: "0.005" },
  ],
  providers: [
    {
      id: "coinmarketcap",
      title: "CoinMarketCap",
      docs_url: "https://coinmarketcap.com/api/documentation",
      key: { required: true, in: "header", name: "X-CMC_PRO_API_KEY" },
    },
  ],
} as const;

type Fields = Readonly<Record<string, string>>;

/** The pages of the set-up behind a listener of their own, without the node that shows the preview. */
export interface SetupDoor {
  readonly url: string;
  readonly file: string;
  readonly code: string;
  readonly node_id: string;
  /** How often the file was written. */
  readonly written: () => number;
  /** Lets time pass. */
  pass(ms: number): void;
  get(path: string, headers?: Fields): Promise<Response>;
  post(path: string, fields: Fields, headers?: Fields): Promise<Response>;
  /** A browser that gave the code: its cookie, and what stands in its forms. */
  open(): Promise<{ readonly cookie: string; readonly csrf: string }>;
  /** The same folder after a stop and a start. */
  restart(): SetupDoor;
  stop(): void;
}

export interface SetupDoorOptions {
  readonly place?: string;
  readonly folder?: string;
  /** Instead of the address that is connected from. */
  readonly peer?: string;
  /** Instead of a sale in a process of its own. */
  readonly sell?: (draft: string) => TestSale;
}

export function startSetupDoor(options: SetupDoorOptions = {}): SetupDoor {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "setup-door-"));
  const file = join(folder, "node.toml");
  let now_ms = 5;
  let written = 0;
  const access = createSetupAccess(() => now_ms);
  // The draft is checked with the key that stands in its data folder.
  mkdirSync(join(folder, "data"), { recursive: true });
  const identity = loadIdentity(join(folder, "data"));
  const desk = createSetupDesk({ file, data_dir: folder, sellable: SELLABLE, node_id: identity.node_id });
  const routes = createSetupRoutes({
    access,
    desk: () => desk,
    place: options.place ?? "here",
    isOver: () => existsSync(file),
    readSecrets: () => ({ node_key: "the node's key", operator_token: "the operator's token" }),
    claims: createWalletClaims(identity, () => Date.now()),
    sell: async (draft) => (options.sell ? options.sell(draft) : { ok: true, steps: [], error: null }),
    onWritten: () => {
      written += 1;
    },
    log: () => undefined,
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) => answer(routes, request, options.peer ?? self.requestIP(request)?.address ?? ""),
  });
  const url = server.url.origin;
  const get = (path: string, headers: Fields = {}) => fetch(`${url}${path}`, { headers, redirect: "manual" });
  return {
    url,
    file,
    code: access.code,
    node_id: identity.node_id,
    written: () => written,
    get,
    pass(ms) {
      now_ms += ms;
    },
    post: (path, fields, headers = {}) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams(fields),
        redirect: "manual",
      }),
    async open() {
      const opened = await get(`/setup?code=${access.code}`);
      const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
      const page = await (await get("/setup/shop", { cookie })).text();
      return { cookie, csrf: /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "" };
    },
    restart() {
      void server.stop(true);
      return startSetupDoor({ ...options, folder });
    },
    stop() {
      void server.stop(true);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answer(routes: readonly FreeRoute[], request: Request, peer: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const route = routes.find((one) => one.path === pathname);
  const methods: readonly string[] = [...(route?.methods ?? []), "HEAD"];
  if (!route || !methods.includes(request.method)) return new Response(null, { status: 404 });
  try {
    const call = { request, request_id: "req", search, peer, client: peer };
    return await route.handler(call as Parameters<FreeRoute["handler"]>[0]);
  } catch (error) {
    if (isNodeError(error)) return new Response(error.code, { status: error.status });
    throw error;
  }
}
