import { getOwn } from "intel-node";
import type { ScheduledEvent } from "./kinds.ts";

const PAGES: Readonly<Record<string, string>> = {
  fed: "https://www.federalreserve.gov/newsevents/calendar.htm",
  bea: "https://www.bea.gov/news/schedule",
  bls: "https://www.bls.gov/schedule/news_release/",
  ecb: "https://www.ecb.europa.eu/press/calendars/mgcgc/html/index.en.html",
  fred_api: "https://fred.stlouisfed.org/releases/calendar",
  eurostat: "https://ec.europa.eu/eurostat/news/release-calendar",
  fiscaldata: "https://www.treasurydirect.gov/auctions/upcoming/",
};
/** Publishers of kinds whose dates are in a table of this node or follow a rule. */
const KIND_PAGES: Readonly<Record<string, string>> = {
  fomc: "https://www.federalreserve.gov/monetarypolicy/fomccalendars.htm",
  ecb: "https://www.ecb.europa.eu/press/calendars/mgcgc/html/index.en.html",
  boe: "https://www.bankofengland.co.uk/monetary-policy/upcoming-mpc-dates",
  boj: "https://www.boj.or.jp/en/mopo/mpmsche_minu/index.htm",
  pboc: "https://www.chinamoney.com.cn/english/bmklpr/",
  copom: "https://www.bcb.gov.br/controleinflacao/calendarioreunioescopom",
  claims: "https://www.dol.gov/ui/data.pdf",
  jobs: "https://www.bls.gov/schedule/news_release/empsit.htm",
  cpi: "https://www.bls.gov/schedule/news_release/cpi.htm",
  ppi: "https://www.bls.gov/schedule/news_release/ppi.htm",
};

/** Its source, and the publisher's page. */
export const getCalendarLinks = ({ kind, source }: ScheduledEvent): { source: string; url: string } => ({
  source,
  url: getOwn(PAGES, source) ?? KIND_PAGES[kind] ?? "https://www.bls.gov/schedule/",
});
