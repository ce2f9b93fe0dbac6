import { expect, test } from "bun:test";
import { hideSecrets, redactRpcURL, redactURL, renderReason, secretsOf } from "./redact-url.ts";

const show = (base: string, full: string, secrets: string[] = []) => redactURL(new URL(base), new URL(full), secrets);

test("an ordinary address is shown whole, including long identifiers of the request", () => {
  const txid = "a".repeat(64);
  const url = `https://api.example.com/v1/tx/${txid}?fields=a,b&limit=5`;
  expect(show("https://api.example.com/v1", url)).toBe(url);
});

test("values of secret-looking parameters are masked in any spelling of the name", () => {
  const url = "https://api.example.com/x?api_key=abc&API-KEY=d&access%5Ftoken=e&key=f&limit=5&token=0xabc";
  expect(show("https://api.example.com", url)).toBe(
    "https://api.example.com/x?api_key=***&API-KEY=***&access%5Ftoken=***&key=***&limit=5&token=0xabc",
  );
});

test("a configured key is masked everywhere, even percent-encoded", () => {
  const key = "k/y+0123456789";
  const url = `https://api.example.com/x?q=${encodeURIComponent(key)}`;
  expect(show("https://api.example.com", url, [key])).toBe("https://api.example.com/x?q=***");
});

test("long tokens of the base path and the base query are not shown", () => {
  const base = "https://api.example.com/v2/0123456789abcdef0123456789?network=main";
  const url = "https://api.example.com/v2/0123456789abcdef0123456789/price?network=main&symbol=BTC";
  expect(show(base, url)).toBe("https://api.example.com/v2/***/price?symbol=BTC");
});

test("an RPC address is shown without its query, with long tokens masked", () => {
  const url = new URL("https://rpc.example.com/v2/0123456789abcdef01234/x?api-key=0123");
  expect(redactRpcURL(url)).toBe("https://rpc.example.com/v2/***/x");
});

test("secrets of an address are its user, password, query values and long path tokens", () => {
  const base = new URL("https://user:pass%2Fword@h.example/a/0123456789abcdef01234?k=value-1&v=2");
  expect(secretsOf(base)).toEqual(
    expect.arrayContaining(["pass%2Fword", "pass/word", "value-1", "0123456789abcdef01234"]),
  );
  expect(secretsOf(base)).not.toContain("2");
});

test("a reason is masked before it is cut, so that the cut leaves no half key", () => {
  const key = "canary-0123456789";
  const text = `${"x".repeat(190)}${key} and more`;
  expect(renderReason(text, [key])).not.toContain("canary");
  expect(renderReason("a\n\n  b", [])).toBe("a b");
});

test("texts too short to be keys are left alone", () => {
  expect(hideSecrets("status 2 of 22", ["2", ""])).toBe("status 2 of 22");
});
