import { type Buyer, createBuyer, type PeerPayment } from "../buyer/buyer.ts";
import { encodeHeader } from "../payments/codec.ts";
import { showChannel } from "./demo-channel.ts";
import type { MonthNode } from "./demo-month.ts";
import { showWatch } from "./demo-watch.ts";

/** One finished step of the tour. */
export interface TourStep {
  readonly step: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly checks: readonly { readonly what: string; readonly ok: boolean }[];
}

export interface TourOptions {
  readonly url: string;
  readonly now_ms: () => number;
  /** Whether a new sandbox lived a past; without one there may be no preview yet. */
  readonly has_past: boolean;
  /** POSTs to the sandbox's control door. */
  readonly control: (path: string, body: unknown) => Promise<void>;
  readonly chain: () => { settlements: number; balance: (address: string) => string };
  readonly audit: () => Promise<{ readonly ok: boolean; readonly accounts: number }>;
  /** Runs the job that claims and sweeps the income of channels once. */
  readonly claimChannels: () => Promise<void>;
  /** Starts a small node in its own sandbox that sells one product, for the month of the watch. */
  readonly startMonth: (path: string) => Promise<MonthNode>;
  readonly onStep: (step: TourStep) => void;
}

interface Tour extends TourOptions {
  readonly buyer: Buyer;
  readonly get: (path: string, payment?: PeerPayment) => Promise<Response>;
  readonly tell: (title: string, lines: readonly string[], checks: Readonly<Record<string, boolean>>) => void;
}

const PRODUCT = "/fear-greed";
const OTHER = "/mempool";
/** Providers that /mempool needs. */
const BROKEN = ["mempool_space", "blockstream"] as const;

const short = (text: string): string => (text.length > 24 ? `${text.slice(0, 14)}…${text.slice(-6)}` : text);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);

/**
 * Runs complete sales against a running node, over HTTP, as an agent does. Every step prints what happens and checks
 * it. @returns whether every check passed.
 */
export async function runTour(options: TourOptions): Promise<boolean> {
  let step = 0;
  let all_ok = true;
  const tour: Tour = {
    ...options,
    buyer: await createBuyer(options.now_ms),
    get: (path, payment) =>
      fetch(`${options.url}${path}`, { headers: payment ? { "PAYMENT-SIGNATURE": payment.header } : {} }),
    tell(title, lines, checks) {
      const list = Object.entries(checks).map(([what, ok]) => ({ what, ok }));
      all_ok = all_ok && list.every((check) => check.ok);
      step += 1;
      options.onStep({ step, title, lines, checks: list });
    },
  };
  await showCatalog(tour);
  await showSale(tour);
  await showFailure(tour);
  await showKey(tour);
  await showMPP(tour);
  await showChannel(tour, PRODUCT);
  await showPreview(tour);
  await showWatch(tour);
  const audit = await options.audit();
  tour.tell(
    "The books: double entry, so that all accounts together hold nothing",
    [`${audit.accounts} accounts, every rule checked on every row`],
    { "the audit is clean": audit.ok },
  );
  return all_ok;
}

async function showCatalog({ get, tell }: Tour): Promise<void> {
  const pricing: unknown = await (await get("/get-pricing")).json();
  const listed = at(pricing, "products");
  const products = (Array.isArray(listed) ? listed : []).map((one: unknown) => ({
    category: String(at(one, "category")),
    price_usd: Number(at(one, "price_usd")),
  }));
  const categories = Object.entries(Object.groupBy(products, ({ category }) => category));
  const lines = categories.map(([category, members = []]) => {
    const prices = members.map(({ price_usd }) => price_usd);
    const range = [...new Set([Math.min(...prices), Math.max(...prices)])].join(" to ");
    return `${category}: ${members.length} ${members.length === 1 ? "product" : "products"}, ${range} USD`;
  });
  tell("The agent reads what is for sale", ["GET /get-pricing", ...lines.sort()], {
    "products are listed": products.length > 0,
    "each has a price": products.every(({ price_usd }) => price_usd > 0),
  });
}

