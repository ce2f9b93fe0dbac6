import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLongHistory, listEvidence, sellHistory } from "../../test/helpers/long-history.ts";
import { runProduct } from "../../test/helpers/product-harness.ts";
import { createPublishedLedger, PUBLISHED_HEAD } from "../../test/helpers/signal-ledger.ts";
import { createTestSigner } from "../../test/helpers/test-signer.ts";
import { createIdentity } from "../core/identity.ts";
import { product } from "../plugins/crypto-market/win-rate-verified/product.ts";
import { createHistoryLogs } from "../trust/history-logs.ts";
import { renderWitnessKey } from "../trust/signed-note.ts";
import { EXIT } from "./exit-codes.ts";
import { type VerifyTrackOptions, verifyTrackCommand } from "./verify-track-record.ts";

const signer = createTestSigner();
const identity = createIdentity();
const DIDOf = (x: string) => ({
  verificationMethod: [{ id: "did:web:node.example#node-1", publicKeyJwk: { kty: "OKP", crv: "Ed25519", x } }],
});
const DID = DIDOf(signer.public_key);

let server: ReturnType<typeof Bun.serve>;
let folder: string;
let answer: Record<string, unknown>;
/** Content of /track-record/evidence; undefined for an old node without this path. */
let evidence: { statement: unknown; records: readonly { seq: number }[] } | null = null;
const PAGE = 100;
/** Keys sent to the node. */
const asked: (string | null)[] = [];
const printed: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "track-"));
  const records = await createPublishedLedger({ scored: true });
  const bought = { now_ms: Date.parse("2026-11-03T00:10:00Z"), bodies: {}, records, params: { records: 200 } };
  const { data } = await runProduct(product, bought);
  answer = { product: "win-rate-verified", data };
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === "/.well-known/did.json") return Response.json(DID);
      if (pathname === "/track-record/evidence") {
        const after = Number(searchParams.get("after_seq") ?? 0);
        const records = evidence?.records.filter(({ seq }) => seq > after).slice(0, PAGE) ?? [];
        const next_after_seq = records.length === PAGE ? (records.at(-1)?.seq ?? null) : null;
        return evidence ? Response.json({ ...evidence, records, next_after_seq }) : Response.json({}, { status: 404 });
      }
      asked.push(request.headers.get("x-api-key"));
      const is_preview = searchParams.get("preview") === "1";
      if (!is_preview && request.headers.get("x-api-key") !== "good") return Response.json({}, { status: 402 });
      return Response.json(is_preview ? { ...answer, data: { ...data, records: null, proof: null } } : answer);
    },
  });
  for (const method of ["log", "error"] as const) {
    spyOn(console, method).mockImplementation((text) => void printed.push(String(text)));
  }
});
afterEach(() => {
  evidence = null;
  printed.length = 0;
  asked.length = 0;
});
afterAll(async () => {
  for (const method of ["log", "error"] as const) spyOn(console, method).mockRestore();
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const run = (options: Partial<VerifyTrackOptions> = {}) =>
  verifyTrackCommand({
    source: `http://127.0.0.1:${server.port}`,
    api_key: undefined,
    did_document: undefined,
    head: undefined,
    json: false,
    ...options,
  });
const write = (name: string, value: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
};

describe("verify-track-record", () => {
  test("a bought answer is proven completely, with a head kept earlier", async () => {
    expect(await run({ api_key: "good", head: `3:${PUBLISHED_HEAD}` })).toBe(EXIT.ok);
    expect(printed.join("\n")).toContain("proven: the record is signed, whole and adds up");
  });

  test("without a key the free record is checked completely, and saved for another check", async () => {
    const history = await createLongHistory(250);
    const data = await sellHistory(history, 200);
    evidence = { statement: data, records: await listEvidence(history.records) };
    const saved = join(folder, "saved.json");
    expect(await run({ save: saved })).toBe(EXIT.ok);
    expect(asked).toEqual([]);
    const did_document = write("did.json", DID);
    expect(await run({ source: saved, did_document })).toBe(EXIT.ok);
    // An answer that shows only some records is complete together with the evidence file.
    const source = write("long.json", { data });
    expect(await run({ source, did_document })).toBe(EXIT.partial);
    expect(await run({ source, did_document, evidence: saved })).toBe(EXIT.ok);
    expect(await run({ save: saved })).toBe(EXIT.config);
  });

  test("on a node without free records the preview is checked, which proves a part, and no key is sent", async () => {
    expect(await run({ json: true })).toBe(EXIT.partial);
    expect(JSON.parse(printed[0] ?? "")).toMatchObject({ verdict: "unproven", node_id: signer.node_id });
    expect(asked).toEqual([null]);
  });

  test("an answer in a file is checked offline", async () => {
    const options = { source: write("answer.json", answer), did_document: write("did.json", DID) };
    expect(await run(options)).toBe(EXIT.ok);
    expect(asked).toEqual([]);
  });

  test("the proof of one record is checked offline, with the record beside it", async () => {
    const { records } = await createLongHistory(50);
    const { proofs } = createHistoryLogs({ records, identity, now_ms: () => 0 });
    const source = write("42.tlog-proof", (await proofs.read("signals", 42)) ?? "");
    const did_document = write("own.json", DIDOf(identity.public_key));
    const rows = await listEvidence(records);
    const evidence = write("evidence.json", { records: rows });
    expect(await run({ source, did_document, evidence })).toBe(EXIT.ok);
    expect(printed.join("\n")).toContain("proven: the record stands in the log that the node signed");
    expect(await run({ source, did_document, evidence: write("one.json", rows[41]) })).toBe(EXIT.ok);
    expect(await run({ source, did_document })).toBe(EXIT.partial);
    expect(await run({ source, did_document, evidence: write("other.json", rows[40]) })).toBe(EXIT.failed);
    expect(await run({ source, did_document: write("did.json", DID), evidence })).toBe(EXIT.failed);
    expect(await run({ source })).toBe(EXIT.config);
    const witness = renderWitnessKey({ name: "witness.example/w1", public_key: signer.public_key });
    expect(await run({ source, did_document, evidence, witnesses: [witness] })).toBe(EXIT.partial);
    expect(await run({ source, did_document, evidence, witnesses: ["w1"] })).toBe(EXIT.config);
    expect(await run({ source: evidence, did_document, witnesses: [witness] })).toBe(EXIT.config);
    const writePolicy = (text: string): string => {
      writeFileSync(join(folder, "witnesses.policy"), text);
      return join(folder, "witnesses.policy");
    };
    const policy = writePolicy("quorum none\n");
    expect(await run({ source, did_document, evidence, policy })).toBe(EXIT.ok);
    expect(await run({ source: evidence, did_document, policy })).toBe(EXIT.config);
    writePolicy(`witness w1 ${witness}\nquorum w1\n`);
    expect(await run({ source, did_document, evidence, policy })).toBe(EXIT.partial);
    expect(printed.join("\n")).toContain("unproven  witnesses: there is no quorum");
    writePolicy("quorum w1\n");
    expect(await run({ source, did_document, evidence, policy })).toBe(EXIT.config);
    expect(await run({ source, did_document, evidence, head: `1:${"0".repeat(64)}` })).toBe(EXIT.config);
    expect(asked).toEqual([]);
  });

  test("a forged answer is reported as broken", async () => {
    const forged = structuredClone(answer) as { data: { payload: { wins: number } } };
    forged.data.payload.wins = 3;
    const options = { source: write("forged.json", forged), did_document: write("did.json", DID) };
    expect(await run(options)).toBe(EXIT.failed);
    expect(await run({ api_key: "good", head: `3:${"0".repeat(64)}` })).toBe(EXIT.failed);
  });

  test("a faulty command line, or a node that does not answer, gives no verdict", async () => {
    const did_document = write("did.json", DID);
    expect(await run({ head: "x" })).toBe(EXIT.config);
    expect(await run({ source: "http://example.com" })).toBe(EXIT.config);
    expect(await run({ source: write("answer.json", answer) })).toBe(EXIT.config);
    expect(await run({ source: write("broken.json", "{"), did_document })).toBe(EXIT.config);
    expect(await run({ source: write("answer.json", answer), did_document: write("none.json", {}) })).toBe(EXIT.config);
    expect(await run({ api_key: "bad" })).toBe(EXIT.config);
    expect(await run({ source: "http://127.0.0.1:1" })).toBe(EXIT.config);
  });
});
