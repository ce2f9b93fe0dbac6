import { expect, test } from "bun:test";
import { defineProvider } from "./provider.ts";
import { guardProviders, PluginFault } from "./provider-guard.ts";

const provider = (id: string) =>
  defineProvider({
    id,
    title: id,
    docs_url: "https://a.example",
    base_urls: ["https://a.example"],
    terms: { class: "open", note: "" },
    limits: { rate_per_s: 1, burst: 1, timeout_ms: 1, attempts: 1, body_bytes_max: 1 },
  });

test("a run may call the providers its product names", () => {
  const guard = guardProviders([provider("named")], "/own (own.ts)");
  guard.mayCall(provider("named"));
  guard.assertKept();
});

test("one it does not name ends the run, even where the product goes on without it", () => {
  const guard = guardProviders([provider("named")], "/own (own.ts)");
  expect(() => guard.mayCall(provider("other"))).toThrow(PluginFault);
  expect(() => guard.assertKept()).toThrow(
    /^\/own \(own\.ts\) calls provider "other", which is not among its providers \(.*provider-guard\..*ts:\d+\)$/,
  );
});
