import { expect, test } from "bun:test";
import { isOwnHost } from "../core/own-host.ts";
import { loadConfig } from "./load.ts";
import { usesOf } from "./model-rules.ts";

const load = (entry: string) => {
  const loaded = loadConfig({ text: `[[models]]\nid = "m"\nmodel = "x"\n${entry}`, file: "node.toml", env: {} });
  return loaded.ok ? [] : loaded.faults.map(({ message }) => message);
};
const OWN = 'base_url = "http://127.0.0.1:8080/v1"\nprice_in = "0"\nprice_out = "0"\n';
const HOSTED = 'base_url = "https://api.groq.com/openai/v1"\nprice_in = "0.15"\nprice_out = "0.60"\n';

test("a model of one's own needs an address and a name; somebody else's host needs what its operator states", () => {
  expect(load(OWN)).toEqual([]);
  expect(load(HOSTED)).toEqual([expect.stringContaining("terms_ack")]);
  expect(load(`${HOSTED}terms_ack = true`)).toEqual([]);
  expect(load(`${HOSTED}terms_ack = true\nuse = ["door"]`)).toEqual([expect.stringContaining("door_ack")]);
  expect(load(`${HOSTED}terms_ack = true\ndoor_ack = true\nuse = ["door"]`)).toEqual([]);
});

test("what a model costs is said, and nothing is free by default", () => {
  expect(load('base_url = "http://localhost/v1"\nprice_in = "1"')).toEqual([expect.stringContaining("price_out")]);
});

test("two models have two names", () => {
  expect(load(`${OWN}[[models]]\nid = "m"\nmodel = "y"\n${OWN}`)).toEqual([expect.stringContaining('"m"')]);
});

test("bare completions are sold of one's own models only, unless the operator says more", () => {
  expect(usesOf({ base_url: "http://10.0.0.7:8000/v1" })).toEqual(["compose", "door"]);
  expect(usesOf({ base_url: "https://api.openai.com/v1" })).toEqual(["compose"]);
});

test.each([
  ["127.0.0.1", true],
  ["[::1]", true],
  ["192.168.1.5", true],
  ["[::ffff:10.0.0.1]", true],
  ["ollama", true],
  ["gpu.lan", true],
  ["LOCALHOST", true],
  ["8.8.8.8", false],
  ["[2001:db8::1]", false],
  ["api.openai.com", false],
  ["localhost.example.com", false],
  ["10.0.0.1.nip.io", false],
])("%s is on the operator's own network: %p", (host, own) => {
  expect(isOwnHost(host)).toBe(own);
});
