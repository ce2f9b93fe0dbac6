import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import type { Provenance, RecordedEntry } from "../../tools/recorded-bytes.ts";
import type { SentCall } from "../../upstream/flight-shared.ts";
import { createRecorder, whyNotRecordInto } from "./record-answers.ts";

const root = mkdtempSync(join(tmpdir(), "record-answers-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const KEY = 'k/3y+"with=signs"';
const TOKEN = "token-of-this-hour";
const provider = { id: "kraken", terms: { class: "unclear" } } as ProviderDefinition;
const asked = (path: string, body = ""): SentCall => ({
  provider,
  path,
  address: { key: "", url: "", shown: "", headers: { "x-key": KEY }, secrets: [KEY] },
  body: body === "" ? undefined : { content_type: "application/json", text: body, name: body },
});

let folders = 0;
function start() {
  folders += 1;
  const folder = join(root, `${folders}`);
  const recorder = createRecorder(folder, { secrets: ["ops@example.com"], now_ms: Date.UTC(2026, 10, 28) });
  const answer = async (call: SentCall, body: string | Uint8Array, init: ResponseInit = {}) => {
    const fetch = recorder.watchCall(async () => new Response(body, init), call);
    const headers = { ...call.address.headers, authorization: `Bearer ${TOKEN}`, "user-agent": "intel-node/1" };
    return (await fetch("http://127.0.0.1:1/", { headers })).bytes();
  };
  const read = () => {
    recorder.write();
    const own = join(folder, "kraken");
    const { endpoints } = JSON.parse(readFileSync(join(own, "provenance.json"), "utf8")) as Provenance;
    const entries = endpoints as readonly RecordedEntry[];
    return entries.map((entry) => ({ ...entry, text: readFileSync(join(own, entry.file), "latin1") }));
  };
  return { folder, recorder, answer, read };
}

test("no file contains a key, a token or the operator's address in any form", async () => {
  const { folder, answer, read } = start();
  const forms = [KEY, encodeURIComponent(KEY), btoa(KEY), JSON.stringify(KEY), TOKEN, "ops@example.com"];
  const escaped = `{"at":${JSON.stringify(`see ${KEY}`).replaceAll("/", "\\/")},"rows":[1]}`;
  await answer(asked(`/0/public/Ticker?key=${encodeURIComponent(KEY)}`), escaped);
  await answer(asked("/0/public/Depth", JSON.stringify({ key: KEY })), forms.join("\n"));
  await answer(asked("/0/public/OHLC"), JSON.stringify(Array.from({ length: 900 }, () => ({ [KEY]: forms }))));
  await answer(asked("/0/public/AssetPairs"), forms.join(" "), { status: 403, headers: { "content-type": KEY } });
  expect(read()).toHaveLength(4);
  const files = readdirSync(join(folder, "kraken")).map((name) => join(folder, "kraken", name));
  for (const file of [...files, join(folder, "about.json")]) {
    const text = readFileSync(file, "utf8").replaceAll("\\/", "/");
    expect(forms.filter((form) => text.includes(form) || text.includes(form.slice(1, -1)))).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  for (const path of [folder, join(folder, "kraken")]) expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("a small answer is kept byte for byte, and the caller gets all of it", async () => {
  const { answer, read } = start();
  const small = '{ "price": 1.10,\n "volume": 12345678901234567890 }';
  const bytes = Uint8Array.of(0, 255, 200, 13, 10);
  expect(Buffer.from(await answer(asked("/a"), small)).toString()).toBe(small);
  expect(await answer(asked("/b"), bytes)).toEqual(bytes);
  const [json, rest] = read();
  expect([json?.text, json?.cut, json?.endpoint]).toEqual([small, null, "GET /a"]);
  expect(Buffer.from(rest?.text ?? "", "latin1")).toEqual(Buffer.from(bytes));
});

test("a long answer loses rows but keeps its shape, and its numbers keep their text", async () => {
  const { answer, read } = start();
  const row = '{"price":1.10,"volume":12345678901234567890}';
  const long = `{"rows":[${Array.from({ length: 5_000 }, () => row).join(",")}],"last":7}`;
  expect((await answer(asked("/long"), long)).length).toBe(long.length);
  const map = JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, [index]])));
  await answer(asked("/map"), map);
  await answer(asked("/csv"), "day;price\n".repeat(2_000));
  const [cut, by_key, csv] = read();
  expect(cut?.text).toMatch(/^\{"rows":\[\{"price":1\.10,"volume":12345678901234567890\},.*\],"last":7\}$/);
  expect(cut?.cut).toMatch(/^every list cut to its first \d+ rows$/);
  expect(Object.keys(JSON.parse(by_key?.text ?? ""))[0]).toBe("k0");
  for (const one of [cut, by_key, csv]) expect(one?.text.length).toBeLessThanOrEqual(4_000);
  expect([csv?.text.endsWith("price\n"), csv?.cut]).toEqual([true, "the first 4000 bytes of 20000"]);
});

test("the first good answer and the first refusal of each endpoint are kept", async () => {
  const { recorder, answer, read } = start();
  await answer(asked("/0/public/Ticker?pair=A"), "slow down", { status: 429 });
  expect(recorder.lacks("kraken")).toBe(true);
  await answer(asked("/0/public/Ticker?pair=A"), '{"a":1}');
  await answer(asked("/0/public/Ticker?pair=B"), '{"b":1}');
  expect(read().map(({ status = 200, text }) => [status, text])).toEqual([
    [429, "slow down"],
    [200, '{"a":1}'],
  ]);
});

test("a folder with other files is refused; an earlier recording is replaced completely", async () => {
  const foreign = join(root, "foreign");
  mkdirSync(foreign);
  expect([whyNotRecordInto(foreign), whyNotRecordInto(join(root, "none"))]).toEqual([null, null]);
  writeFileSync(join(foreign, "about.json"), '{"made_by":"me"}');
  expect(whyNotRecordInto(foreign)).toContain("not empty");
  const { folder, recorder, answer, read } = start();
  await answer(asked("/a"), "{}");
  read();
  expect(whyNotRecordInto(folder)).toBeNull();
  writeFileSync(join(folder, "kraken", "old.json"), "{}");
  recorder.write();
  expect(readdirSync(join(folder, "kraken")).sort()).toEqual(["get-a.json", "provenance.json"]);
});
