/** What is bought, by kind of call. The runner knows what each must answer and cost. */
export const QUERY = { pair: "EUR/USD" };
export const BODY = { positions: [{ asset: "BTC", quantity: 1 }] };
export const QUESTION = "What is a basis point? One sentence.";

/** @throws unless a module has what the driver is written for: then the release is another thing under the name. */
export function need(module, ...names) {
  for (const name of names) {
    const found = module[name] ?? module.default?.[name];
    if (found === undefined) throw new Error(`exports no ${name}`);
  }
  return { ...module.default, ...module };
}

/** What a release has that knows MCP only as it was before 2025-03-26: this node does not offer that transport. */
export const NO_TRANSPORT = "has no transport of MCP but HTTP with SSE, which Streamable HTTP replaced";

async function readSold(response) {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 300)}`);
  return text;
}

/** Three purchases by something that is called as fetch is; `more` goes into every query. */
export function buyByFetch(pay, url, more = {}) {
  const address = (path, query = {}) => {
    const search = new URLSearchParams({ ...query, ...more }).toString();
    return `${url}${path}${search === "" ? "" : `?${search}`}`;
  };
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...BODY, positions: JSON.stringify(BODY.positions) }),
  };
  return {
    plain: async () => readSold(await pay(address("/fear-greed"))),
    query: async () => readSold(await pay(address("/forex-rate", QUERY))),
    body: async () => readSold(await pay(address("/portfolio-stress"), init)),
  };
}

/** The same by an instance of axios. */
export function buyByAxios(axios, url, more = {}) {
  const read = ({ status, data }) => {
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(data).slice(0, 300)}`);
    return data;
  };
  const body = { ...BODY, positions: JSON.stringify(BODY.positions) };
  return {
    plain: async () => read(await axios.get(`${url}/fear-greed`, { params: more })),
    query: async () => read(await axios.get(`${url}/forex-rate`, { params: { ...QUERY, ...more } })),
    body: async () => read(await axios.post(`${url}/portfolio-stress`, body, { params: more })),
  };
}

/** Two purchases by MCP: `callTool` takes a name and arguments and returns the result. */
export function buyByTools(callTool) {
  const read = async (name, args) => {
    const result = await callTool(name, args);
    const text = typeof result === "string" ? result : JSON.stringify(result);
    if (result?.isError) throw new Error(text.slice(0, 300));
    return result?.structuredContent ?? text;
  };
  return {
    tool: () => read("fear_greed", {}),
    tool_arguments: () => read("forex_rate", QUERY),
  };
}