async function showSale(tour: Tour): Promise<void> {
  const { get, tell, buyer } = tour;
  const unpaid = await get(PRODUCT);
  const challenge = buyer.readChallenge(unpaid);
  const price = `price ${challenge.amount} atomic USDC on ${challenge.network}, to ${short(challenge.payTo)}`;
  tell("It calls a path without paying and is told the price", [`GET ${PRODUCT} -> ${unpaid.status}`, price], {
    "the answer is 402": unpaid.status === 402,
    "it names an amount": /^[1-9]\d*$/.test(challenge.amount),
  });

  const payment = await buyer.sign(challenge);
  tell(
    "It signs exactly that (EIP-3009, EIP-712): no gas, no account, no key at the seller",
    [`payer ${buyer.address}`, `signature ${short(payment.signature)}`],
    { "the signature has 65 bytes": payment.signature.length === 132 },
  );

  const paid = await get(PRODUCT, payment);
  const text = await paid.text();
  const envelope: unknown = JSON.parse(text);
  const sources = at(envelope, "sources");
  const named = Array.isArray(sources) ? [...new Set(sources.map((one) => String(at(one, "provider"))))] : [];
  const value = `value ${at(envelope, "data", "value")} (${at(envelope, "data", "classification")})`;
  tell(
    "It sends the same request with the payment and gets the data with its sources",
    [
      `GET ${PRODUCT} + PAYMENT-SIGNATURE -> ${paid.status}`,
      `${value}, as of ${at(envelope, "as_of")}`,
      `sources: ${named.join(", ")}${at(envelope, "sandbox") === true ? " (simulated)" : ""}`,
    ],
    { "the answer is 200": paid.status === 200, "every number has a source": named.length > 0 },
  );
  await showReceipt(tour, { receipt_id: paid.headers.get("X-Receipt-Id") ?? "", amount: challenge.amount });
  await showReplay(tour, payment, text);
  await showSignIn(tour, { text, receipt_id: paid.headers.get("X-Receipt-Id") ?? "" });
}

async function showReceipt(tour: Tour, sale: { receipt_id: string; amount: string }): Promise<void> {
  const { get, tell, chain, buyer } = tour;
  const receipt: unknown = await (await get(`/receipts/${sale.receipt_id}`)).json();
  const { settlements, balance } = chain();
  const transaction = short(String(at(receipt, "transaction")));
  tell(
    "The payment was settled once, and a public receipt says so",
    [
      `GET /receipts/${sale.receipt_id}`,
      `${at(receipt, "amount_usd")} USD, transaction ${transaction}, ${at(receipt, "label")}`,
      `the buyer holds ${balance(buyer.address)} atomic USDC`,
    ],
    {
      "the receipt is over the price": at(receipt, "amount_atomic") === sale.amount,
      "the chain holds one settlement of this buyer": settlements === 1,
    },
  );
}

async function showReplay({ get, tell, chain }: Tour, payment: PeerPayment, text: string): Promise<void> {
  const again = await get(PRODUCT, payment);
  const same = (await again.text()) === text;
  const elsewhere = await get(OTHER, payment);
  const refusal: unknown = await elsewhere.json();
  tell(
    "The answer was lost on the way? The same payment fetches it again; it buys nothing else",
    [
      `GET ${PRODUCT}, same payment -> ${again.status}, same bytes, not charged again`,
      `GET ${OTHER}, same payment -> ${elsewhere.status} ${at(refusal, "code")}`,
    ],
    {
      "the bytes are equal": same && again.status === 200,
      "nothing was settled again": chain().settlements === 1,
      "another product is refused": elsewhere.status === 402 && at(refusal, "code") === "payment_already_used",
    },
  );
}

const PURCHASES = "/wallet/purchases";

