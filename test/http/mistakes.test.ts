import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cleanUp, type DemoNode, signFor, startDemo } from "../helpers/demo-node.ts";

/**
 * The mistakes of buyers, in the words they make them in. Each is understood, or its refusal says what to send instead:
 * `send_instead` is a call that the node takes, and `detail` says why where a reason is known.
 */

/** What was sent; what the problem must say; the call it must name, or null where there is none to name. */
type Mistake = readonly [sent: string, says: string, send_instead: string | null];

const WALLET = "0x52908400098527886e0f7030069857d2e4169ee7";
const BONK = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263";
const positions = (list: unknown): string => `/portfolio-stress?positions=${encodeURIComponent(JSON.stringify(list))}`;
const stress = (list: readonly object[]): string =>
  positions(list).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%2F", "/");

const REFUSED: readonly Mistake[] = [
  // Names where an address is needed.
  ["/whale-dossier?address=vitalik.eth", "not looked up", null],
  ["/onchain-credit?address=vitalik.eth", "not looked up", `/onchain-credit?address=${WALLET}`],
  ["/wallet-scan?address=bonfida.sol", "not looked up", `/wallet-scan?address=${WALLET}`],
  ["/copytrade?wallet=toly.sol", "not looked up", null],
  ["/sanctions?wallets=vitalik.eth", "not looked up", null],
  ["/wallet-scan?address=vitalik.eth&lang=pt", "não são resolvidos", `/wallet-scan?address=${WALLET}`],
  ["/wallet-scan?address=0x5290...9ee7", "shortened", `/wallet-scan?address=${WALLET}`],
  [`/wallet-scan?address=0x${"ab".repeat(32)}`, "transaction", `/wallet-scan?address=${WALLET}`],
  // A ticker where a token's address is needed.
  ["/rugcheck?mint=BONK", "address is needed", "/dex-screen?query=BONK"],
  ["/launch-risk?mint=BONK", "address is needed", "/dex-screen?query=BONK"],
  ["/insider-track?mint=$BONK", "address is needed", "/dex-screen?query=BONK"],
  ["/holder-concentration?token=BONK&lang=pt", "é preciso o endereço", "/dex-screen?query=BONK"],
  // Four names for one thing.
  [`/rugcheck?token=${BONK}`, '"mint"', `/rugcheck?mint=${BONK}`],
  [`/rugcheck?address=${BONK}`, '"mint"', `/rugcheck?mint=${BONK}`],
  ["/rugcheck?query=BONK", '"mint"', "/dex-screen?query=BONK"],
  ["/token-intel?mint=BONK", '"token"', "/token-intel?token=BONK"],
  ["/token-intel?query=BONK", '"token"', "/token-intel?token=BONK"],
  ["/token-intel?symbol=BONK", '"token"', "/token-intel?token=BONK"],
  ["/dex-screen?token=BONK", '"query"', "/dex-screen?query=BONK"],
  [`/copytrade?address=${WALLET}`, '"wallet"', `/copytrade?wallet=${WALLET}`],
  [`/wallet-scan?carteira=${WALLET}&lang=pt`, 'se chama "address"', `/wallet-scan?address=${WALLET}`],
  ["/stock-quote?ticker=AAPL", '"symbol"', "/stock-quote?symbol=AAPL"],
  ["/commodity-price?commodity=gold", '"symbol"', "/commodity-price?symbol=gold"],
  ["/analise?moeda=btc&lang=pt", '"symbol"', "/analise?symbol=btc"],
  ["/analise?ativo=btc&lang=pt-BR", '"symbol"', "/analise?symbol=btc"],
  ["/smart-money?network=base", '"chain"', "/smart-money?chain=base"],
  ["/oracle-consensus?symbl=BTC", '"symbol"', "/oracle-consensus?symbol=BTC"],
  ["/deep-think?pergunta=o+ouro+sobe&lang=pt", '"question"', "/deep-think?question=o%20ouro%20sobe"],
  // Pairs.
  ["/forex-rate?pair=USDBLR", "BRL", "/forex-rate?pair=USD/BRL"],
  ["/forex-rate?pair=USDBLR&lang=pt", "não aceita", "/forex-rate?pair=USD/BRL"],
  ["/forex-rate?pair=USD/BRL/EUR", "two of these currencies", "/forex-rate?pair=EUR/USD"],
  ["/forex-rate?pair=EURUSS", "two of these currencies", "/forex-rate?pair=EUR/USD"],
  ["/forex-rate?from=USD&to=BRL", '"pair"', "/forex-rate?pair=USD/BRL"],
  ["/forex-rate?symbol=USDBRL", '"pair"', "/forex-rate?pair=USDBRL"],
  ["/forex-rate?pair=BTC/USD", "a coin", "/oracle-consensus?symbol=BTC"],
  ["/forex-rate?pair=ouro&lang=pt", "commodity", "/commodity-price?symbol=gold"],
  ["/arbitrage?pair=BTC-BRL", "one of", "/arbitrage?pair=BTC/USD"],
  ["/kyber-swap?pair=ETH/USDC&amount=1,5", "1,5", "/kyber-swap?pair=ETH/USDC&amount=1.5"],
  ["/analise?symbol=BTC-BRL", "coin", "/analise?symbol=BTC"],
  // Shares.
  ["/stock-quote?symbol=PETR4", "B3", "/br-equity?symbol=PETR4"],
  ["/stock-quote?symbol=petr4.sa&lang=pt", "ação da B3", "/br-equity?symbol=PETR4"],
  ["/earnings-whisper?symbol=VALE3", "B3", "/br-equity?symbol=VALE3"],
  ["/stock-quote?symbol=2330.TW", "outside the US", "/world-quote?market=TWSE&symbol=2330"],
  ["/world-quote?symbol=PETR4", "B3", "/br-equity?symbol=PETR4"],
  ["/world-quote?market=brasil&lang=pt", "B3", "/br-equity?symbol=PETR4"],
  ["/br-equity?symbol=AAPL", "US share", "/stock-quote?symbol=AAPL"],
  ["/br-equity?symbol=Petrobras", "PETR4", "/br-equity?symbol=PETR4"],
  ["/commodity-price?symbol=goldd", "gold", "/commodity-price?symbol=gold"],
  // Positions.
  [positions([{ symbol: "BTC", shares: 2 }]), '"shares" is "quantity"', stress([{ asset: "BTC", quantity: 2 }])],
  [positions([{ ativo: "ETH", quantidade: 3 }]), '"asset"', stress([{ asset: "ETH", quantity: 3 }])],
  ["/portfolio-stress?positions=BTC:0.5,ETH:4", "JSON", stress([pos("BTC", 0.5), pos("ETH", 4)])],
  // Amounts, lists and other values.
  ["/whale-alert?min_usd=1m", "whole number", "/whale-alert?min_usd=1000000"],
  ["/whale-alert?min_usd=R$500.000&lang=pt", "número inteiro", "/whale-alert?min_usd=500000"],
  ["/backtest?days=99999", "from 90 to 3000", "/backtest?days=3000"],
  ["/backtest?strategy=macd", "one of", "/backtest?strategy=macd_12_26_9"],
  ["/correlation-matrix?symbols=BTC;ETH", "tickers", "/correlation-matrix?symbols=BTC,ETH"],
  ["/whale-alert?chain=eip155:1", "one of", "/whale-alert?chain=ethereum"],
  ["/x402-audit?url=example.com", "url", "/x402-audit?url=https://example.com"],
  ["/defi-yield?stable_only=sim&lang=pt", "true ou false", "/defi-yield?stable_only=true"],
  ["/ai-news?topic=futebol&lang=pt", "um destes", "/ai-news?topic=ai"],
  [`/trust-hash?hash=0x${"A1".repeat(32)}`, "hash", `/trust-hash?hash=${"a1".repeat(32)}`],
];

