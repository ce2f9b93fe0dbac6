import { describe, expect, test } from "bun:test";
import { createSimulatedNode } from "../../../test/helpers/simulated-node.ts";
import { isUnusable } from "../../catalog/unusable.ts";
import { fetchReferenceRates, readReferenceRates } from "./ecb/reference-rates.ts";
import { fetchFredSeries, readFredCSV } from "./fred/series.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);

describe("ECB reference rates", () => {
  test("columns are found by name, days without a value are left out", () => {
    const head = "FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\r\n";
    const text = `${head}D,AUD,2026-03-18,1.6305\r\nD,AUD,2026-03-17,\r\nD,USD,2026-03-18,1.1568\r\n`;
    expect(readReferenceRates(text)).toEqual(
      new Map([
        ["AUD", [{ date: "2026-03-18", rate: 1.6305 }]],
        ["USD", [{ date: "2026-03-18", rate: 1.1568 }]],
      ]),
    );
    const other = "OBS_VALUE,TIME_PERIOD,CURRENCY\n1.63,2026-03-18,AUD\n";
    expect(readReferenceRates(other)).toEqual(new Map([["AUD", [{ date: "2026-03-18", rate: 1.63 }]]]));
  });

  test("an invalid table of rates is refused", () => {
    for (const text of ["<html></html>", "A,B\n1,2", "FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,AUD,2026-03-18,0\n"]) {
      expect(isUnusable(readReferenceRates(text))).toBe(true);
    }
  });

  test("the rates of a day are there after 16:00 in Frankfurt, none on TARGET holidays", async () => {
    const node = createSimulatedNode({ now_ms: Date.parse("2026-04-07T14:59:00Z") });
    const asked = { currencies: ["USD", "JPY"], since: "2026-04-01", ttl_ms: 0 };
    const before = await fetchReferenceRates(node.createContext(), asked);
    // 3 and 6 April: Good Friday, Easter Monday.
    expect(before.get("USD")?.map(({ date }) => date)).toEqual(["2026-04-01", "2026-04-02"]);
    node.clock.advance(120_000);
    const after = await fetchReferenceRates(node.createContext(), asked);
    expect(after.get("JPY")?.at(-1)?.date).toBe("2026-04-07");
    node.close();
  });
});

describe("FRED series", () => {
  test("a missing day is left out, whether it is empty or a point", () => {
    expect(readFredCSV("observation_date,DGS10\n2026-03-18,4.21\n2026-03-19,\n2026-03-20,.\n", "DGS10")).toEqual([
      { date: "2026-03-18", value: 4.21 },
    ]);
  });

  test("another series, HTML and half a file are refused", () => {
    for (const text of ["observation_date,DGS2\n2026-03-18,4.21", "<html>", "observation_date,DGS10\n2026-03"]) {
      expect(isUnusable(readFredCSV(text, "DGS10"))).toBe(true);
    }
  });

  test("a series whose owner has to approve its sale is not even asked for", async () => {
    const node = createSimulatedNode({ now_ms: NOW_MS });
    for (const id of ["SP500", "VIXCLS", "DJIA", "UMCSENT"]) {
      // @ts-expect-error the types know it too
      await expect(fetchFredSeries(node.createContext(), { id, since: "2026-01-01" })).rejects.toThrow("licence");
    }
    expect(node.upstreams.status().fred?.calls).toBe(0);
    const cpi = await fetchFredSeries(node.createContext(), { id: "CPIAUCSL", since: "2025-01-01" });
    expect(cpi.at(-1)?.date).toBe("2026-08-01");
    node.close();
  });
});
