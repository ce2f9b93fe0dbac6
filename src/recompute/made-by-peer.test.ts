import { expect, test } from "bun:test";
import { sha256Hex } from "../core/hash.ts";
import { readMadeByPeer } from "./made-by-peer.ts";

const others = { product: "rate", as_of: "2026-11-28T00:00:00Z", warnings: [] };
const data = { rate: 1.5 };
const response_sha256 = sha256Hex(JSON.stringify({ ...others, data }));
const via = { node_id: "in1peer", url: "https://peer.example", seal_url: "https://peer.example/s", response_sha256 };
const render = (figures: object): string =>
  JSON.stringify({ product: "rate", via: { ...via, answer: others }, data: figures });

test("an answer of a peer names the peer, and contains its exact bytes unless a figure was changed", () => {
  const { node_id, url, seal_url } = via;
  expect(readMadeByPeer(render(data))).toEqual({ node_id, url, seal_url, is_whole: true });
  expect(readMadeByPeer(render({ rate: 1.6 }))?.is_whole).toBe(false);
});

test("any other text is not an answer of a peer", () => {
  for (const text of ["", "{", "[]", '{"data":1}', '{"via":{},"data":1}', JSON.stringify({ ...others, data })]) {
    expect(readMadeByPeer(text)).toBeNull();
  }
});
