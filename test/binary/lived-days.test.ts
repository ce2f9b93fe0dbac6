import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, cleanUp, newFolder, payingFetch, startDemo, waitForPast } from "../helpers/demo-node.ts";
import { EFFORT, repeat } from "../helpers/effort.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** The sandbox's clock lives through the time it skips: what is due runs, each mark once, before it answers. */
const DAYS = repeat({ quick: 1, full: 3, long: 30 });
const HOUR_S = 3_600;
/** Exit code: nothing is wrong, and not all of it could be checked. */
const PARTLY_PROVEN = 3;

afterAll(cleanUp);

interface Status {
  readonly jobs: readonly { readonly id: string; readonly runs: number; readonly failures: number }[];
}
interface TrackRecord {
  readonly data: { readonly payload: { readonly n_emitted: number; readonly n_scored: number; readonly wins: number } };
}

// A quick run lives five days before its tests begin, in the same way.
test.skipIf(EFFORT === "quick")(
  `${DAYS} days in one call: signals are emitted and graded, and the record verifies from outside`,
  async () => {
    const node = await startDemo({ history: "whole" });
    await waitForPast(node);
    const readStatus = async (): Promise<Status> => {
      const response = await node.get("/admin/status", { authorization: `Bearer ${node.operator_token}` });
      return (await response.json()) as Status;
    };
    // Paid with a key: a wallet signs at the system's time, which is days behind later.
    const plan = await payingFetch()(`${node.url}/buy-credits`);
    const { api_key } = (await plan.json()) as { api_key: string };
    noteSecret(api_key);
    const readRecord = async () => {
      const response = await node.get("/win-rate-verified?records=200", { "X-API-Key": api_key });
      expect(response.status).toBe(200);
      return { text: await response.clone().text(), record: (await response.json()) as TrackRecord };
    };
    // The jobs of the start are over once the clock has been moved at all.
    await node.control("/clock", { advance_s: 1 });
    const before = await readRecord();
    const runs = new Map((await readStatus()).jobs.map(({ id, runs: count }) => [id, count]));
    expect(before.record.data.payload.n_scored).toBeGreaterThan(100);
    expect(before.record.data.payload.wins).toBeWithin(1, before.record.data.payload.n_scored);

    const asked_ms = Date.parse(String((await node.control("/clock")).now));
    const { now } = await node.control("/clock", { advance_s: DAYS * 24 * HOUR_S });
    expect(Date.parse(String(now)) - asked_ms).toBeGreaterThanOrEqual(DAYS * 24 * HOUR_S * 1000);

    const status = await readStatus();
    const ranSince = (id: string) => (status.jobs.find((job) => job.id === id)?.runs ?? 0) - (runs.get(id) ?? 0);
    // Each mark once; a mark may fall on either end.
    expect(ranSince("crypto-market/signals-score")).toBeWithin(DAYS * 24 - 1, DAYS * 24 + 2);
    expect(ranSince("crypto-market/signals-emit")).toBeWithin(DAYS * 18 - 3, DAYS * 18 + 4);
    expect(ranSince("crypto-market/derivs-sample")).toBeWithin(DAYS * 24 - 1, DAYS * 24 + 2);
    expect(status.jobs.filter(({ id, failures }) => id.includes("signals-") && failures > 0)).toEqual([]);

    const after = await readRecord();
    expect(after.record.data.payload.n_emitted).toBeGreaterThan(before.record.data.payload.n_emitted + DAYS);
    expect(after.record.data.payload.n_scored).toBeGreaterThan(before.record.data.payload.n_scored + DAYS);
    const file = join(newFolder(), "record.json");
    writeFileSync(file, after.text);
    const document = join(newFolder(), "did.json");
    writeFileSync(document, await (await node.get("/.well-known/did.json")).text());
    const verify = Bun.spawn([BINARY, "verify-track-record", file, "--did-document", document], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = await new Response(verify.stdout).text();
    // Not every record of the sixty days fits into one answer: what is shown is proven, the sums over all are not.
    expect([await verify.exited, said]).toEqual([PARTLY_PROVEN, expect.not.stringContaining("broken")]);
    expect([...(said.match(/^(un)?proven {2,}\w+/gm) ?? [])]).toEqual([
      ...["proven    signature", "proven    membership", "proven    order"],
      ...["unproven  completeness", "proven    grades", "unproven  totals"],
    ]);
  },
);