async function showSignIn(
  { url, tell, chain, buyer }: Tour,
  sale: { text: string; receipt_id: string },
): Promise<void> {
  const enter = async (path: string) => {
    const header = await buyer.signIn(await fetch(`${url}${path}`));
    const ask = () => fetch(`${url}${path}`, { headers: { "SIGN-IN-WITH-X": header } });
    return { opened: await ask(), again: ask };
  };
  const { opened, again } = await enter(PURCHASES);
  const list: unknown = await opened.json();
  const second = await again();
  const item = at(list, "items", "0");
  const door = `/wallet/answers/${at(item, "payment_id")}`;
  const answer: unknown = await (await enter(door)).opened.json();
  tell(
    "Its wallet signs in, with a text that pays nothing: it sees what it bought and fetches it again",
    [
      `GET ${PURCHASES} + SIGN-IN-WITH-X -> ${opened.status}, ${at(item, "product")} for ${at(item, "amount_usd")} USD`,
      `GET /wallet/answers/${short(String(at(item, "payment_id")))} + SIGN-IN-WITH-X -> the answer`,
      `the first signature once more -> ${second.status}`,
    ],
    {
      "its purchase is listed": opened.status === 200 && at(item, "receipt_id") === sale.receipt_id,
      "the answer is the one it bought": JSON.stringify(at(answer, "answer")) === sale.text,
      "a signature opens a door once": second.status === 402,
      "nothing was paid": chain().settlements === 1,
    },
  );
}

async function showFailure({ get, tell, chain, control, buyer }: Tour): Promise<void> {
  // Signed while the product has a price: once another caller meets the broken upstreams, it is off sale.
  const payment = await buyer.sign(buyer.readChallenge(await get(OTHER)));
  for (const provider of BROKEN) await control("/upstreams", { provider, fault: "http500" });
  // Moves two minutes on, so that no earlier data can answer. Broken first, because jobs of that time fetch data too.
  await control("/clock", { advance_s: 120 });
  const failed = await get(OTHER, payment);
  const problem: unknown = await failed.json();
  tell(
    "The upstreams break. The agent pays, gets no data, and is not charged",
    [
      `GET ${OTHER} + payment -> ${failed.status} ${at(problem, "code")}, charged: ${at(problem, "charged")}`,
      `${at(problem, "detail")}`,
    ],
    {
      "the answer is 503 or 504": failed.status === 503 || failed.status === 504,
      "it says charged: false": at(problem, "charged") === false,
      "nothing was settled": chain().settlements === 1,
    },
  );

  for (const provider of BROKEN) await control("/upstreams", { provider, fault: "none" });
  // The node pauses an upstream that failed. Moving the sandbox's clock ends the pause.
  await control("/clock", { advance_s: 90 });
  const retried = await get(OTHER, payment);
  const answer: unknown = await retried.json();
  const fee = at(answer, "data", "btc", "fees_sat_vb", "fastest");
  tell(
    "The very same payment now buys the data it was signed for",
    [`GET ${OTHER}, same payment -> ${retried.status}, fastest fee ${fee} sat/vB`],
    { "the answer is 200": retried.status === 200, "it was settled once": chain().settlements === 2 },
  );
}

const PLAN = "/buy-credits";

