import { expect, test } from "bun:test";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { job as ptax } from "../../brazil/jobs/ptax.ts";
import { table as ofBrazil } from "../../brazil/tables/official-rates.ts";
import { table } from "../tables/official-rates.ts";
import { job } from "./official-rates.ts";

test("the rates of a year are kept by their day as published; a failing source takes none away", async () => {
  const node = createSimulatedNode({ now_ms: Date.UTC(2026, 9, 1, 22, 20) });
  for (const one of [job, ptax]) await one.run(node.createContext());
  const context = node.createContext();
  const euro = await context.table(table).find({ order: ["-date"] });
  expect(euro[0]).toMatchObject({ currency: "EUR", kind: "reference", date: "2026-10-01", is_usd_per_unit: true });
  expect(euro.length).toBeGreaterThan(250);
  const real = await context.table(ofBrazil).find({ where: { kind: "buy" }, order: ["-date"] });
  expect(real[0]).toMatchObject({ currency: "BRL", is_usd_per_unit: false, simulated: true });
  expect(real.length).toBeGreaterThan(250);
  node.clock.advance(86_400_000);
  node.upstreams.setFault("ecb", "http500");
  await expect(job.run(node.createContext())).rejects.toThrow();
  expect(
    await node
      .createContext()
      .table(table)
      .find({ order: ["-date"] }),
  ).toEqual(euro);
  node.close();
});
