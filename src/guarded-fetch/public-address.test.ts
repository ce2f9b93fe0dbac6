import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { parseIP } from "../core/ip-address.ts";
import { findAddressFault } from "./public-address.ts";

function faultOf(text: string): string | null {
  const address = parseIP(text);
  if (!address) throw new Error(`${text} is no address`);
  return findAddressFault(address);
}

const PUBLIC = [
  ...["8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "198.17.255.255"],
  ...["198.20.0.0", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"],
];

const REFUSED = [
  ...["100.64.0.1", "172.16.0.1", "169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192"],
  ...["192.88.99.1", "198.19.255.255", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "0.1.2.3"],
  ...["::1", "::", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::808:808", "64:ff9b:1::1"],
  ...["2002:7f00:1::", "2002:808:808::1", "2001::1", "2001:db8::1", "3fff::1", "fc00::1", "fd00:ec2::254"],
  ...["fe80::1", "fec0::1", "ff02::1", "100::1", "5f00::1"],
];

describe("the 42 vectors", () => {
  test("there are 42", () => expect(PUBLIC.length + REFUSED.length).toBe(42));
  test.each(PUBLIC)("%s is public", (text) => expect(faultOf(text)).toBeNull());
  test.each(REFUSED)("%s is not", (text) => expect(faultOf(text)).toEqual(expect.any(String)));
});

test("an address with a zone is never public", () => {
  expect(faultOf("2606:4700:4700::1111%eth0")).not.toBeNull();
  expect(faultOf("fe80::1%eth0")).not.toBeNull();
});

test("what another library calls anything but unicast is never public here", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const opinion = ipaddr.parse(text).range();
      // It calls the IPv6 space that nobody was given yet "unicast" too; and these two it refuses are public by IANA.
      if (opinion !== "unicast" && opinion !== "as112" && opinion !== "amt") expect(faultOf(text)).not.toBeNull();
      if (faultOf(text) === null) expect(["unicast", "as112", "amt"]).toContain(opinion);
    }),
    { numRuns: 5_000 },
  );
});
