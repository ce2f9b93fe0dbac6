import { expect, test } from "bun:test";
import { customerNetwork, isLoopback } from "./customer-network.ts";

test.each([
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["::1", true],
  ["0:0:0:0:0:0:0:1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:7f00:1", true],
  ["128.0.0.1", false],
  ["::2", false],
  ["", false],
])("%s is loopback: %p", (ip, expected) => {
  expect(isLoopback(ip)).toBe(expected);
});

test.each([
  ["2001:db8:1:2::1", 64, "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff:ffff:ffff:ffff", 64, "2001:db8:1:2::/64"],
  ["2001:db8::1:0:0:1", 64, "2001:db8::/64"],
  ["2001:db8:1:2ff::1", 56, "2001:db8:1:200::/56"],
  ["2001:db8:1:2ab::1", 56, "2001:db8:1:200::/56"],
  ["203.0.113.9", 64, "203.0.113.9"],
  ["::ffff:203.0.113.9", 56, "203.0.113.9"],
] as const)("%s counts as one customer of /%d: %s", (ip, bits, network) => {
  expect(customerNetwork(ip, bits)).toBe(network);
});
