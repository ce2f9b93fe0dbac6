import { describe, expect, test } from "bun:test";
import { TEST_SEED } from "../../test/helpers/seed.ts";
import { parkMiller } from "../../test/helpers/test-series.ts";
import { createTestSigner } from "../../test/helpers/test-signer.ts";
import { createMemoryRecords } from "../records/memory-records.ts";
import { createSimulatedCalendar, SIMULATED_CALENDAR } from "../sandbox/simulated-calendar.ts";
import { ANCHOR_PROOFS } from "./anchor-proofs.ts";
import { type AnchorOptions, createAnchors, type ShownAnchor } from "./anchors.ts";
import { HISTORY_HEADS } from "./history-heads.ts";
import type { KnownBlock } from "./ots/block-header.ts";
import type { AskCalendar } from "./ots/calendars.ts";
import { readProof } from "./ots/timestamp.ts";
import { listAttested } from "./ots/walk.ts";
import { readKeptHead } from "./track-form.ts";
import { verifyAnchor } from "./verify-anchor.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const signer = createTestSigner();
const START_MS = Date.parse("2026-11-29T12:00:00Z");

/** A calendar of the sandbox, and others that answer as the test says. */
function createWorld(more: Partial<AnchorOptions> = {}) {
  const clock = { now_ms: START_MS };
  const now_ms = () => clock.now_ms;
  const calendar = createSimulatedCalendar(now_ms);
  const asked: string[] = [];
  const ask: AskCalendar = async (url, body) => {
    asked.push(url);
    if (!url.startsWith(SIMULATED_CALENDAR)) return { failed: "the name does not exist" };
    const answer = await calendar({ url, ...(body === null ? {} : { method: "POST", body }) });
    return answer.ok ? answer : { failed: answer.reason };
  };
  const records = createMemoryRecords(now_ms);
  const options = { records, signer, now_ms, calendars: [SIMULATED_CALENDAR], every_ms: DAY_MS, ask, ...more };
  const write = () => records.append(HISTORY_HEADS, (link) => ({ v: 1, ...link, of: "signals" }));
  return { clock, records, asked, write, anchors: createAnchors(options), reopen: () => createAnchors(options) };
}

const rootsOf = ({ ots }: ShownAnchor): readonly KnownBlock[] =>
  listAttested(readProof(Buffer.from(ots ?? "", "base64")).timestamp).flatMap(({ message, attestation }) =>
    attestation.kind === "bitcoin" ? [{ height: attestation.height, merkle_root: message, time_ms: null }] : [],
  );
const isKeyOf = (public_key: string) => public_key === signer.public_key;
const verify = (anchor: unknown, blocks: readonly KnownBlock[] = []) => verifyAnchor(anchor, { isKeyOf, blocks });
const first = async (anchors: Pick<ReturnType<typeof createAnchors>, "get">): Promise<ShownAnchor> => {
  const anchor = await anchors.get(1);
  if (!anchor) throw new Error("nothing was made");
  return anchor;
};

/** One that a block holds. */
async function attest() {
  const world = createWorld();
  await world.write();
  await world.anchors.run();
  world.clock.now_ms += 2 * HOUR_MS;
  await world.anchors.run();
  const anchor: ShownAnchor = JSON.parse(JSON.stringify(await first(world.anchors)));
  return { ...world, anchor, blocks: rootsOf(anchor) };
}