async function showKey({ get, tell, chain, buyer, url }: Tour): Promise<void> {
  const plan = buyer.readChallenge(await get(PLAN));
  const payment = await buyer.sign(plan);
  const bought = await get(PLAN, payment);
  const answer: unknown = await bought.json();
  // Anyone who reads the payment from the chain could try this.
  const watched = await (await get(PLAN, payment)).text();
  const headers = { "X-API-Key": String(at(answer, "api_key")) };
  // At any price that the operator has set.
  const { amount } = buyer.readChallenge(await get(PRODUCT));
  const started = performance.now();
  const called = await fetch(`${url}${PRODUCT}`, { headers });
  await called.arrayBuffer();
  const duration = (performance.now() - started).toFixed(1);
  const status: unknown = await (await fetch(`${url}/credits-status`, { headers })).json();
  const left = called.headers.get("X-Credits-Remaining");
  tell(
    "It buys a prepaid key once: every further call is debited and needs no signature",
    [
      `GET ${PLAN} + payment -> ${bought.status}, key ${short(headers["X-API-Key"])}`,
      `balance ${at(answer, "granted_atomic")} atomic USDC for a price of ${plan.amount}`,
      `GET ${PRODUCT} + X-API-Key -> ${called.status} in ${duration} ms, ${left} USD left`,
    ],
    {
      "the key was paid for once": chain().settlements === 3,
      "the call was served": called.status === 200,
      "it was debited at its price": at(status, "spent_atomic") === amount,
      "who only knows the payment gets no key": !watched.includes(headers["X-API-Key"]),
    },
  );
}

async function showMPP({ get, tell, chain, buyer, url }: Tour): Promise<void> {
  const unpaid = await get(PRODUCT);
  const { accepted } = buyer.readChallenge(unpaid);
  const challenge = buyer.readMPPChallenge(unpaid);
  const { credential, payload } = await buyer.answer(challenge);
  const paid = await fetch(`${url}${PRODUCT}`, { headers: { Authorization: credential } });
  const text = await paid.text();
  const proof = Buffer.from(paid.headers.get("Payment-Receipt") ?? "", "base64url").toString("utf8");
  const receipt: unknown = proof === "" ? null : JSON.parse(proof);
  const sold: unknown = await (await get(`/receipts/${paid.headers.get("X-Receipt-Id")}`)).json();
  const proven = short(String(at(receipt, "reference")));
  const forged = { ...challenge, realm: "elsewhere.example" };
  const refused = await fetch(`${url}${PRODUCT}`, {
    headers: { Authorization: (await buyer.answer(forged)).credential },
  });
  const problem: unknown = await refused.json();
  // The same signature, sent by the other protocol.
  const header = encodeHeader({ x402Version: 2, accepted, payload });
  const again = await get(PRODUCT, { header, signature: payload.signature });
  const same = (await again.text()) === text;
  tell(
    "A client that speaks MPP instead of x402 pays the same 402 for the same data",
    [
      `GET ${PRODUCT} -> ${unpaid.status}, WWW-Authenticate: Payment method="${challenge.method}"`,
      `GET ${PRODUCT} + Authorization: Payment -> ${paid.status}, Payment-Receipt ${proven}`,
      `GET ${PRODUCT}, the same signature by x402 -> ${again.status}, same bytes, not charged again`,
      `GET ${PRODUCT}, an answer to a challenge of somebody else -> ${refused.status} ${at(problem, "title")}`,
    ],
    {
      "the answer is 200": paid.status === 200,
      "its receipt names the transaction of the public one": at(receipt, "reference") === at(sold, "transaction"),
      "both protocols spend one payment": again.status === 200 && same && chain().settlements === 4,
      "a challenge that is not the node's own is refused": refused.status === 402,
    },
  );
}

async function showPreview({ get, tell, has_past }: Tour): Promise<void> {
  const preview = await get(`${PRODUCT}?preview=1`);
  const free: unknown = await preview.json();
  if (!has_past && preview.status === 503) {
    return tell(
      "Trying is free: a preview is real, delayed data, and a node without a past has none yet",
      [`GET ${PRODUCT}?preview=1 -> ${preview.status} ${at(free, "code")}: ${at(free, "detail")}`],
      { "it says that there is none yet": at(free, "code") === "preview_not_ready" },
    );
  }
  const line = `value ${at(free, "data", "value")}, ${at(free, "age_seconds")} s old`;
  tell("Trying is free: a preview is real, delayed data", [`GET ${PRODUCT}?preview=1 -> ${preview.status}, ${line}`], {
    "the answer is 200": preview.status === 200,
    "it says that it is delayed": at(free, "delayed") === true,
  });
}
