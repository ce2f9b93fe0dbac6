import { describe, expect, test } from "bun:test";
import { type NamedFacilitator, nameFacilitators } from "./ids.ts";

const remote = (url: string): NamedFacilitator => ({ kind: "remote", url });
const first = remote("https://first.example.com/platform/v2/x402");
const second = remote("https://second.example.com");

describe("the name of a facilitator", () => {
  test("says its kind, host and path, and nothing that could be a secret", () => {
    const secret = remote("https://user:secret@first.example.com/x402/?key=secret");
    expect(nameFacilitators([first, second, { kind: "embedded", networks: ["eip155:8453"] }, secret])).toEqual([
      "remote:first.example.com/platform/v2/x402",
      "remote:second.example.com",
      "embedded:eip155:8453",
      "remote:first.example.com/x402",
    ]);
  });

  test("stays when the list is put into another order", () => {
    const [one, two] = nameFacilitators([first, second]);
    expect(nameFacilitators([second, first])).toEqual([two ?? "", one ?? ""]);
  });

  test("stays when its port, or the sandbox's, is another one", () => {
    const at = (port: number) =>
      nameFacilitators([
        remote(`http://127.0.0.1:${port}/x402`),
        { kind: "sandbox", url: `http://127.0.0.1:${port + 1}/a` },
      ]);
    expect(at(40_001)).toEqual(at(40_777));
    expect(at(40_001)).toEqual(["remote:127.0.0.1/x402", "sandbox:/a"]);
  });

  test("is distinguished by the port where host and path are the same, then by the place", () => {
    const twice = remote("http://127.0.0.1:4002");
    expect(nameFacilitators([remote("http://127.0.0.1:4001"), twice, twice])).toEqual([
      "remote:127.0.0.1:4001",
      "remote:127.0.0.1:4002",
      "remote:127.0.0.1:4002#2",
    ]);
  });
});
