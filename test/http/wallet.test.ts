import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createLog } from "../../src/telemetry/log.ts";
import { callTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { payFor } from "../helpers/payers.ts";
import { newEvmUser, newSolanaUser, readDemand, renderSignInHeader, type WalletUser } from "../helpers/wallets.ts";

const lines: string[] = [];
let shop: MoneyNode;
let solana_rpc: string;

beforeAll(async () => {
  const log = createLog({ level: "debug", format: "json", secrets: [], write: (line) => void lines.push(line) });
  shop = await startMoneyNode("", undefined, { log });
  ({ solana_rpc } = (await (await fetch(`${shop.url}/__sandbox`)).json()) as { solana_rpc: string });
});
afterAll(() => shop.stop());

/** As payments name a payer. */
const canonical = (address: string): string => (address.startsWith("0x") ? address.toLowerCase() : address);
type Body = Record<string, unknown> & { readonly items: readonly Record<string, unknown>[] };
const read = async (response: Response): Promise<Body> => {
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
};
const buy = async (user: WalletUser, path = "/one?q=mine"): Promise<string> => {
  const url = `${shop.url}${path}`;
  const bought = await fetch(url, { headers: await payFor(url, user, 2) });
  expect(bought.status).toBe(200);
  return bought.text();
};
const signIn = async (user: WalletUser, path: string): Promise<string> => {
  const info = await readDemand(`${shop.url}${path.split("?")[0]}`, user.network);
  return renderSignInHeader({ ...info, address: user.address, signature: await user.signText(info) });
};
const openDoor = async (user: WalletUser, path: string): Promise<Response> =>
  fetch(`${shop.url}${path}`, { headers: { "SIGN-IN-WITH-X": await signIn(user, path) } });

const KINDS = [
  ["EVM", async () => newEvmUser()],
  ["Solana", () => newSolanaUser(solana_rpc)],
] as const;

describe.each(KINDS)("a wallet of %s that signs in with the official client", (_, newUser) => {
  test("sees its purchases, and fetches what it bought again", async () => {
    const user = await newUser();
    const answer = await buy(user);
    const list = await read(await user.open(`${shop.url}/wallet/purchases`));
    expect(list.wallet).toEqual({ address: canonical(user.address), network: user.network });
    expect(list.items.length).toBe(1);
    const [item] = list.items;
    expect(item).toMatchObject({ product: "one", kind: "call", amount_atomic: "10000", network: user.network });
    const { url } = (item?.answer ?? {}) as { url: string };
    const again = await read(await user.open(url));
    expect(again).toMatchObject({ state: "settled", payment_id: item?.payment_id, receipt_id: item?.receipt_id });
    expect(again.answer).toEqual(JSON.parse(answer));
    expect(shop.work.produced).toBeGreaterThan(0);
  });

  test("gets a statement of a time, as JSON and as CSV", async () => {
    const user = await newUser();
    await buy(user, "/one?q=a");
    await buy(user, "/two");
    const day = new Date(shop.clock.now()).toISOString().slice(0, 10);
    const all = await read(await openDoor(user, `/wallet/statement?from=${day}`));
    expect(all).toMatchObject({ total_atomic: "20000", total_usd: "0.02", next_cursor: null });
    expect(all.items.map(({ product }) => product)).toEqual(["two", "one"]);
    expect((await read(await openDoor(user, `/wallet/statement?until=${day}`))).items).toEqual([]);
    const csv = await openDoor(user, "/wallet/statement?format=csv&limit=1");
    expect(csv.headers.get("content-type")).toStartWith("text/csv");
    expect(csv.headers.get("x-next-cursor")).toMatch(/^\d+$/);
    const [head, row, end, ...rest] = (await csv.text()).split("\r\n");
    expect(head).toBe(
      "at,kind,product,amount_atomic,amount_usd,network,transaction,on_chain,receipt_id,payment_id,authorized_atomic",
    );
    expect(row?.split(",").slice(1, 6)).toEqual(["call", "two", "10000", "0.01", user.network]);
    expect([end, rest]).toEqual(["", []]);
  });
});

describe("the doors of a wallet", () => {
  test("ask for a signature with a short head, in header and body, and never for money", async () => {
    const response = await fetch(`${shop.url}/wallet/keys?x=1`);
    expect(response.status).toBe(402);
    const header = response.headers.get("payment-required") ?? "";
    expect(header.length).toBeLessThan(3_000);
    const body = (await response.json()) as Record<string, unknown>;
    const { x402Version, error, accepts, extensions, resource } = body;
    expect(JSON.parse(Buffer.from(header, "base64").toString())).toEqual({
      x402Version,
      error,
      accepts,
      extensions,
      resource,
    });
    expect(body).toMatchObject({ code: "sign_in_required", accepts: [], charged: false, x402Version: 2 });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  test("name the configured address alone, whatever a request says of its host", async () => {
    const info = await readDemand(`${shop.url}/wallet/keys`, "eip155:84532");
    expect(info.domain).toBe(new URL(shop.url).host);
    const asked = await fetch(`${shop.url}/wallet/keys`, {
      headers: { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example", Origin: "https://evil.example" },
    });
    expect(await asked.text()).not.toContain("evil.example");
  });

  test("show nothing of another wallet", async () => {
    const [owner, stranger] = [newEvmUser(), newEvmUser()];
    await buy(owner);
    await buy(owner, "/buy-credits");
    const { items } = await read(await openDoor(owner, "/wallet/purchases"));
    expect(items.length).toBe(2);
    for (const path of ["/wallet/purchases", "/wallet/statement", "/wallet/keys"]) {
      const body = await read(await openDoor(stranger, path));
      expect(body.items).toEqual([]);
      const text = JSON.stringify(body);
      for (const word of [owner.address.toLowerCase(), ...items.map(({ payment_id }) => String(payment_id))]) {
        expect(text.toLowerCase()).not.toContain(word.toLowerCase());
      }
    }
    for (const { payment_id } of items) {
      const refused = await openDoor(stranger, `/wallet/answers/${payment_id}`);
      const unknown = await openDoor(stranger, "/wallet/answers/pay_0000000000000000000000");
      expect([refused.status, unknown.status]).toEqual([404, 404]);
      const [a, b] = [await refused.json(), await unknown.json()] as Record<string, unknown>[];
      expect({ ...a, request_id: "", no_charge: "" }).toEqual({ ...b, request_id: "", no_charge: "" });
    }
  });

  test("never show the secret of a bought key, which its buyer sees in the list", async () => {
    const user = newEvmUser();
    const { api_key, key_id } = JSON.parse(await buy(user, "/buy-credits")) as { api_key: string; key_id: string };
    expect(api_key).toStartWith("ink_");
    const texts: string[] = [];
    const show = async (path: string) => {
      const body = await read(await openDoor(user, path));
      texts.push(JSON.stringify(body));
      return body;
    };
    const keys = await show("/wallet/keys");
    expect(keys.items).toMatchObject([{ key_id, status: "active", calls: 0, spent_atomic: "0" }]);
    const { items } = await show("/wallet/purchases");
    expect(items).toMatchObject([{ kind: "plan", product: "buy-credits" }]);
    const { answer } = await show(`/wallet/answers/${items[0]?.payment_id}`);
    expect(answer).toMatchObject({ key_id, api_key: "withheld" });
    await show("/wallet/statement");
    for (const text of texts) expect(text).not.toContain(api_key);
  });

  test("take each signature once, at whichever door and however many come at once", async () => {
    const user = newEvmUser();
    const header = await signIn(user, "/wallet/purchases");
    const ask = (path = "/wallet/purchases") => fetch(`${shop.url}${path}`, { headers: { "SIGN-IN-WITH-X": header } });
    const statuses = (await Promise.all(Array.from({ length: 12 }, () => ask()))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(1);
    expect(await (await ask()).json()).toMatchObject({ code: "invalid_sign_in", error: "invalid_siwx_nonce" });
  });

  test("are not products: a payment opens none, and none is listed with a price", async () => {
    const user = newEvmUser();
    const url = `${shop.url}/one`;
    const headers = await payFor(url, user, 2);
    expect((await fetch(`${shop.url}/wallet/keys`, { headers })).status).toBe(402);
    const pricing = await (await fetch(`${shop.url}/get-pricing`)).text();
    expect(pricing).not.toContain("/wallet/");
  });

  test("are told of at one address: a page for people, a list for software", async () => {
    const list = (await (await fetch(`${shop.url}/wallet`)).json()) as Record<string, unknown>;
    expect(list).toMatchObject({ extension: "sign-in-with-x", header: "SIGN-IN-WITH-X" });
    expect(list.doors).toContain(`${shop.url}/wallet/purchases`);
    const page = await fetch(`${shop.url}/wallet`, { headers: { Accept: "text/html" } });
    const html = await page.text();
    const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
    const hash = new Bun.CryptoHasher("sha256").update(script).digest("base64");
    expect(page.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
    expect(script).toContain("personal_sign");
    const portuguese = await fetch(`${shop.url}/wallet?lang=pt-BR`, { headers: { Accept: "text/html" } });
    expect(await portuguese.text()).toContain("Sua carteira");
  });

  test("are a tool of the MCP door: first the text to sign, then what was asked for", async () => {
    const user = newEvmUser();
    const answer = await buy(user);
    const call = async (args: Record<string, unknown>) => {
      const { isError = false, structuredContent } = await callTool(shop.url, "my_wallet", { args });
      return { isError, body: structuredContent as Body };
    };
    const asked = await call({ show: "purchases" });
    expect(asked).toMatchObject({ isError: true, body: { code: "sign_in_required", x402Version: 2, accepts: [] } });
    const listed = await call({ show: "purchases", sign_in: await signIn(user, "/wallet/purchases") });
    expect(listed).toMatchObject({ isError: false, body: { items: [{ product: "one" }] } });
    const payment_id = String(listed.body.items[0]?.payment_id);
    const sign_in = await signIn(user, `/wallet/answers/${payment_id}`);
    expect((await call({ show: "answer", payment_id, sign_in })).body).toMatchObject({ answer: JSON.parse(answer) });
    expect((await call({ show: "answer", payment_id, sign_in })).body).toMatchObject({ error: "invalid_siwx_nonce" });
    expect((await call({ show: "answer" })).body).toMatchObject({ code: "invalid_parameter", param: "payment_id" });
    expect((await call({ show: "all" })).body).toMatchObject({ code: "invalid_parameter", param: "show" });
  });

  test("leave no signature in the log", async () => {
    const user = newEvmUser();
    const info = await readDemand(`${shop.url}/wallet/purchases`, user.network);
    const signature = await user.signText(info);
    const header = renderSignInHeader({ ...info, address: user.address, signature });
    for (const _ of [1, 2]) await fetch(`${shop.url}/wallet/purchases`, { headers: { "SIGN-IN-WITH-X": header } });
    const logged = lines.filter((line) => line.includes("/wallet/purchases"));
    expect(logged.length).toBeGreaterThan(2);
    const all = lines.join("\n");
    for (const secret of [signature, signature.slice(2, 40), header, header.slice(0, 60), info.nonce]) {
      expect(all).not.toContain(secret);
    }
  });

  // Last: clients sign by the clock of the machine, which then is behind the node's.
  test("give an answer only within its keeping time", async () => {
    const user = newEvmUser();
    await buy(user);
    const [item] = (await read(await openDoor(user, "/wallet/purchases"))).items;
    expect(item?.answer).not.toBeNull();
    shop.clock.advance(25 * 3_600_000);
    const [late] = (await read(await openDoor(user, "/wallet/purchases"))).items;
    expect(late).toMatchObject({ payment_id: item?.payment_id, answer: null });
    const gone = await read(await openDoor(user, `/wallet/answers/${item?.payment_id}`));
    expect(gone).toMatchObject({ state: "settled", receipt_id: item?.receipt_id });
    expect(gone.answer).toBeUndefined();
  });
});
