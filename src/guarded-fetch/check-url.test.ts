import { expect, test } from "bun:test";
import { checkURL } from "./check-url.ts";

const POLICY = {
  ports: [80, 443, 8080, 8443],
  refused_hosts: new Set(["our.node.net"]),
  known_hosts: new Set<string>(),
};
const hostOf = (text: string) => {
  const checked = checkURL(text, POLICY);
  return "rule" in checked ? `refused: ${checked.rule}` : checked.host;
};

const LOOPBACK_SPELLINGS = ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "017700000001", "0x7f000001"];
const WIDE_SPELLINGS = ["１２７.0.0.1", "127。0。0。1"];
test.each([
  ["https://peer.guarded.net/a?b=1#c", "peer.guarded.net"],
  ["HTTP://PEER.Guarded.NET.:8080", "peer.guarded.net"],
  ["https://bücher.de/", "xn--bcher-kva.de"],
  ["https://xn--bcher-kva.de/", "xn--bcher-kva.de"],
  ["https://例え.テスト.jp/", "xn--r8jz45g.xn--zckzah.jp"],
  ["https://8.8.8.8/", "8.8.8.8"],
  ["https://[2606:4700::1]/", "2606:4700::1"],
  // Every way to write 127.0.0.1 comes out as itself, for the check of addresses to see.
  ...[...LOOPBACK_SPELLINGS, ...WIDE_SPELLINGS].map((host) => [`http://${host}/`, "127.0.0.1"] as const),
  ["http://[::ffff:127.0.0.1]/", "::ffff:7f00:1"],
  ["http://127.0.0.1./", "127.0.0.1"],
])("%s asks %s", (text, host) => expect(hostOf(text)).toBe(host));

test.each([
  ["", "url"],
  ["peer.guarded.net", "url"],
  ["//peer.guarded.net", "url"],
  ["ftp://peer.guarded.net/", "url"],
  ["file:///etc/passwd", "url"],
  ["gopher://peer.guarded.net/", "url"],
  ["data:text/plain,x", "url"],
  ["javascript:alert(1)", "url"],
  ["https://user@peer.guarded.net/", "url"],
  ["https://user:secret@peer.guarded.net/", "url"],
  ["https://:secret@peer.guarded.net/", "url"],
  [`https://peer.guarded.net/${"a".repeat(8_192)}`, "url"],
  ["https://peer.guarded.net:22/", "port"],
  ["https://peer.guarded.net:0/", "port"],
  ["https://peer.guarded.net:6379/", "port"],
  ["https://localhost/", "host"],
  ["https://localhost./", "host"],
  ["https://a.localhost/", "host"],
  ["https://metadata/", "host"],
  ["https://metadata.google.internal/", "host"],
  ["https://printer.local/", "host"],
  ["https://router.lan/", "host"],
  ["https://nas.home.arpa/", "host"],
  ["https://x.onion/", "host"],
  ["https://x.test/", "host"],
  ["https://a..b.net/", "host"],
  [`https://${"a".repeat(64)}.net/`, "host"],
  [`https://${"a.".repeat(130)}net/`, "host"],
  ["https://our.node.net/", "host"],
  ["https://OUR.node.net./", "host"],
  ["https://a$b.net/", "host"],
])("%s is refused by %s", (text, rule) => expect(hostOf(text)).toBe(`refused: ${rule}`));

test("any port when the policy says so", () => {
  expect(checkURL("https://peer.guarded.net:8402/", { ...POLICY, ports: null })).toMatchObject({ port: 8402 });
});
