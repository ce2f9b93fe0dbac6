import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createClientAddresses } from "./client-address.ts";

const behind = (trusted: readonly string[], peer: string, forwarded: string | null): string =>
  createClientAddresses(trusted)(peer, forwarded).client;

describe("the client behind trusted proxies", () => {
  test.each([
    ["nobody is trusted", [], "127.0.0.1", "203.0.113.9", "127.0.0.1"],
    ["no header", ["127.0.0.1"], "127.0.0.1", null, "127.0.0.1"],
    ["one proxy", ["127.0.0.1"], "127.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["an appending proxy", ["127.0.0.1"], "127.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    ["two proxies", ["127.0.0.0/8", "10.0.0.0/8"], "127.0.0.1", "1.1.1.1, 203.0.113.9, 10.2.3.4", "203.0.113.9"],
    ["an IPv6 range", ["2001:db8::/32"], "2001:db8:5::1", "2606:4700::1", "2606:4700::1"],
    ["a mapped peer", ["127.0.0.1"], "::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["a mapped entry in the list", ["::ffff:127.0.0.1"], "127.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["a mapped hop", ["::1"], "::1", "::ffff:203.0.113.9", "203.0.113.9"],
    ["a port", ["::1"], "::1", "203.0.113.9:51234", "203.0.113.9"],
    ["IPv6 with brackets and port", ["::1"], "::1", "[2606:4700::1]:443", "2606:4700::1"],
    ["IPv6 in long form", ["::1"], "::1", "2606:4700:0000:0:0:0:0:0001", "2606:4700::1"],
    ["no spaces", ["::1"], "::1", "1.1.1.1,203.0.113.9", "203.0.113.9"],
    ["an obfuscated hop", ["::1"], "::1", "203.0.113.9, unknown", "::1"],
    ["garbage left of a trusted hop", ["::1", "10.0.0.1"], "::1", "<script>, 10.0.0.1", "10.0.0.1"],
    ["an empty header", ["::1"], "::1", "", "::1"],
    ["only trusted hops", ["::1", "10.0.0.0/8"], "::1", "10.0.0.2, 10.0.0.1", "10.0.0.2"],
    ["a stranger's header", ["127.0.0.1"], "198.51.100.7", "1.1.1.1", "198.51.100.7"],
  ] as const)("%s", (_, trusted, peer, forwarded, client) => {
    expect(behind(trusted, peer, forwarded)).toBe(client);
  });

  test("a client cannot choose his address, however much he sends", () => {
    const of = createClientAddresses(["127.0.0.1"]);
    fc.assert(
      fc.property(fc.string({ maxLength: 3_000 }), (sent) => {
        expect(of("127.0.0.1", `${sent}, 203.0.113.9`).client).toBe("203.0.113.9");
      }),
    );
  });

  test("a header from a peer that is not a proxy of ours is reported", () => {
    const of = createClientAddresses(["10.0.0.0/8"]);
    expect(of("127.0.0.1", "203.0.113.9")).toEqual({ client: "127.0.0.1", peer: "127.0.0.1", ignored: true });
    expect(of("10.1.1.1", "203.0.113.9").ignored).toBe(false);
    expect(of("127.0.0.1", null).ignored).toBe(false);
  });
});
