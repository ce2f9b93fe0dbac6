import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { countKinds, listProviderFolders, readProvenances, readRecordings } from "../../src/tools/recorded-bytes.ts";
import { isEndpoint, listMethods } from "../../src/upstream/endpoint.ts";
import { createWholeNode, PRODUCTS, produce, runJobs } from "../helpers/catalog-world.ts";
import { pickTold, readRecorded } from "../helpers/recorded.ts";
import { findFormFaults, findShapeFaults, listBytes } from "../helpers/recordings.ts";
import type { BentCall } from "../helpers/simulated-node.ts";
import { READINGS } from "../readings/readings.ts";

/**
 * Each reader reads bytes its publisher really sent, found in public places, through the node's own client. Where they
 * come from is said beside them (recorded/provenance.json), and shown in docs/recorded.md.
 */

const ROOT = join(import.meta.dir, "..", "..");
/** A folder that `check --online --record` wrote. */
const OWN = process.env.RECORDED_DIR;
/** Endpoints; raised with what is found. */
const RECORDED_MIN = 126;
const KNOWN_MIN = 144;
const PROVENANCES = readProvenances(ROOT);

test("each provider says of each endpoint what its bytes are", () => {
  const told = new Set(PROVENANCES.map(({ folder }) => folder));
  const silent = listProviderFolders(ROOT).filter((folder) => !told.has(join(ROOT, folder, "recorded")));
  expect(silent).toEqual([]);
});

test("each is recorded, documented, or imagined with where was looked, beside nothing but small bytes it names", () => {
  expect(PROVENANCES.flatMap(findFormFaults)).toEqual([]);
});

describe.if(OWN !== undefined)("an operator's own recording (RECORDED_DIR)", () => {
  const recordings = OWN === undefined ? [] : readRecordings(OWN);

  test("is written as the project's own are", () => {
    expect(recordings.length).toBeGreaterThan(0);
    expect(recordings.flatMap(findFormFaults)).toEqual([]);
  });

  test("has the shapes that the readers read", async () => {
    expect(await findShapeFaults(recordings)).toEqual([]);
  });
});

test("every file is read by a reading", () => {
  const unread = PROVENANCES.flatMap(({ provider, endpoints }) => {
    const read = new Set((READINGS[provider] ?? []).flatMap(({ files }) => files));
    return listBytes(endpoints).flatMap(({ file }) => (read.has(file) ? [] : [`${provider} ${file}`]));
  });
  expect(unread).toEqual([]);
});

test("what products and jobs ask is an endpoint somebody said something of", async () => {
  const unsaid = new Set<string>();
  const look = (call: BentCall) => {
    const endpoints = PROVENANCES.find(({ provider }) => provider === call.provider)?.endpoints ?? [];
    const methods = call.provider.endsWith("_rpc") ? listMethods(JSON.parse(call.body)) : [];
    const parts =
      methods.length > 0 ? methods.map((method) => ({ path: "", body: JSON.stringify({ method }) })) : [call];
    for (const part of parts) {
      if (!endpoints.some(({ endpoint }) => isEndpoint(endpoint, part))) {
        unsaid.add(`${call.provider} ${part.path.split("?")[0]} ${part.body.slice(0, 60)}`);
      }
    }
  };
  const bend = (answer: Response, call: BentCall) => {
    look(call);
    return answer;
  };
  const node = createWholeNode({ now_ms: Date.UTC(2026, 9, 1, 12, 24, 56), bend });
  for (const product of PRODUCTS) await produce(node, product);
  await runJobs(node);
  node.close();
  expect([...unsaid].sort()).toEqual([]);
});

describe("the reader understands what was sent", () => {
  for (const provenance of PROVENANCES) {
    for (const [index, reading] of (READINGS[provenance.provider] ?? []).entries()) {
      test(`${provenance.provider} ${index}: ${reading.files.join(", ")}`, async () => {
        const reads = readRecorded(provenance, reading);
        if (reading.refused !== undefined) return expect(reads).rejects.toThrow(reading.refused);
        const { value, asked } = await reads;
        expect(asked).toEqual([...new Set(reading.files)].sort());
        expect(pickTold(value, reading.gives)).toEqual(reading.gives);
      });
    }
  }
});

test("a folder without provenance is a mistake", () => {
  const stray = listProviderFolders(ROOT).filter(
    (folder) =>
      existsSync(join(ROOT, folder, "recorded")) && !existsSync(join(ROOT, folder, "recorded/provenance.json")),
  );
  expect(stray).toEqual([]);
});

test("what was found is not lost", () => {
  const { recorded, documented } = countKinds(PROVENANCES);
  expect(recorded).toBeGreaterThanOrEqual(RECORDED_MIN);
  expect(recorded + documented).toBeGreaterThanOrEqual(KNOWN_MIN);
});
