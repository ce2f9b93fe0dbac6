import { defineSimulator, type SimulatedAnswer } from "intel-node";
import { renderCurrent } from "./simulated-current.ts";
import { renderFiled } from "./simulated-filed.ts";
import { renderOwnership } from "./simulated-ownership.ts";
import { SIMULATED_REGISTRANTS } from "./simulated-registrants.ts";
import { renderCompanyFacts, renderSubmissions } from "./simulated-reports.ts";

const notFound: SimulatedAnswer = { status: 404, text: "<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>" };

const getTickers = () => ({
  fields: ["cik", "name", "ticker", "exchange"],
  data: SIMULATED_REGISTRANTS.map(({ cik, name, ticker, exchange }) => [cik, name, ticker.replace(".", "-"), exchange]),
});

export const simulator = defineSimulator({
  provider: "sec",
  respond({ path, query }, world) {
    if (path === "/cgi-bin/browse-edgar") return { text: renderCurrent(world, query) };
    if (path === "/files/company_tickers_exchange.json") return { json: getTickers() };
    const [, of, id = ""] = /^\/Archives\/edgar\/data\/(\d+)\/(\d{18})\/form4\.xml$/.exec(path) ?? [];
    const issuer = SIMULATED_REGISTRANTS.find((one) => one.cik === Number(of));
    if (issuer) return { text: renderOwnership(world, issuer, id) };
    const [, filer, accession = ""] =
      /^\/Archives\/edgar\/data\/(\d+)\/\d{18}\/(\d{10}-\d\d-\d{6})\.txt$/.exec(path) ?? [];
    const manager = SIMULATED_REGISTRANTS.find((one) => one.cik === Number(filer));
    if (manager) {
      const text = renderFiled(world, manager, accession);
      return text === null ? notFound : { text };
    }
    const [, kind, cik] = /^\/(submissions|api\/xbrl\/companyfacts)\/CIK(\d{10})\.json$/.exec(path) ?? [];
    const registrant = SIMULATED_REGISTRANTS.find((one) => one.cik === Number(cik));
    if (!registrant) return notFound;
    if (kind === "submissions") return { json: renderSubmissions(world, registrant) };
    // Funds report no financial statements in XBRL.
    return registrant.sic === "6726" ? notFound : { json: renderCompanyFacts(world, registrant) };
  },
});
