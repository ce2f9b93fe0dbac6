import { expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { fetchKrakenListed } from "./asset-pairs.ts";

const of = (result: unknown) =>
  fetchKrakenListed(
    createRecordedContext({ now_ms: 1, bodies: { "kraken GET /0/public/AssetPairs": { error: [], result } } }),
  );

test("what is online, by its name for people; odd rows, dark pools and what is not traded are left out", async () => {
  const row = (wsname: unknown, status: unknown = "online") => ({
    altname: "X",
    wsname,
    base: "A",
    quote: "B",
    status,
  });
  const listed = await of({
    EURGBP: row("EUR/GBP"),
    ZEURZUSD: row("EUR/USD"),
    AUDJPY: row("AUD/JPY", "cancel_only"),
    XXBTZUSD: row("XBT/USD"),
    "XXBTZUSD.d": { altname: "XBTUSD.d", status: "online" },
    BAD: row(5),
    NULL: null,
  });
  expect([...listed]).toEqual(["EUR/GBP", "EUR/USD", "XBT/USD"]);
  expect(of({ AUDJPY: row("AUD/JPY", "cancel_only") })).rejects.toThrow("it lists no pair");
  expect(of({})).rejects.toThrow();
});