function pos(asset: string, quantity: number) {
  return { asset, quantity };
}

/** What is said in other words than ours, and meant clearly: it is understood, and the price is told. */
const UNDERSTOOD: readonly string[] = [
  "/forex-rate?pair=dólar/real",
  "/forex-rate?pair=euro para real",
  "/forex-rate?pair=USD to BRL",
  "/forex-rate?pair=USDtoBRL",
  "/commodity-price?symbol=ouro",
  "/commodity-price?symbol=petróleo",
  "/commodity-price?symbol=Soja",
  "/br-equity?symbol=PETR4.SA",
  "/analise?symbol=BTCUSDT",
];

type Problem = { readonly [name: string]: unknown; readonly detail: string; readonly send_instead?: string };

let node: DemoNode;

beforeAll(async () => {
  node = await startDemo();
});
afterAll(cleanUp);

const read = async (response: Response): Promise<Problem> => (await response.json()) as Problem;

describe("a mistake", () => {
  test("is in the table once, and the table has at least 60", () => {
    const sent = [...REFUSED.map(([call]) => call), ...UNDERSTOOD];
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.length).toBeGreaterThanOrEqual(60);
  });

  test.each(REFUSED)("%s is refused, and told what to send", async (sent, says, send_instead) => {
    const response = await node.get(sent);
    expect(response.status).toBe(422);
    const problem = await read(response);
    expect(problem.detail).toContain(says);
    expect(problem.charged).toBe(false);
    expect(problem.send_instead ?? null).toBe(send_instead);
    if (send_instead === null) return;
    expect(problem.detail).toContain(send_instead);
    expect((await node.get(send_instead)).status).toBe(402);
  });

  test.each(UNDERSTOOD)("%s is understood", async (sent) => {
    expect((await node.get(encodeURI(sent))).status).toBe(402);
  });
});

