import { expect, test } from "bun:test";
import type { Challenge } from "../payments/challenge.ts";
import { createReadyChallenge } from "./ready-challenge.ts";

const CALL = { bound: "call" };
let ids = 0;

const challenge: Challenge = {
  networks: ["eip155:84532"],
  payment_required: {
    x402Version: 2,
    error: "",
    resource: { url: "", description: "", mimeType: "", serviceName: "", tags: [] },
    accepts: [],
    extensions: {},
  },
  header: "second",
  header_v1: "first",
  body: ['{"title":"Câmbio €","request_id":"', '","more":"ção"}'],
  body_v1: ['{"old":true,"request_id":"', '"}'],
  called: (query, protocol) => ({ header: `${protocol}${query}`, body: [`{"url":"/a${query}","request_id":"`, '"}'] }),
  mpp: {
    ways: [],
    issue() {
      ids += 1;
      return [{ id: `id_${ids}`, realm: "r", method: "evm", intent: "charge", request: "e30", request_object: {} }];
    },
  },
  refused() {
    throw new Error("nothing is refused here");
  },
};
const shared = new Headers({ "Content-Type": "application/json" });

test("answers that are under way at once keep their own ids", async () => {
  const ready = createReadyChallenge(challenge, 2, shared);
  const ids = Array.from({ length: 50 }, (_, index) => `req_${String(index).padStart(3, "0")}`);
  const responses = ids.map((id) => ready(id, false, CALL));
  const shown = await Promise.all(
    responses.map(async (response) => [
      response.headers.get("x-request-id"),
      ((await response.json()) as { request_id: string }).request_id,
    ]),
  );
  expect(shown).toEqual(ids.map((id) => [id, id]));
  const challenges = responses.map(({ headers }) => headers.get("www-authenticate"));
  expect(new Set(challenges).size).toBe(ids.length);
});

test("an id of another length, and letters beyond ASCII before and after it, change nothing else", async () => {
  const ready = createReadyChallenge(challenge, 2, shared);
  for (const id of ["req_1", "req_22", "req_3", "req_4"]) {
    expect(await ready(id, false, CALL).json()).toEqual({ title: "Câmbio €", request_id: id, more: "ção" });
  }
});

test("a query appears in its own answer, and in no later one", async () => {
  const ready = createReadyChallenge(challenge, 2, shared);
  const shown = async (id: string, query?: string, is_head = false) => {
    const response = ready(id, is_head, query === undefined ? CALL : { ...CALL, query });
    return [response.headers.get("payment-required"), await response.text()];
  };
  expect(await shown("req_1", "?q=1")).toEqual(["2?q=1", '{"url":"/a?q=1","request_id":"req_1"}']);
  const [header, body] = await shown("req_2");
  expect([header, JSON.parse(body ?? "").request_id]).toEqual(["second", "req_2"]);
  expect(await shown("req_3", "?q=3", true)).toEqual(["2?q=3", ""]);
  expect((await shown("req_4", "", true))[0]).toBe("second");
});

test("each version has its own header and body; HEAD has no body", async () => {
  const first = createReadyChallenge(challenge, 1, shared)("req_1", false, CALL);
  expect([first.status, first.headers.get("payment-required"), await first.json()]).toEqual([
    402,
    "first",
    { old: true, request_id: "req_1" },
  ]);
  const head = createReadyChallenge(challenge, 2, shared)("req_2", true, CALL);
  expect([head.headers.get("payment-required"), head.headers.get("x-request-id"), await head.text()]).toEqual([
    "second",
    "req_2",
    "",
  ]);
  expect(shared.has("payment-required")).toBe(false);
});
