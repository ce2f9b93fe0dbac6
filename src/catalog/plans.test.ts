import { describe, expect, test } from "bun:test";
import { createPlans, findPlanFaults } from "./plans.ts";

const planOf = (name: string, settings: Parameters<typeof createPlans>[0] = {}) =>
  createPlans(settings).find((plan) => plan.name === name);

describe("plans", () => {
  test("are those of the service description, with their prices and grants", () => {
    expect(
      createPlans({}).map(({ path, price_usd, credit_usd, duration }) => [path, price_usd, credit_usd, duration]),
    ).toEqual([
      ["/buy-credits", "0.99", "1.25", null],
      ["/day-pass", "2.99", null, "24h"],
      ["/week-pass", "9.99", null, "7d"],
      ["/subscribe-pro", "9.99", "15", "30d"],
      ["/subscribe-whale", "19.99", null, "30d"],
      ["/founding-agent", "49.99", "75", "180d"],
      ["/enterprise", "99.99", null, "365d"],
    ]);
  });

  test("are changed, switched off and added by the operator, and say what they grant then", () => {
    const settings = {
      buy_credits: { enabled: true, price: "4.99", grants: "7" },
      day_pass: { enabled: false },
      month_pass: { enabled: true, price: "29", duration: "30d", pass: true, priority: "pro" as const },
    };
    expect(planOf("buy_credits", settings)).toMatchObject({ price_usd: "4.99", credit_usd: "7" });
    expect(planOf("buy_credits", settings)?.description).toContain("7 USD");
    expect(planOf("day_pass", settings)).toBeUndefined();
    expect(planOf("month_pass", settings)).toMatchObject({ path: "/month-pass", pass: true, priority: "pro" });
    expect(planOf("month_pass", settings)?.description).toContain("30d");
    expect(findPlanFaults(settings)).toEqual([]);
  });

  test("that would take money for nothing, or nothing for something, are refused", () => {
    expect(findPlanFaults({ empty: { enabled: true, price: "1" } })[0]).toContain("grants nothing");
    expect(findPlanFaults({ zero: { enabled: true, price: "1", grants: "0" } })[0]).toContain("grants nothing");
    expect(findPlanFaults({ gift: { enabled: true, grants: "1" } })[0]).toContain('"price"');
    expect(findPlanFaults({ empty: { enabled: false } })).toEqual([]);
  });
});