describe("more than there is room for", () => {
  test.each([
    ["30,000 letters", "a".repeat(30_000)],
    ["30,000 letters with accents and blanks", "ação do dia ".repeat(2_500)],
  ])("a question of %s is refused with its length, not with an empty answer", async (_, question) => {
    const response = await node.get(`/deep-think?question=${encodeURIComponent(question)}`);
    expect(response.status).toBe(422);
    const problem = await read(response);
    expect(problem).toMatchObject({ code: "invalid_parameter", param: "question", charged: false });
    expect(problem.detail).toContain("30000 characters, of which at most 2000");
    expect(problem.send_instead).toStartWith("/deep-think?question=");
  });
});

describe("with a key", () => {
  test.each(["/wallet-scan", "/onchain-credit", "/job/wallet-audit"])(
    "%s without an address says that a key has no wallet, and what to send",
    async (path) => {
      const issued = await fetch(`${node.url}/admin/keys`, {
        method: "POST",
        headers: { authorization: `Bearer ${node.operator_token}`, "content-type": "application/json" },
        body: JSON.stringify({ command: "issue", credit_usd: "5" }),
      });
      const { api_key } = (await issued.json()) as { api_key: string };
      const response = await node.get(path, { "X-API-Key": api_key });
      expect(response.status).toBe(422);
      const problem = await read(response);
      expect(problem).toMatchObject({ param: "address", charged: false });
      expect(problem.detail).toContain("a key has no wallet");
      expect(problem.send_instead).toBe(`${path}?address=${WALLET}`);
    },
  );
});

describe("a wrong network", () => {
  test("sent twice is shown beside those that are offered", async () => {
    const header = await signFor(node, "/fear-greed");
    const signed = JSON.parse(Buffer.from(header, "base64").toString()) as { accepted: object };
    const wrong = { ...signed, accepted: { ...signed.accepted, network: "eip155:1" } };
    const sent = { "PAYMENT-SIGNATURE": Buffer.from(JSON.stringify(wrong)).toString("base64") };
    const first = await read(await node.get("/fear-greed", sent));
    expect(first).toMatchObject({
      diagnostic: { reason: "invalid_network", hint: expect.stringContaining("accepts[]") },
    });
    const { diagnostic } = (await read(await node.get("/fear-greed", sent))) as {
      diagnostic?: { fields: readonly { field: string; received: unknown; expected: string; ok: boolean }[] };
    };
    const fields = new Map(diagnostic?.fields.map((one) => [one.field, one]));
    expect(fields.get("network")).toMatchObject({ received: "eip155:1", ok: false });
    expect(fields.get("network")?.expected).toContain("eip155:84532");
    for (const field of ["header", "x402Version", "scheme", "accepted", "payload"]) {
      expect(fields.get(field)).toMatchObject({ received: expect.any(String), ok: true });
    }
  });
});