describe("public timestamps", () => {
  test("are off where no calendar is named: nothing is made, and nobody is asked", async () => {
    const { anchors, asked, records, write } = createWorld({ calendars: [] });
    await write();
    await anchors.run();
    expect([await anchors.list(0), asked, records.all().get("anchors") ?? []]).toEqual([[], [], []]);
    expect(await anchors.troubles()).toEqual({ untaken_since_ms: null, unattested_since_ms: null, reason: null });
  });

  test("wait at the calendar, and are in a block later", async () => {
    const { anchors, clock, records, write, reopen } = createWorld();
    await write();
    await anchors.run();
    const waiting = await first(anchors);
    expect(waiting).toMatchObject({ pending_at: [SIMULATED_CALENDAR], bitcoin_blocks: [] });
    expect(verify(waiting)).toMatchObject({
      verdict: "unproven",
      claims: [
        { name: "signature", state: "proven" },
        { name: "statement", state: "proven" },
        { name: "time", state: "unproven", detail: `pending at calendar ${SIMULATED_CALENDAR}` },
      ],
    });
    // Not in a block yet: nothing is kept anew.
    clock.now_ms += HOUR_MS / 2;
    await anchors.run();
    expect(records.all().get(ANCHOR_PROOFS)).toHaveLength(1);
    clock.now_ms += HOUR_MS;
    // Another process goes on from what is kept.
    const later = reopen();
    await later.run();
    const attested = await first(later);
    expect(attested.bitcoin_blocks).toHaveLength(1);
    expect(await first(anchors)).toEqual(attested);
    expect(verify(attested)).toMatchObject({ verdict: "unproven" });
    expect(verify(attested, rootsOf(attested))).toMatchObject({
      verdict: "proven",
      claims: [{}, {}, { detail: `it existed before Bitcoin block ${attested.bitcoin_blocks[0]}` }],
    });
    // What is attested is asked for no more.
    await later.run();
    expect(records.all().get(ANCHOR_PROOFS)).toHaveLength(2);
  });

  test("hold the heads of all chains, are made at the cadence, and only when something was written", async () => {
    const { anchors, clock, write, records } = createWorld();
    await write();
    await anchors.run();
    clock.now_ms += HOUR_MS;
    await write();
    await anchors.run();
    expect(await anchors.list(0)).toHaveLength(1);
    clock.now_ms += DAY_MS;
    await anchors.run();
    clock.now_ms += DAY_MS;
    await anchors.run();
    const list = await anchors.list(0);
    expect(list).toHaveLength(2);
    const { length, head } = await records.head(HISTORY_HEADS);
    expect(list[1]?.record).toMatchObject({ seq: 2, prev_hash: list[0]?.record_hash });
    expect(list[1]?.record.chains).toMatchObject({ [HISTORY_HEADS]: { length, head }, "receipt-seals": { length: 0 } });
    expect(await anchors.list(1)).toEqual(list.slice(1));
    expect(await anchors.get(3)).toBeNull();
  });

  test("hold what verify-track-record takes as a head kept earlier", async () => {
    const { anchors, records } = createWorld();
    await records.append("signals", (link) => ({ v: 1, ...link }));
    await anchors.run();
    const { length, head } = await records.head("signals");
    const anchor = await first(anchors);
    expect(readKeptHead(anchor)).toMatchObject({ length, head });
    expect(readKeptHead({ anchor })).toMatchObject({ length, head });
  });
});

describe("calendars that fail", () => {
  test("are tried again each hour, and told of once nothing was taken; one is enough", async () => {
    let is_up = false;
    const world = createWorld();
    const calendar = createSimulatedCalendar(() => world.clock.now_ms);
    const anchors = createAnchors({
      records: world.records,
      signer,
      now_ms: () => world.clock.now_ms,
      calendars: ["https://dead.example", SIMULATED_CALENDAR],
      every_ms: DAY_MS,
      async ask(url, body) {
        if (!is_up || body === null || url.startsWith("https://dead")) return { failed: "no route to it" };
        const answer = await calendar({ url, method: "POST", body });
        return answer.ok ? answer : { failed: answer.reason };
      },
    });
    await world.write();
    await anchors.run();
    expect(verify(await first(anchors))).toMatchObject({
      verdict: "unproven",
      claims: [{}, {}, { detail: "no calendar has taken it: its time is the node's own" }],
    });
    world.clock.now_ms += HOUR_MS;
    await anchors.run();
    expect(await anchors.troubles()).toEqual({
      untaken_since_ms: START_MS,
      unattested_since_ms: START_MS,
      reason: `${SIMULATED_CALENDAR}: no route to it`,
    });
    is_up = true;
    world.clock.now_ms += HOUR_MS;
    await anchors.run();
    expect(await anchors.troubles()).toMatchObject({ untaken_since_ms: null, unattested_since_ms: START_MS });
    expect(await first(anchors)).toMatchObject({ pending_at: [SIMULATED_CALENDAR] });
  });

  test.each([
    ["an error", { status: 500, body: Buffer.from("no") }],
    ["a page", { status: 200, body: Buffer.from("<!doctype html>") }],
    ["too much", { status: 200, body: Buffer.alloc(20_000, 0xff) }],
    ["nothing", { status: 200, body: new Uint8Array() }],
  ])("with %s are not believed", async (_, said) => {
    const { anchors, write } = createWorld({ ask: async () => said });
    await write();
    await anchors.run();
    expect(await first(anchors)).toMatchObject({ ots: null, pending_at: [], bitcoin_blocks: [] });
    expect((await anchors.troubles()).reason).toStartWith(SIMULATED_CALENDAR);
  });
});

