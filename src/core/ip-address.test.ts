import { describe, expect, test } from "bun:test";
import { isIP } from "node:net";
import fc from "fast-check";
import {
  formatIP,
  formatIPRange,
  type IPAddress,
  isInIPRange,
  networkOf,
  parseIP,
  parseIPEndpoint,
  parseIPRange,
  unmapIP,
} from "./ip-address.ts";

const canonical = (text: string): string | undefined => {
  const address = parseIP(text);
  return address && formatIP(address);
};

function ip(text: string): IPAddress {
  const address = parseIP(text);
  if (!address) throw new Error(`${text} is no address`);
  return address;
}

describe("an address", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["0.0.0.0", "0.0.0.0"],
    ["255.255.255.255", "255.255.255.255"],
    // The examples of RFC 5952, sections 2 and 4.
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8::1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8::0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:0db8::1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:0:0:1::1", "2001:db8::1:0:0:1"],
    ["2001:DB8:0:0:1::1", "2001:db8::1:0:0:1"],
    ["2001:db8:aaaa:bbbb:cccc:dddd::1", "2001:db8:aaaa:bbbb:cccc:dddd:0:1"],
    ["2001:db8:aaaa:bbbb:cccc:dddd:0:1", "2001:db8:aaaa:bbbb:cccc:dddd:0:1"],
    ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
    ["::", "::"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["0:0:0:0:0:ffff:192.0.2.1", "::ffff:192.0.2.1"],
    ["::ffff:c000:201", "::ffff:192.0.2.1"],
    ["::192.0.2.1", "::c000:201"],
    ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
    ["1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"],
    ["fe80::1%eth0", "fe80::1%eth0"],
  ])("%s is %s", (text, expected) => expect(canonical(text)).toBe(expected));

  test("nothing else is one", () => {
    const refused = [
      "",
      " ",
      "a",
      "1",
      "1.2.3",
      "1.2.3.4.5",
      "1.2.3.256",
      "01.2.3.4",
      "1.2.3.04",
      "1..2.3",
      ".1.2.3",
      "1.2.3.",
      "127.1",
      "0x7f.0.0.1",
      "2130706433",
      "1.2.3.4 ",
      " 1.2.3.4",
      "1.2.3.4:80",
      "+1.2.3.4",
      "１.2.3.4",
      "1.2.3.4%eth0",
      ":",
      ":::",
      "1:::2",
      "::1::",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1:2:3:4:5:6:7:8::",
      "::1:2:3:4:5:6:7:8",
      "12345::",
      "g::",
      ":1::2",
      "1::2:",
      "[::1]",
      "::1/64",
      "::1.2.3",
      "::1.2.3.4:5",
      "::1.2.3.256",
      "1.2.3.4::",
      "1:2:3:4:5:6:7:1.2.3.4",
      "fe80::1%",
      "fe80::1%a b",
      "fe80::1%a%b",
      `fe80::1%${"a".repeat(33)}`,
      "::".repeat(90),
    ];
    expect(refused.filter((text) => parseIP(text))).toEqual([]);
  });

  test("every text is read or refused as the runtime does", () => {
    const piece = fc.constantFrom("0", "1", "255", "256", "01", "ffff", "FF0a", ":", "::", ".", "db8", "-", "12345");
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.array(piece, { maxLength: 18 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (text) => (parseIP(text)?.version ?? 0) === isIP(text)),
      { numRuns: 5_000 },
    );
  });

  test("the canonical text is read back as the same address, and is the one the URL parser writes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat({ max: 0xffff }), (random, zeros) => {
        const bytes = random.map((byte, index) => ((zeros >> index) & 1 ? 0 : byte));
        const address: IPAddress = { version: 6, bytes, zone: null };
        const text = formatIP(address);
        expect(parseIP(text)).toEqual(address);
        expect(new URL(`http://[${text}]/`).hostname).toBe(`[${text}]`);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("an address with a port", () => {
  test.each<[text: string, address: string | undefined, port: number | null]>([
    ["192.0.2.1", "192.0.2.1", null],
    ["192.0.2.1:80", "192.0.2.1", 80],
    ["2001:db8::1", "2001:db8::1", null],
    ["[2001:db8::1]", "2001:db8::1", null],
    ["[2001:db8::1]:65535", "2001:db8::1", 65_535],
    ["::ffff:192.0.2.1", "::ffff:192.0.2.1", null],
    ["[::ffff:192.0.2.1]:1", "::ffff:192.0.2.1", 1],
    ["[fe80::1%eth0]:1", "fe80::1%eth0", 1],
    ["192.0.2.1:", undefined, null],
    ["192.0.2.1:65536", undefined, null],
    ["192.0.2.1:-1", undefined, null],
    ["192.0.2.1:80:80", undefined, null],
    ["[192.0.2.1]:80", undefined, null],
    ["[::1", undefined, null],
    ["[::1]80", undefined, null],
    ["unknown", undefined, null],
    ["_hidden", undefined, null],
  ])("%s is %s, port %s", (text, address, port) => {
    const read = parseIPEndpoint(text);
    expect(read && formatIP(read.address)).toBe(address);
    expect(read?.port ?? null).toBe(port);
  });
});

describe("a range", () => {
  test.each([
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["10.1.2.3", "10.1.2.3/32"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:db8::1/33", "2001:db8::/33"],
    ["::1", "::1/128"],
    ["::/0", "::/0"],
    ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
    ["::ffff:0:0/95", "::fffe:0:0/95"],
  ])("%s is %s", (text, expected) => {
    const range = parseIPRange(text);
    expect(range && formatIPRange(range)).toBe(expected);
  });

  test.each([
    "10.0.0.0/33",
    "10.0.0.0/",
    "/8",
    "10.0.0.0/08",
    "10.0.0.0/-1",
    "::/129",
    "fe80::1%a/64",
    "10.0.0.0/8/8",
    "x/8",
  ])("refused: %s", (text) => expect(parseIPRange(text)).toBeUndefined());

  test.each([
    ["10.255.255.255", "10.0.0.0/8", true],
    ["11.0.0.0", "10.0.0.0/8", false],
    ["172.31.255.255", "172.16.0.0/12", true],
    ["172.32.0.0", "172.16.0.0/12", false],
    ["::ffff:172.16.0.1", "172.16.0.0/12", true],
    ["::1", "127.0.0.0/8", false],
    ["2001:db8:0:1::5", "2001:db8:0:1::/64", true],
    ["2001:db8:0:2::5", "2001:db8:0:1::/64", false],
    ["8.8.8.8", "0.0.0.0/0", true],
    ["8.8.8.8", "::/0", false],
    ["fe80::1%eth0", "fe80::/10", true],
  ])("%s in %s: %p", (text, range_text, expected) => {
    const range = parseIPRange(range_text);
    if (!range) throw new Error(range_text);
    expect(isInIPRange(ip(text), range)).toBe(expected);
  });

  test("an address is in the networks of all its prefixes, and its neighbour past the prefix is not", () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.integer({ min: 1, max: 128 }), (text, prefix) => {
        const address = ip(text);
        if (unmapIP(address).version === 4) return;
        expect(isInIPRange(address, networkOf(address, prefix))).toBe(true);
        const neighbour = address.bytes.slice();
        const index = (prefix - 1) >> 3;
        neighbour[index] = (neighbour[index] ?? 0) ^ (0x80 >> ((prefix - 1) & 7));
        expect(isInIPRange({ ...address, bytes: neighbour }, networkOf(address, prefix))).toBe(false);
      }),
    );
  });

  test("a prefix longer than the address is refused", () => {
    expect(() => networkOf(ip("192.0.2.1"), 33)).toThrow(RangeError);
    expect(() => networkOf(ip("::1"), -1)).toThrow(RangeError);
  });
});

test("a mapped address is the IPv4 address inside", () => {
  expect(formatIP(unmapIP(ip("::ffff:192.0.2.1")))).toBe("192.0.2.1");
  expect(formatIP(unmapIP(ip("::192.0.2.1")))).toBe("::c000:201");
  expect(formatIP(unmapIP(ip("192.0.2.1")))).toBe("192.0.2.1");
});
