import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { renderExample } from "./example.ts";
import { explainConfig, maskUrl } from "./explain.ts";
import { checkNames, loadConfig, renderFaults } from "./load.ts";

const load = (text: string, env: Record<string, string> = {}) => loadConfig({ text, file: "node.toml", env });
const loaded = (text: string, env: Record<string, string> = {}) => {
  const result = load(text, env);
  if (!result.ok) throw new Error(renderFaults(result.faults));
  return result;
};
const faultsOf = (text: string, env: Record<string, string> = {}) => {
  const result = load(text, env);
  if (result.ok) throw new Error("was not refused");
  return result.faults;
};

test("an empty file is the defaults", () => {
  const { config } = loaded("");
  expect(config.server).toMatchObject({ host: "127.0.0.1", port: 8402 });
  expect(config.facilitators).toEqual([]);
  expect(config.providers).toEqual({ allow_terms: ["open", "attribution", "unclear"], off: [], tables: {} });
});

test("a list of one of a few texts says which", () => {
  const [fault] = faultsOf('[providers]\nallow_terms = ["open", "free"]\n');
  expect(fault?.message).toContain('a list of "open" or "attribution" or "unclear" or "restricted"');
});

describe("a file with five faults", () => {
  const text = [
    "[node]", //                       1
    'nmae = "x"', //                   2  unknown key, near "name"
    "[server]", //                     3
    "port = 99999", //                 4  out of range
    "host = = 1", //                   5  syntax
    "[preveiw]", //                    6  unknown table, near "preview"
    'delay = "1m"', //                 7
    "[payments]", //                   8
    'settle_timeout = "45"', //        9  no unit
  ].join("\n");

  test("is reported whole, in file order, with line, column and the nearest key", () => {
    const faults = faultsOf(text);
    expect(faults.map(({ line, code, nearest }) => ({ line, code, nearest }))).toEqual([
      { line: 2, code: "unknown_key", nearest: "name" },
      { line: 4, code: "wrong_value", nearest: undefined },
      { line: 5, code: "syntax", nearest: undefined },
      { line: 6, code: "unknown_key", nearest: "preview" },
      { line: 9, code: "wrong_value", nearest: undefined },
    ]);
    expect(faults.map((fault) => fault.column)).toEqual([1, 1, 8, 2, 1]);
  });

  test("is shown with a frame whose caret stands under the fault", () => {
    const frame = faultsOf(text)[2]?.frame.split("\n") ?? [];
    const caret = frame.findIndex((row) => row.trim().endsWith("^"));
    expect(frame[caret - 1]).toContain("host = = 1");
    expect(frame[caret]?.indexOf("^")).toBe((frame[caret - 1] ?? "").indexOf("= 1"));
  });

  test("reads the same with Windows line ends", () => {
    const unix = faultsOf(text).map(({ line, column }) => ({ line, column }));
    expect(faultsOf(text.replaceAll("\n", "\r\n")).map(({ line, column }) => ({ line, column }))).toEqual(unix);
  });
});

test("a fault in a list of tables names the entry and its line", () => {
  const faults = faultsOf(
    '[[facilitators]]\nkind = "remote"\nurl = "https://a.example"\n[[facilitators]]\nkind = "remot"\n',
  );
  expect(faults[0]).toMatchObject({ line: 5, key: "facilitators.1.kind" });
});

test("a key given twice is a fault at its second line", () => {
  expect(faultsOf("[server]\nport = 1\nport = 2\n")[0]).toMatchObject({ line: 3, code: "syntax" });
});

test("rules between keys point at the key", () => {
  const faults = faultsOf(
    [
      "[node]",
      'public_url = "http://node.example.com"',
      "[wallets.base]",
      'pay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93B906"',
      "[prices]",
      '"/fear-greed" = "0"',
      "[[facilitators]]",
      'kind = "remote"',
    ].join("\n"),
  );
  expect(faults.map((fault) => fault.line)).toEqual([2, 4, 6, 7]);
});

test.each([
  ["https://Node.example.com", "https://node.example.com"],
  ["https://node.example.com:443", "https://node.example.com"],
  ["http://127.0.0.1:80", "http://127.0.0.1"],
])("a public address that would be signed in two spellings is refused: %s", (given, origin) => {
  const [fault] = faultsOf(`[node]\npublic_url = "${given}"`);
  expect(fault).toMatchObject({ line: 2, key: "node.public_url", message: expect.stringContaining(`"${origin}"`) });
  expect(loaded(`[node]\npublic_url = "${origin}"`).ok).toBe(true);
});

