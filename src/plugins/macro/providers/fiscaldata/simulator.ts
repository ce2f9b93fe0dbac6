import { addDays, defineSimulator } from "intel-node";

/** What is announced for the next days: bills, a note of 10 and a bond of 30 years, the note sold again. */
export const simulator = defineSimulator({
  provider: "fiscaldata",
  respond({ path }, world) {
    if (!path.endsWith("/v1/accounting/od/upcoming_auctions")) return { status: 404, json: { error: "Not Found" } };
    const today = new Date(world.now()).toISOString().slice(0, 10);
    const row = (security_type: string, security_term: string, days: number) => ({
      ...{ record_date: today, security_type, security_term, cusip: "null" },
      reopening: security_term.includes("Month") ? "Yes" : "No",
      ...{
        offering_amt: "null",
        announcemt_date: today,
        auction_date: addDays(today, days),
        issue_date: addDays(today, days + 5),
      },
    });
    return {
      json: {
        data: [row("Bill", "13-Week", 3), row("Note", "9-Year 10-Month", 5), row("Bond", "30-Year", 6)],
        meta: { count: 3 },
      },
    };
  },
});
