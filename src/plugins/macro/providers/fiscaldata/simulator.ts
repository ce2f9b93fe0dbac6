import { addDays, defineSimulator } from "intel-node";

/** The next 15th or last day of a month: nominal notes and bonds are issued on the one, indexed ones on the other. */
function findIssue(date: string, which: "middle" | "end"): string {
  const middle = `${date.slice(0, 8)}15`;
  const next = `${addDays(middle, 31).slice(0, 8)}15`;
  if (which === "middle") return date < middle ? middle : next;
  return addDays(`${next.slice(0, 8)}01`, -1);
}

/**
 * What is announced for the next days: bills, a note of 10 and a bond of 30 years, the note sold again, and an indexed
 * one that is called a note like any other.
 */
export const simulator = defineSimulator({
  provider: "fiscaldata",
  respond({ path }, world) {
    if (!path.endsWith("/v1/accounting/od/upcoming_auctions")) return { status: 404, json: { error: "Not Found" } };
    const today = new Date(world.now()).toISOString().slice(0, 10);
    const row = (
      [security_type, security_term]: readonly [string, string],
      { days, issued = "middle" }: { readonly days: number; readonly issued?: "middle" | "end" },
    ) => ({
      record_date: today,
      security_type,
      security_term,
      cusip: "null",
      reopening: security_term.includes("Month") ? "Yes" : "No",
      offering_amt: "null",
      announcemt_date: today,
      auction_date: addDays(today, days),
      issue_date: findIssue(addDays(today, days), issued),
    });
    return {
      json: {
        data: [
          row(["Bill", "13-Week"], { days: 3 }),
          row(["Note", "9-Year 10-Month"], { days: 5 }),
          row(["Bond", "30-Year"], { days: 6 }),
          row(["Note", "9-Year 8-Month"], { days: 7, issued: "end" }),
        ],
        meta: { count: 4 },
      },
    };
  },
});
