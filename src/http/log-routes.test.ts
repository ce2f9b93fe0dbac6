import { beforeAll, describe, expect, test } from "bun:test";
import { createLongHistory, listEvidence } from "../../test/helpers/long-history.ts";
import { type AskLog, serveLogs } from "../../test/helpers/served-log.ts";
import { isNodeError } from "../core/errors.ts";
import { createIdentity } from "../core/identity.ts";

const SIZE = 300;
const identity = createIdentity();
let ask: AskLog;
let hashes: readonly string[];
beforeAll(async () => {
  const { records } = await createLongHistory(SIZE);
  ask = serveLogs({ records, identity });
  hashes = (await listEvidence(records)).map(({ record_hash }) => record_hash);
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
