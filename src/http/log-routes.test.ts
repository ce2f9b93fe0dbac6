import { beforeAll, describe, expect, test } from "bun:test";
import { createLongHistory, listEvidence } from "../../test/helpers/long-history.ts";
import { type AskLog, serveLogs } from "../../test/helpers/served-log.ts";
import { isNodeError } from "../core/errors.ts";
import { createIdentity } from "../core/identity.ts";
import { hashRecord } from "../records/record-chain.ts";
import { verifyLogProof } from "../trust/verify-log-proof.ts";

const SIZE = 300;
const identity = createIdentity();
const DAY_MS = 86_400_000;
/** Records that have no outcome yet. */
const OPEN = 5;
let ask: AskLog;
let evidence: Awaited<ReturnType<typeof listEvidence>>;
let hashes: readonly string[];
let time_ms: number;
beforeAll(async () => {
  const { records, now_ms } = await createLongHistory(SIZE);
  time_ms = now_ms;
  ask = serveLogs({ records, identity, now_ms: () => time_ms });
  evidence = await listEvidence(records);
  hashes = evidence.map(({ record_hash }) => record_hash);
});

const refusalOf = async (path: string): Promise<number> => {
  try {
    return (await ask(path)).status;
  } catch (error) {
    if (isNodeError(error)) return error.status;
    throw error;
  }
};

describe("a history as a tiled log", () => {
  test("is shown by a checkpoint that is not stored", async () => {
    const answer = await ask("/track-record/checkpoint");
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect((await answer.text()).split("\n").slice(0, 2)).toEqual([`intel-node/${identity.node_id}/signals`, "300"]);
    const [origin, size] = (await (await ask("/track-record/theses/checkpoint")).text()).split("\n");
    expect([origin, size]).toEqual([`intel-node/${identity.node_id}/theses`, "0"]);
    const key = await (await ask("/track-record/theses/checkpoint?form=key")).text();
    expect(key).toBe(await (await ask("/track-record/checkpoint?chain=theses&form=key")).text());
  });

  test("consists of files that are kept for ever, as they are", async () => {
    for (const [path, bytes] of [
      ["tile/0/000", 256 * 32],
      ["tile/0/001.p/44", 44 * 32],
      ["tile/1/000.p/1", 32],
      ["tile/entries/000", 256 * 34],
      ["tile/entries/001.p/44", 44 * 34],
    ] as const) {
      const answer = await ask(`/track-record/${path}`, { headers: { "accept-encoding": "gzip" } });
      expect({ path, bytes: (await answer.bytes()).length }).toEqual({ path, bytes });
      expect(answer.headers.get("content-type")).toBe("application/octet-stream");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const etag = answer.headers.get("etag") ?? "";
      expect((await ask(`/track-record/${path}`, { headers: { "if-none-match": etag } })).status).toBe(304);
    }
  });

  test("has the hashes of its records as entries, each behind its length", async () => {
    const bundle = Buffer.from(await (await ask("/track-record/tile/entries/001.p/44")).arrayBuffer());
    const entries = Array.from({ length: 44 }, (_, at) => bundle.subarray(at * 34, (at + 1) * 34).toString("hex"));
    expect(entries).toEqual(hashes.slice(256).map((hash) => `0020${hash}`));
  });

  test.each([
    ["tile/0/001", "is not full yet"],
    ["tile/0/001.p/45", "is not that wide yet"],
    ["tile/0/002.p/1", "has not begun"],
    ["tile/1/000.p/2", "would hold a tile that is not full"],
    ["tile/2/000.p/1", "is of a level that has not begun"],
    ["tile/entries/001", "is a bundle that is not full yet"],
    ["tile/0/000.p/256", "is full, and called partial"],
    ["tile/0/0", "is not written with three digits"],
    ["tile/00/000", "is of a level with a zero too many"],
    ["tile/64/000", "is of no level"],
    ["tile/0/x000/000", "is written with a group too many"],
    ["tile/data/000", "is what other logs call their entries"],
    ["tile/", "has no name"],
    ["proof/0", "is of no record"],
    ["proof/301", "is of a record that is not there yet"],
    ["proof/1.5", "is of no number"],
    ["proof/01", "is of a number with a zero too many"],
  ])("has no %s, which %s", async (path) => {
    expect(await refusalOf(`/track-record/${path}`)).toBe(404);
  });

  test("takes no parameters but those it knows", async () => {
    expect(await refusalOf("/track-record/tile/0/000?chain=theses")).toBe(422);
    expect(await refusalOf("/track-record/proof/1?form=key")).toBe(422);
    expect(await refusalOf("/track-record/theses/checkpoint?chain=signals")).toBe(422);
  });

  test("proves each record by a file of text", async () => {
    const answer = await ask("/track-record/proof/257");
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    const [header, extra, index] = (await answer.text()).split("\n");
    const hash = Buffer.from(hashes[256] ?? "", "hex").toString("base64");
    expect([header, extra, index]).toEqual(["c2sp.org/tlog-proof@v1", `extra ${hash}`, "index 256"]);
  });
});

