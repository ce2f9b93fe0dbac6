/**
 * Shows a wallet's purchases to its holder. The browser's wallet signs the text that the node demands (EIP-191, x402
 * extension `sign-in-with-x`), once for each request. No payment is made, and nothing is stored.
 */
import { make, makeAnswer } from "./call-form.js";

const EXTENSION = "sign-in-with-x";
/** EIP-1193: the user refused. */
const REFUSED = 4001;

const utf8 = new TextEncoder();
const toHex = (text) => `0x${[...utf8.encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
const toBase64 = (text) => btoa(String.fromCharCode(...utf8.encode(text)));

/** The text in the form of EIP-4361. */
const renderText = (info, chain, address) =>
  [
    `${info.domain} wants you to sign in with your Ethereum account:`,
    address,
    "",
    info.statement,
    "",
    `URI: ${info.uri}`,
    `Version: ${info.version}`,
    `Chain ID: ${chain}`,
    `Nonce: ${info.nonce}`,
    `Issued At: ${info.issuedAt}`,
    `Expiration Time: ${info.expirationTime}`,
    "Resources:",
    ...info.resources.map((uri) => `- ${uri}`),
  ].join("\n");

const connect = (box) => {
  const texts = JSON.parse(box.dataset.texts);
  const say = (name, value) => texts[name].replace("{0}", value);
  const none = box.querySelector("[data-none]");
  const choice = box.querySelector("[data-choice]");
  const panel = box.querySelector("[data-panel]");
  const show = (...parts) => {
    panel.hidden = false;
    panel.replaceChildren(...parts);
  };
  const fail = (error) => show(make("p", error?.code === REFUSED ? say("refused") : error?.message || String(error)));
  const button = (text, run) => {
    const one = make("button", text);
    one.type = "button";
    one.className = "act";
    one.addEventListener("click", async () => {
      one.disabled = true;
      await run().catch(fail);
      one.disabled = false;
    });
    return one;
  };

  /** Lets the wallet sign for a path and calls it; returns the answer, or null if the user refused. */
  const open = async (wallet, path) => {
    const asked = await (await fetch(path)).json();
    const { info, supportedChains } = asked.extensions[EXTENSION];
    const chain = supportedChains.find(({ type }) => type === "eip191");
    if (!chain) throw new Error(say("no_chain"));
    const [address] = await wallet.request({ method: "eth_requestAccounts" });
    if (!address) throw new Error(say("no_account"));
    show(make("p", say("sign")));
    const text = renderText(info, chain.chainId.split(":")[1], address);
    const signature = await wallet.request({ method: "personal_sign", params: [toHex(text), address] });
    const header = toBase64(JSON.stringify({ ...info, ...chain, address, signature }));
    const response = await fetch(path, { headers: { "sign-in-with-x": header } });
    const body = await response.json();
    if (!response.ok) throw new Error(`${response.status} ${body.error ?? body.code}`);
    return body;
  };

  const cell = (text) => make("td", text);
  const showPurchases = (wallet, { items, wallet: own }) => {
    if (items.length === 0) return show(make("p", say("nothing", `${own.address} (${own.network})`)));
    const table = make("table", "");
    for (const item of items) {
      const line = make("tr", "");
      const last = cell("");
      if (item.answer) {
        const { pathname } = new URL(item.answer.url);
        last.append(button(say("again"), async () => show(makeAnswer(JSON.stringify(await open(wallet, pathname))))));
      }
      const receipt = make("a", item.receipt_id);
      receipt.href = `/receipts/${encodeURIComponent(item.receipt_id)}`;
      const linked = cell("");
      linked.append(receipt);
      line.append(cell(item.at), cell(item.product), cell(`${item.amount_usd} USD`), linked, last);
      table.append(line);
    }
    show(table);
  };
  const choose = (wallet) => {
    const line = make("p", "");
    line.className = "buttons";
    const look = (name, path, present) => button(say(name), async () => present(await open(wallet, path)));
    const raw = (body) => show(makeAnswer(JSON.stringify(body)));
    line.append(
      look("purchases", "/wallet/purchases", (body) => showPurchases(wallet, body)),
      look("statement", "/wallet/statement", raw),
      look("keys", "/wallet/keys", raw),
    );
    choice.replaceChildren(line);
  };

  const known = new Set();
  const add = (wallet, name) => {
    if (known.has(wallet)) return;
    known.add(wallet);
    none.hidden = true;
    choice.hidden = false;
    choice.append(button(name, async () => choose(wallet)));
  };
  addEventListener("eip6963:announceProvider", ({ detail }) =>
    add(detail.provider, say("with", String(detail.info.name).slice(0, 40))),
  );
  dispatchEvent(new Event("eip6963:requestProvider"));
  if (known.size === 0 && globalThis.ethereum) add(globalThis.ethereum, say("with_this"));
};

const box = document.querySelector("[data-sign-in]");
if (box) connect(box);
