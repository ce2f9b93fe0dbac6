import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listFreeCalls } from "../helpers/free-doors.ts";
import { callTool } from "../helpers/mcp.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

const TABLES = [
  ...["providers", "chains", "models", "facilitators", "wallets", "node", "server", "prices", "plugins", "mcp"],
  ...["ledger", "llm", "search", "data", "limits"],
];
/** Words that only an operator can do something with: names of his tables, and of keys in them. */
const OPERATORS_WORDS = [
  // No link of Markdown, and no list of JSON: the name of a table stands alone in its brackets.
  new RegExp(`\\[\\[?(${TABLES.join("|")})(\\.[\\w*-]+)?\\](?!\\()`),
  /\b(terms_ack|door_ack|allow_terms|contact_email|allowed_origins)\b/,
  /\b(api_key|pay_to|enabled|use) = /,
];
const findOperatorsWords = (text: string): readonly string[] =>
  OPERATORS_WORDS.flatMap((words) => {
    const found = words.exec(text);
    return found ? [text.slice(Math.max(0, found.index - 60), found.index + found[0].length + 40)] : [];
  });

test("the words that are looked for are those of an operator's texts", () => {
  for (const text of ["set [providers.twelvedata] terms_ack = true", "needs a [[models]] entry", "[chains.x] rpc"]) {
    expect(findOperatorsWords(text)).not.toBeEmpty();
  }
  expect(findOperatorsWords('{"items":[1],"api_key":"ink_1"} items[0]')).toEqual([]);
});

/** As it is installed: no key, no licence, no model, and one more source switched off. */
const CONFIG = "[llm]\nenabled = false\n[providers.kraken]\nenabled = false\n[providers.coinbase]\nenabled = false\n";

describe("of a node that lacks keys, licences and models", () => {
  let node: ProductNode;
  beforeAll(async () => {
    node = await startProductNode({ seed_history: false, config: CONFIG });
  });
  afterAll(() => node.stop());

  const read = async (path: string, init: RequestInit = {}): Promise<string> =>
    (await fetch(`${node.url}${path}`, init)).text();

  test("what is withheld is told to the operator with the key to set, and to buyers without", () => {
    const { withheld, withheld_values } = node.node.catalog;
    const all = [...withheld, ...withheld_values];
    expect(withheld).not.toBeEmpty();
    expect(withheld_values).not.toBeEmpty();
    expect(all.filter(({ why }) => findOperatorsWords(why).length > 0)).not.toBeEmpty();
    expect(all.flatMap(({ for_buyers }) => findOperatorsWords(for_buyers))).toEqual([]);
    expect(all.filter(({ for_buyers }) => for_buyers.length < 10)).toEqual([]);
  });

  test("no free document or door names a setting", async () => {
    const told: object[] = [];
    for (const { what, path, body, headers = {} } of listFreeCalls()) {
      const type = { "content-type": "application/json", ...headers };
      const init = body === undefined ? { headers } : { method: "POST", headers: type, body: JSON.stringify(body) };
      const found = findOperatorsWords(await read(path, init));
      if (found.length > 0) told.push({ what, found });
    }
    expect(told).toEqual([]);
  });

  test("no page, price or refusal of a product does", async () => {
    const told: object[] = [];
    const paths = node.node.catalog.products.flatMap(({ path }) => [path, `/products${path}`]);
    const off = node.node.catalog.withheld.flatMap(({ path }) => [path, `/products${path}`, `${path}?preview=1`]);
    for (const path of [...paths, ...off]) {
      for (const accept of ["application/json", "text/html"]) {
        const found = findOperatorsWords(await read(path, { headers: { accept } }));
        if (found.length > 0) told.push({ path, accept, found });
      }
    }
    expect(told).toEqual([]);
  });

  test("a value that is not sold is refused with the reason, at every door", async () => {
    for (const { path, param, value } of node.node.catalog.withheld_values) {
      const response = await fetch(`${node.url}${path}?${new URLSearchParams({ [param]: value })}`);
      const text = await response.text();
      expect({ path, value, status: response.status }).toEqual({ path, value, status: 422 });
      expect(findOperatorsWords(text)).toEqual([]);
      const tool = await callTool(node.url, path.slice(1).replaceAll("-", "_"), { args: { [param]: value } });
      expect(findOperatorsWords(JSON.stringify(tool))).toEqual([]);
    }
  });

  test("a page of a foreign origin is told so", async () => {
    const headers = { "content-type": "application/json", origin: "https://elsewhere.example" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(findOperatorsWords(await read("/mcp", { method: "POST", headers, body }))).toEqual([]);
  });
});
