import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newEmptyFolder, removeFolder, startProgram } from "../helpers/empty-folder.ts";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = newEmptyFolder();
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) removeFolder(folder);
});

test("a file that was named and is not there is a mistake, and no new node", async () => {
  const folder = newFolder();
  const { code, err } = await startProgram(folder, ["run", "--config", "nod.toml"]).ended;
  expect([code, err.includes("intel-node init"), existsSync(join(folder, "data"))]).toEqual([2, true, false]);
});

test.each([
  ["ledger.db", "holds the books of a node"],
  ["kept.db", "its books may be in PostgreSQL"],
  ["market.db", "its books may be in PostgreSQL"],
])("a folder with %s and without a file is of a node that lost it", async (database, words) => {
  const folder = newFolder();
  const data = join(folder, "data");
  mkdirSync(data);
  writeFileSync(join(data, database), "");
  const { code, err } = await startProgram(folder).ended;
  expect([code, err.includes(words), err.includes("put its configuration file back")]).toEqual([2, true, true]);
  expect(readdirSync(data)).toEqual([database]);
  expect(existsSync(join(folder, "node.toml"))).toBe(false);
});

test.each(["everywhere", "ftp://box.local", "http://box.local:8402/setup", ""])(
  "the set-up is not opened from %p",
  async (from) => {
    const { code, err } = await startProgram(newFolder(), ["run", `--setup=${from}`]).ended;
    expect([code, err.includes('"lan", or an address without a path')]).toEqual([2, true]);
  },
);

test("a preview takes no payment, and a stop in the middle loses nothing of what was entered", async () => {
  const folder = newFolder();
  const first = startProgram(folder, ["run", "--config", "shop.toml", "--setup"]);
  const address = await first.find(/set up\s+(http\S+)/);
  const url = new URL(address).origin;
  expect((await fetch(`${url}/fear-greed`)).status).toBe(503);
  expect(await (await fetch(`${url}/.well-known/x402.json`)).text()).not.toContain('"payTo"');
  const opened = await fetch(address, { redirect: "manual" });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await (await fetch(`${url}/setup/shop`, { headers: { cookie } })).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const body = new URLSearchParams({ csrf, name: "Corner shop" });
  expect(
    (await fetch(`${url}/setup/shop`, { method: "POST", headers: { cookie }, body, redirect: "manual" })).status,
  ).toBe(303);
  const key = readFileSync(join(folder, "data", "node-key.pem"), "utf8");
  first.signal("SIGTERM");
  expect((await first.ended).code).toBe(0);
  expect(existsSync(join(folder, "shop.toml"))).toBe(false);

  const second = startProgram(folder, ["run", "--config", "shop.toml", "--setup"]);
  const again = await second.find(/set up\s+(http\S+)/);
  expect(new URL(again).search).not.toBe(new URL(address).search);
  expect((await fetch(`${new URL(again).origin}/setup/shop`, { headers: { cookie } })).status).toBe(403);
  expect(readFileSync(join(folder, "data", "setup.json"), "utf8")).toContain("Corner shop");
  expect(readFileSync(join(folder, "data", "node-key.pem"), "utf8")).toBe(key);
  second.signal("SIGTERM");
  await second.ended;
});

test("a box without a screen says under which name it is opened from elsewhere", async () => {
  const program = startProgram(newFolder(), ["run", "--config", "shop.toml", "--setup", "lan"]);
  const address = await program.find(/set up\s+(http\S+)/);
  expect(new URL(address).hostname).toBe("localhost");
  expect(await program.find(/(from another machine: .*)/)).toContain("in the place of");
  expect((await fetch(address, { redirect: "manual" })).status).toBe(303);
  program.signal("SIGTERM");
  await program.ended;
});

test("what a set-up left behind goes away where there is a file", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data", "setup.json"), '{"key:coinmarketcap":"secret"}');
  writeFileSync(join(folder, "node.toml"), '[node]\nname = "Corner shop"\n');
  const node = startProgram(folder);
  const url = await node.find(/bind\s+(http\S+)/);
  expect((await fetch(`${url}/setup`)).status).toBe(404);
  expect(existsSync(join(folder, "data", "setup.json"))).toBe(false);
  node.signal("SIGTERM");
  await node.ended;
});
