import { expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import type { Log } from "../telemetry/log.ts";
import { watchProxies } from "./watch-proxies.ts";

const TRUSTED = { client: "203.0.113.7", peer: "127.0.0.1", ignored: false };
const HEADERS = new Headers({ "x-forwarded-for": "203.0.113.7", host: "127.0.0.1:8402" });

function create(public_url?: string) {
  const warned: Readonly<Record<string, unknown>>[] = [];
  const log = { warn: (event: Readonly<Record<string, unknown>>) => warned.push(event) } as unknown as Log;
  const clock = createStillClock(Date.UTC(2026, 9, 1));
  return { watch: watchProxies({ log, clock, public_url }), warned };
}
const withHost = (more: Readonly<Record<string, string>>) => {
  const headers = new Headers(HEADERS);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return headers;
};

test.each([
  [{ host: "node.example.com" }, "https://node.example.com"],
  [{ "x-forwarded-host": "Node.Example.com, inner", "x-forwarded-proto": "https" }, "https://node.example.com"],
  [{ "x-forwarded-host": "node.example.com:8443" }, "https://node.example.com:8443"],
  [{ host: "node.example.com", "x-forwarded-proto": "http" }, "http://node.example.com"],
])("behind a trusted proxy without a public address, %p says what to write", (headers, origin) => {
  const { watch, warned } = create();
  watch.note(TRUSTED, withHost(headers));
  expect(watch.unnamed_origin()).toBe(origin);
  expect(warned).toMatchObject([{ event: "public_url_missing", peer: "127.0.0.1" }]);
  // Anybody may send any host: it is named, and it is the operator who knows whether it is his.
  expect(warned[0]?.hint).toContain(`If ${origin} is your address, write public_url = "${origin}"`);
});

test("an invalid host is not repeated", () => {
  const { watch, warned } = create();
  watch.note(TRUSTED, withHost({ host: 'x"\u0060<script>' }));
  expect(watch.unnamed_origin()).toBeNull();
  expect(warned[0]?.hint).not.toContain("script");
});

test("with a public address there is nothing to say", () => {
  const { watch, warned } = create("https://node.example.com");
  watch.note(TRUSTED, HEADERS);
  expect([watch.unnamed_origin(), warned]).toEqual([null, []]);
});

test("each is said once a minute, and one does not keep the other quiet", () => {
  const { watch, warned } = create();
  for (let call = 0; call < 3; call += 1) {
    watch.note(TRUSTED, HEADERS);
    watch.note({ ...TRUSTED, peer: "192.0.2.1", ignored: true }, HEADERS);
  }
  expect(warned.map(({ event }) => event)).toEqual(["public_url_missing", "untrusted_proxy"]);
  expect(watch.untrusted()).toEqual(["192.0.2.1"]);
});