describe("what came of a history as a tiled log", () => {
  const LOG = "/track-record/outcomes";
  const sizeOf = async (): Promise<number> => Number((await (await ask(`${LOG}/checkpoint`)).text()).split("\n")[1]);

  test("shows nothing that was stated within a day, and the rest for good", async () => {
    expect(await sizeOf()).toBe(0);
    expect(await refusalOf(`${LOG}/tile/entries/000.p/1`)).toBe(404);
    expect(await refusalOf(`${LOG}/proof/1`)).toBe(404);
    time_ms += DAY_MS - 1;
    expect(await sizeOf()).toBe(0);
    time_ms += 60_000;
    expect(await sizeOf()).toBe(SIZE - OPEN);
    // A clock that is set back takes nothing away.
    time_ms -= DAY_MS;
    expect((await ask(`${LOG}/tile/0/000`)).status).toBe(200);
    time_ms += DAY_MS;
  });

  test("is called after its history, and has a key of its own name", async () => {
    const [origin] = (await (await ask(`${LOG}/checkpoint`)).text()).split("\n");
    expect(origin).toBe(`intel-node/${identity.node_id}/signals/outcomes`);
    const key = await (await ask(`${LOG}/checkpoint?form=key`)).text();
    expect(key).toStartWith(`intel-node/${identity.node_id}/signals/outcomes+`);
    const theses = (await (await ask("/track-record/theses/outcomes/checkpoint")).text()).split("\n");
    expect(theses.slice(0, 2)).toEqual([`intel-node/${identity.node_id}/theses/outcomes`, "0"]);
  });

  test("has the hashes of record and outcome as entries, in the order in which they were stated", async () => {
    const bytes = Buffer.from(await (await ask(`${LOG}/tile/entries/001.p/39`)).arrayBuffer());
    const entries = Array.from({ length: 39 }, (_, at) => bytes.subarray(at * 66, (at + 1) * 66).toString("hex"));
    const stated = evidence
      .filter(({ outcome_seq }) => outcome_seq !== null && outcome_seq > 256)
      .toSorted((one, other) => Number(one.outcome_seq) - Number(other.outcome_seq));
    expect(entries).toEqual(stated.map(({ record_hash, outcome_hash }) => `0040${record_hash}${outcome_hash}`));
  });

  test("has no other files, and takes no parameters but those it knows", async () => {
    for (const rest of ["tile/0/001", "proof/296", "proof/0", "tile", "heads", ""]) {
      expect([rest, await refusalOf(`${LOG}/${rest}`)]).toEqual([rest, 404]);
    }
    expect(await refusalOf(`${LOG}/checkpoint?chain=theses`)).toBe(422);
    expect(await refusalOf(`${LOG}/proof/1?form=key`)).toBe(422);
  });

  test("is proven place by place to who has the record beside its outcome", async () => {
    const place = 257;
    const text = await (await ask(`${LOG}/proof/${place}`)).text();
    const keys = [identity.public_key];
    const verdictOf = (shown: unknown) => verifyLogProof(text, { keys, evidence: shown });
    const { verdict, claims } = verdictOf({ records: evidence });
    expect({ verdict, states: claims.map(({ name, state }) => `${name} ${state}`) }).toEqual({
      verdict: "proven",
      states: ["signature proven", "membership proven", "order proven"],
    });
    const row = evidence.find(({ outcome_seq }) => outcome_seq === place);
    if (!row) throw new Error("there is no such outcome");
    expect(verdictOf(row).verdict).toBe("proven");
    expect(verdictOf(row.record).verdict).toBe("unproven");
    expect(verdictOf({ records: [] }).verdict).toBe("unproven");
    const turned = { ...row.outcome, hit: !(row.outcome as { hit?: boolean }).hit };
    expect(verdictOf({ ...row, outcome: turned }).verdict).toBe("broken");
    expect(verdictOf({ ...row, outcome: turned, outcome_hash: hashRecord(turned) }).verdict).toBe("broken");
    expect(verdictOf({ ...row, outcome_seq: place + 1 }).verdict).toBe("broken");
    const other = evidence.find(({ outcome_seq }) => outcome_seq === place + 1);
    expect(verdictOf({ ...row, outcome: other?.outcome, outcome_hash: other?.outcome_hash }).verdict).toBe("broken");
    expect(verdictOf({ ...other, outcome_seq: place }).verdict).toBe("broken");
  });
});
