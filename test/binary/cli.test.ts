import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, cleanUp, newFolder } from "../helpers/demo-node.ts";

afterAll(cleanUp);

const run = (args: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}) => {
  const child = Bun.spawnSync([BINARY, ...args], {
    cwd: options.cwd ?? newFolder(),
    env: { PATH: process.env.PATH ?? "", ...options.env },
    stdin: "ignore",
  });
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() };
};
const fileWith = (text: string): string => {
  const file = join(newFolder(), "node.toml");
  writeFileSync(file, text);
  return file;
};

describe("help", () => {
  test.each([
    [],
    ["run"],
    ["demo"],
    ["check"],
    ["init"],
    ["catalog"],
    ["config", "show"],
    ["ledger", "audit"],
    ["version"],
  ])("is there for %j %j", (...command) => {
    const { code, out } = run([...command.filter((word) => typeof word === "string"), "--help"]);
    expect(code).toBe(0);
    expect(out).toContain("Usage: intel-node");
  });

  test("states the exit codes", () => {
    expect(run(["--help"]).out).toContain("Exit codes:");
  });
});

test("an unknown option or command exits with 2", () => {
  expect(run(["check", "--nonsense"]).code).toBe(2);
  expect(run(["nonsense"]).code).toBe(2);
});

test("a configuration with five faults exits with 2 and names all five in file order", () => {
  const file = fileWith(
    '[node]\nnmae = "x"\n[server]\nport = 99999\nhost = = 1\n[preveiw]\n[payments]\nsettle_timeout = "45"\n',
  );
  for (const command of ["run", "check"]) {
    const { code, err } = run([command, "--config", file]);
    expect(code).toBe(2);
    const places = [...err.matchAll(/node\.toml:(\d+):\d+: /g)].map((match) => Number(match[1]));
    expect(places).toEqual([2, 4, 5, 6, 8]);
    expect(err).toContain('Did you mean "name"?');
    expect(err).toContain('Did you mean "preview"?');
    expect(err).toContain("5 faults");
  }
});

test("a name that no plugin knows exits with 2 and says the nearest", () => {
  const { code, err } = run(["check", "--config", fileWith('[prices]\n"/fear-gred" = "0.02"\n')]);
  expect(code).toBe(2);
  expect(err).toContain('Did you mean "/fear-greed"?');
});

test("a file that is not there exits with 2 and says how to make one", () => {
  const { code, err } = run(["run", "--config", "missing.toml"]);
  expect(code).toBe(2);
  expect(err).toContain("intel-node init");
});

describe("init", () => {
  const address = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

  test("writes a file that checks, readable by its owner only, and never overwrites one by itself", () => {
    const folder = newFolder();
    const flags = ["--yes", "--base-pay-to", address, "--public-url", "https://node.example.com"];
    expect(run(["init", ...flags], { cwd: folder }).code).toBe(0);
    const file = join(folder, "node.toml");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const checked = run(["check", "--config", file, "--json"]);
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.out).networks).toEqual([{ network: "eip155:8453", pay_to: address }]);
    expect(run(["init", ...flags], { cwd: folder }).code).toBe(2);
    expect(run(["init", ...flags, "--force"], { cwd: folder }).code).toBe(0);
  });

  test("says which flag is wrong and writes nothing", () => {
    const folder = newFolder();
    const { code, err } = run(["init", "--yes", "--base-pay-to", "0x123"], { cwd: folder });
    expect(code).toBe(2);
    expect(err).toContain("pay_to");
    expect(existsSync(join(folder, "node.toml"))).toBe(false);
  });
});

test("config show tells where each value comes from and no secret", () => {
  const canary = "canary-5d1e";
  const file = fileWith(`[server]\nport = 9000\n[providers.coinmarketcap]\napi_key = "${canary}"\n`);
  const { code, out } = run(["config", "show", "--config", file, "--json"], { env: { INTEL_NODE_NODE_BRAND: "acme" } });
  expect(code).toBe(0);
  expect(out).not.toContain(canary);
  const rows = JSON.parse(out) as { key: string; value: string; origin: string }[];
  const find = (key: string) => rows.find((row) => row.key === key);
  expect(find("server.port")).toMatchObject({ value: "9000", origin: `${file}:2` });
  expect(find("node.brand")).toMatchObject({ value: '"acme"', origin: "env INTEL_NODE_NODE_BRAND" });
  expect(find("server.host")).toMatchObject({ origin: "default" });
  expect(find("providers.coinmarketcap.api_key")).toMatchObject({ value: "***" });
});

test("catalog prints what the defaults sell, and an own price from the file", () => {
  const { code, out } = run(["catalog", "--config", fileWith('[prices]\n"/mempool" = "0.5"\n'), "--json"]);
  expect(code).toBe(0);
  const prices = Object.fromEntries(
    (JSON.parse(out) as { products: { path: string; price_usd: string }[] }).products.map((one) => [
      one.path,
      one.price_usd,
    ]),
  );
  expect(prices).toMatchObject({ "/fear-greed": "0.01", "/pyth-price": "0.003", "/mempool": "0.50" });
});

test("the version is the package's", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dir, "..", "..", "package.json"), "utf8"));
  expect(run(["version"]).out).toStartWith(version);
});

test("an audit of a folder without a ledger exits with 2", () => {
  expect(run(["ledger", "audit", "--data", newFolder()]).code).toBe(2);
});
