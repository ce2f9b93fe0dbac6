import { expect, test } from "bun:test";
import { composeStrangerFetch } from "./compose-stranger-fetch.ts";

const ask = composeStrangerFetch("https://our.node.net:8402/x", "1.2.3");

test.each([
  ["http://169.254.169.254/latest/meta-data/", "address"],
  ["http://127.0.0.1/", "address"],
  ["http://[::ffff:10.0.0.1]/", "address"],
  ["https://our.node.net/", "host"],
  ["http://localhost/", "host"],
  ["https://8.8.8.8:22/", "port"],
  ["file:///etc/passwd", "url"],
] as const)("a buyer who names %s is refused by the rule of the %s", async (url, rule) => {
  expect(await ask({ url })).toMatchObject({ ok: false, rule, hops: [] });
});