/** Everything that may be wrong in one, and none of it is called proven. */
describe("a forged timestamp", () => {
  const edits: readonly (readonly [string, (anchor: Record<string, unknown>) => unknown])[] = [
    ["another head", (anchor) => bend(anchor, "chains")],
    [
      "another time",
      ({ record, ...rest }) => ({ ...rest, record: { ...(record as object), anchored_at: "2020-01-01T00:00:00Z" } }),
    ],
    ["another node", ({ record, ...rest }) => ({ ...rest, record: { ...(record as object), node_id: "abc" } })],
    ["another hash", (anchor) => ({ ...anchor, record_hash: "0".repeat(64) })],
    ["another block beside it", (anchor) => ({ ...anchor, bitcoin_blocks: [1] })],
    ["another text beside it", (anchor) => ({ ...anchor, statement: "{}" })],
    ["no proof", (anchor) => ({ ...anchor, ots: null })],
    ["a proof of something else", (anchor) => ({ ...anchor, ots: turn(String(anchor.ots), 40) })],
    ["a proof that is cut off", (anchor) => ({ ...anchor, ots: String(anchor.ots).slice(0, 80) })],
    ["a signature of nobody", (anchor) => ({ ...anchor, signature: `${"A".repeat(85)}A` })],
    ["no record", ({ record: _, ...rest }) => rest],
    ["nothing at all", () => null],
  ];
  test.each(edits)("%s", async (_, edit) => {
    const { anchor, blocks } = await attest();
    expect(verify(anchor, blocks).verdict).toBe("proven");
    const { verdict, claims } = verify(edit({ ...anchor }), blocks);
    expect([verdict, claims]).not.toEqual(["proven", claims]);
  });

  test("of another key is broken, and so is one whose key the node does not have", async () => {
    const { anchor, blocks } = await attest();
    expect(verifyAnchor(anchor, { isKeyOf: () => false, blocks }).verdict).toBe("broken");
  });

  test("of 2,000 edits of single characters, none proves another statement", async () => {
    const { anchor, blocks } = await attest();
    const random = parkMiller(TEST_SEED);
    const text = JSON.stringify(anchor);
    let proven = 0;
    for (let round = 0; round < 2_000; round += 1) {
      const place = Math.floor(random() * text.length);
      const letter = '0123456789abcdefABCDEF+/-_"{}[],:'[Math.floor(random() * 33)] ?? "0";
      const bent = text.slice(0, place) + letter + text.slice(place + 1);
      const given = parse(bent);
      if (given === undefined || verify(given, blocks).verdict !== "proven") continue;
      proven += 1;
      // What nothing hangs on may be written otherwise: names beside the proof, the proof's own base64 padding.
      const { ots, ...rest } = given as ShownAnchor;
      expect(Buffer.from(ots ?? "", "base64")).toEqual(Buffer.from(anchor.ots ?? "", "base64"));
      // A member that was renamed is missing; what is there is as it was.
      for (const [name, value] of Object.entries(rest)) {
        if (Object.hasOwn(anchor, name))
          expect({ [name]: value as unknown }).toEqual({ [name]: Reflect.get(anchor, name) });
      }
    }
    expect(proven).toBeLessThan(200);
  });
});

function bend(anchor: Record<string, unknown>, member: string): unknown {
  const record = { ...(anchor.record as Record<string, unknown>), [member]: {} };
  return { ...anchor, record };
}

function turn(base64: string, place: number): string {
  const bytes = Buffer.from(base64, "base64");
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return bytes.toString("base64");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
