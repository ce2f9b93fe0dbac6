import { expect, test } from "bun:test";
import { product as agro } from "../../src/plugins/brazil/br-agro/product.ts";
import { product as curve } from "../../src/plugins/brazil/br-curve/product.ts";
import { product as macro } from "../../src/plugins/brazil/br-macro/product.ts";
import { job as tradeFile } from "../../src/plugins/brazil/jobs/b3-trade-file.ts";
import { job as focus } from "../../src/plugins/brazil/jobs/focus.ts";
import { job as ibge } from "../../src/plugins/brazil/jobs/ibge.ts";
import { job as ptax } from "../../src/plugins/brazil/jobs/ptax.ts";
import { job as sgs } from "../../src/plugins/brazil/jobs/sgs.ts";
import { product as forex } from "../../src/plugins/fx/forex-rate/product.ts";
import { product as calendar } from "../../src/plugins/macro/macro-calendar/product.ts";
import { createProductRig } from "../helpers/product-rig.ts";

/**
 * Figures that two products of one node share are the same figure. The sandbox's sources are one world: what differs
 * here would differ before a buyer's eyes.
 */
const DAYS = ["2026-10-01T12:24:56Z", "2026-11-28T15:00:00Z", "2027-02-03T14:00:00Z"];

for (const day of DAYS) {
  const defaults = { now_ms: Date.parse(day) };
  const rig = createProductRig(macro, defaults);
  const [curves, farms] = [createProductRig(curve, defaults), createProductRig(agro, defaults)];
  const [rates, calendars] = [createProductRig(forex, defaults), createProductRig(calendar, defaults)];

  test(`what products share of Brazil on ${day.slice(0, 10)}`, async () => {
    const node = rig.createNode();
    for (const job of [tradeFile, sgs, ptax, focus, ibge]) await job.run(node.createContext());
    const of_macro = (await rig.run(node)).data;
    const { data: of_curve, warnings } = await curves.run(node);
    const of_agro = (await farms.run(node)).data;
    const of_forex = (await rates.run(node, "pair=USDBRL")).data;
    const of_calendar = (await calendars.run(node, "days=14")).data;

    // The dollar: the PTAX of three products, and what the ECB's fixes of the same days make of it.
    expect(of_agro.fx).toEqual({ ptax_sell: of_macro.fx.ptax_sell, date: of_macro.fx.date });
    expect(of_forex.ptax).toMatchObject({ sell: of_macro.fx.ptax_sell, date: of_macro.fx.date });
    expect(Math.abs(of_forex.ptax?.deviation_bps ?? 1e9)).toBeLessThan(150);

    // The policy rate: target, overnight rate and the near end of the curve.
    expect(of_curve.selic_target_pct).toBe(of_macro.selic.target_pct);
    expect(warnings.filter((text) => text.startsWith("di_overnight_pct"))).toEqual([]);
    const near = of_curve.curve.find(({ tenor }) => tenor === "1m")?.nominal ?? Number.NaN;
    expect(Math.abs(near - (of_curve.di_overnight_pct ?? Number.NaN))).toBeLessThan(0.5);

    // The Copom's next decision, in two calendars and on the path.
    const [step] = of_curve.copom_path ?? [];
    expect(step?.meeting_date).toBe(of_macro.selic.next_meeting_date ?? "none");
    const next = of_calendar.events.find(
      ({ kind, time_utc }) => kind === "copom" && Date.parse(time_utc) > Date.parse(day),
    );
    const in_macro = of_macro.calendar?.find(({ title }) => title.startsWith("Copom"));
    expect(next && Date.parse(next.time_utc)).toBe(in_macro && Date.parse(in_macro.time_utc));
  });
}