test.each([
  ["31 bytes", "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUd"],
  ["33 bytes", "zyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse"],
  ["another network's form", "0x90F79bf6EB2c4f870365E785982E1f101E93b906"],
])("a Solana address of %s is refused at its key", (_, address) => {
  const faults = faultsOf(`[wallets.solana]\npay_to = "${address}"`);
  expect(faults).toMatchObject([{ line: 2, key: "wallets.solana.pay_to" }]);
  expect(loaded('[wallets.solana]\npay_to = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse"').ok).toBe(true);
});

describe("the environment", () => {
  test("wins over the file and is named as the origin", () => {
    const result = loaded("[server]\nport = 1000\n", {
      INTEL_NODE_SERVER_PORT: "2000",
      INTEL_NODE_WALLETS_BASE_PAY_TO: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
      INTEL_NODE_PROVIDERS_COINMARKETCAP_API_KEY: "canary-secret",
      INTEL_NODE_PRICES_FEAR_GREED: "0.02",
      INTEL_NODE_CHAINS_BASE_RPC: "https://a.example,https://b.example",
      PATH: "/bin",
    });
    expect(result.config.server.port).toBe(2000);
    expect(result.config.providers.tables.coinmarketcap?.api_key).toBe("canary-secret");
    expect(result.config.prices["/fear-greed"]).toBe("0.02");
    expect(result.config.chains.base?.rpc).toEqual(["https://a.example", "https://b.example"]);
    const port = explainConfig(result).find((row) => row.key === "server.port");
    expect(port).toEqual({ key: "server.port", value: "2000", origin: "env INTEL_NODE_SERVER_PORT" });
  });

  test("with a variable that names no key is refused, naming the nearest", () => {
    expect(faultsOf("", { INTEL_NODE_SERVER_PROT: "1" })[0]).toMatchObject({
      key: "INTEL_NODE_SERVER_PROT",
      nearest: "INTEL_NODE_SERVER_PORT",
    });
    expect(faultsOf("", { INTEL_NODE_SERVER_PORT: "many" })[0]?.message).toContain("whole number");
  });
});

test("a secret never shows: not in faults, frames or the explanation", () => {
  const canary = "canary-7f3a";
  const text = [
    "[providers.coinmarketcap]",
    `api_key = "${canary}"`,
    "bogus = 1",
    "[[facilitators]]",
    'kind = "remote"',
    'url = "https://f.example"',
    "[facilitators.headers]",
    `"X-Anything" = "${canary}"`,
    "unknown = 5",
    "[chains.base]",
    `rpc = ["https://user:${canary}@rpc.example/v1?x=${canary}", "https://rpc.example/${canary.repeat(3)}"]`,
  ].join("\n");
  expect(JSON.stringify(faultsOf(text))).not.toContain(canary);
  const result = loaded(text.replace("bogus = 1", "").replace("unknown = 5", ""));
  expect(JSON.stringify(explainConfig(result))).not.toContain(canary);
});

test("addresses are shown without what lets their holder in", () => {
  expect(maskUrl("https://a.example/path")).toBe("https://a.example/path");
  expect(maskUrl("https://a.example/v2/abcdefghijklmnopqrstuvwxyz")).toBe("https://a.example/v2/***");
});

