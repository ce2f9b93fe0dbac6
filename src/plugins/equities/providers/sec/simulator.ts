import { defineSimulator } from "../../../../catalog/simulator.ts";
import { renderCurrent } from "./simulated-current.ts";
import { SIMULATED_REGISTRANTS } from "./simulated-registrants.ts";

const notFound = { status: 404, text: "<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>" } as const;

const getTickers = () => ({
  fields: ["cik", "name", "ticker", "exchange"],
  data: SIMULATED_REGISTRANTS.map(({ cik, name, ticker, exchange }) => [cik, name, ticker.replace(".", "-"), exchange]),
});

export const simulator = defineSimulator({
  provider: "sec",
  respond({ path, query }, world) {
    if (path === "/cgi-bin/browse-edgar") return { text: renderCurrent(world, query) };
    if (path === "/files/company_tickers_exchange.json") return { json: getTickers() };
    return notFound;
  },
});