test("the example is valid as it stands, and so is every key in it when its comment sign is removed", () => {
  expect(load(renderExample()).ok).toBe(true);
  const all = renderExample()
    .split("\n")
    .map((line) => line.replace(/^#(?=[[a-z"])/, ""))
    .join("\n");
  const faults = load(all);
  expect(faults.ok ? [] : faults.faults.map((fault) => fault.message)).toEqual([]);
});

test("names that no plugin knows are faults of a second pass", () => {
  const result = loaded(
    '[providers.krakn]\nenabled = true\n[prices]\n"/fear-gred" = "1"\n[plugins]\ndisabled = ["nope"]\n',
  );
  const faults = checkNames(result, { providers: ["kraken"], products: ["/fear-greed"], plugins: ["crypto-market"] });
  expect(faults.map(({ line, nearest }) => ({ line, nearest }))).toEqual([
    { line: 1, nearest: "kraken" },
    { line: 4, nearest: "/fear-greed" },
    { line: 6, nearest: undefined },
  ]);
});

test("an Algorand address with a wrong checksum is refused, with the key", () => {
  const address = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
  const faults = faultsOf(`[wallets.algorand]\npay_to = "B${address.slice(1)}"`);
  expect(faults).toMatchObject([{ line: 2, key: "wallets.algorand.pay_to" }]);
  expect(loaded(`[wallets.algorand]\npay_to = "${address}"`).ok).toBe(true);
});

test("the token of an algod is not shown", () => {
  const result = loaded('[chains.algorand]\nheaders = { x-algo-api-token = "a-secret-token" }');
  expect(result.config.chains.algorand).toMatchObject({
    rpc: [],
    indexer: [],
    headers: { "x-algo-api-token": "a-secret-token" },
  });
  expect(JSON.stringify(explainConfig(result))).not.toContain("a-secret-token");
});

test("backups that would never end are refused, with the key", () => {
  expect(loaded('[backup]\ndir = "/b"\nevery = "1m"').config.backup).toEqual({ dir: "/b", every: "1m", keep: 7 });
  const faults = faultsOf('[backup]\nevery = "59s"');
  expect(faults.map(({ line }) => line)).toEqual([2]);
});

test("a metered answer costs something, at the rates of a model that is there", () => {
  const of = (text: string) => faultsOf(text).map(({ key, message }) => `${key}: ${message}`);
  expect(of('[metering]\nfloor = "0"\n[metering.ceilings]\n"/llm" = "0.00"\n[metering.models.local]\n')).toEqual([
    "metering.floor: a charge must be above 0",
    "metering.ceilings./llm: a charge must be above 0",
    'metering.models.local: no [[models]] entry has the id "local"',
  ]);
});

describe("peers that stand in", () => {
  const standIn = (keys: string, urls = '["https://peer.example.com"]'): string =>
    `[peers]\nurls = ${urls}\n[peers.standin]\nproducts = ["/fear-greed"]\n${keys}\n`;

  test("replace nothing unless products are named, and cost less than the node's own price", () => {
    expect(loaded("").config.peers.standin).toMatchObject({ products: [], max_share: 0.8, daily_usd: "1.00" });
    expect(loaded(standIn("max_share = 0.99")).config.peers.standin.max_share).toBe(0.99);
    for (const share of ["1", "1.5", "0", "-0.5"]) expect(faultsOf(standIn(`max_share = ${share}`))).toHaveLength(1);
    expect(faultsOf(standIn('daily_usd = "much"'))).toHaveLength(1);
  });

  test("have to be somebody", () => {
    expect(faultsOf(standIn("", "[]"))[0]?.message).toContain('[peers] "urls" is empty');
  });

  test("are set up as their page says", () => {
    const page = readFileSync("docs/stand-ins.md", "utf8");
    const [, toml = ""] = /```toml\n([\s\S]*?)```/.exec(page) ?? [];
    const { urls, standin } = loaded(toml).config.peers;
    expect([urls.length, standin.products.length, standin.wallet_key_env]).toEqual([1, 2, "PEER_BUYER_KEY"]);
  });
});

describe("a continuous copy", () => {
  const store = 'access_key_id = "AKID"\nsecret_access_key = "the-secret"';

  test("goes to a folder or to a bucket and a prefix", () => {
    expect(loaded('[copy]\nto = "/mnt/nas"').config.copy).toEqual({ to: "/mnt/nas", every: "1s", keep: "7d" });
    for (const to of ["s3://bucket", "s3://my-bucket/node", "s3://my.bucket/nodes/a/"]) {
      expect(loaded(`[copy]\nto = "${to}"\n${store}`).config.copy.to).toBe(to);
    }
  });

  test.each([
    ['to = "s3://Bucket/x"', "a bucket and a prefix"],
    ['to = "s3://bucket/../x y"', "a bucket and a prefix"],
    ['to = "s3:bucket"', "a bucket and a prefix"],
  ])("is refused where the store has no such name: %s", (line, why) => {
    expect(faultsOf(`[copy]\n${line}\n${store}`)).toContainEqual(expect.objectContaining({ key: "copy.to" }));
    expect(JSON.stringify(faultsOf(`[copy]\n${line}\n${store}`))).toContain(why);
  });

  test("needs the store's key, and a time that can be kept", () => {
    const text = (lines: string) => JSON.stringify(faultsOf(`[copy]\n${lines}`));
    expect(text('to = "s3://bucket/x"')).toContain("access_key_id");
    expect(text('to = "s3://bucket/x"\naccess_key_id = "A"')).toContain("secret_access_key_file");
    expect(text('to = "/c"\nevery = "2m"')).toContain("from 100ms to 1m");
    expect(text('to = "/c"\nkeep = "59m"')).toContain("at least 1h");
  });
});
