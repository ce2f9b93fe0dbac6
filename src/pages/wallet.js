/**
 * Buys one call or a plan by hand, from the browser's wallet (EIP-1193, EIP-6963; x402 version 2, scheme `exact` with
 * EIP-3009). The shown and the signed terms come from the same entry of the 402. A payment with an unknown outcome is
 * sent again unchanged, never signed again.
 */
import { layOutAnswer } from "./answer/to-dom.js";
import { make, makeAnswer, readCall } from "./call-form.js";

/** EIP-3009, transferWithAuthorization, and the type of the domain, which wallets require (EIP-712). */
const TYPES = {
  EIP712Domain: [
    { name: "name", type: "string" },
    { name: "version", type: "string" },
    { name: "chainId", type: "uint256" },
    { name: "verifyingContract", type: "address" },
  ],
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
};
/** EIP-1193: the user refused. EIP-3326: the wallet does not know the chain. */
const REFUSED = 4001;
const UNKNOWN_CHAIN = 4902;
const USDC_DECIMALS = 6;

/** "0.008": atomic units of USDC, digit for digit. */
const showAmount = (atomic) => {
  const digits = atomic.padStart(USDC_DECIMALS + 1, "0");
  const [whole, rest] = [digits.slice(0, -USDC_DECIMALS), digits.slice(-USDC_DECIMALS).replace(/0+$/, "")];
  return rest === "" ? whole : `${whole}.${rest}`;
};
const toBase64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const fromBase64 = (text) =>
  JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))));
/** The call is paid, whatever this header says. */
const readTransaction = (header) => {
  try {
    return String(fromBase64(header).transaction);
  } catch {
    return "";
  }
};
const randomHex = (bytes) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const chainOf = (network) => Number(network.split(":")[1]);

/** The typed data that `from` signs for one entry of a 402. */
const createTypedData = ({ amount, asset, payTo, network, maxTimeoutSeconds, extra }, from) => ({
  types: TYPES,
  primaryType: "TransferWithAuthorization",
  domain: { name: extra.name, version: extra.version, chainId: chainOf(network), verifyingContract: asset },
  message: {
    from,
    to: payTo,
    value: amount,
    validAfter: "0",
    validBefore: String(Math.floor(Date.now() / 1000) + maxTimeoutSeconds),
    nonce: `0x${randomHex(32)}`,
  },
});

const connect = (box, form) => {
  const texts = JSON.parse(box.dataset.texts);
  const say = (name, ...values) => texts[name].replaceAll(/\{(\d)\}/g, (_, place) => String(values[Number(place)]));
  const { network, title } = box.dataset;
  const none = box.querySelector("[data-none]");
  const choice = box.querySelector("[data-choice]");
  const panel = box.querySelector("[data-panel]");
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
  const show = (...parts) => {
    panel.hidden = false;
    panel.replaceChildren(...parts);
  };
  const row = (...buttons) => {
    const line = make("p", "");
    line.className = "buttons";
    line.append(...buttons);
    return line;
  };
  const cancel = () =>
    button(say("cancel"), async () => {
      panel.hidden = true;
    });
  const fail = (error) => {
    const text = error?.code === REFUSED ? say("refused_by_you") : error?.message || String(error);
    show(make("p", `${text} ${say("nothing_sent")}`), row(cancel()));
  };

  /** The wallet's account, if it is on the payment's chain; null if the user must first change the chain. */
  const readAccount = async (wallet, entry) => {
    const [account] = await wallet.request({ method: "eth_requestAccounts" });
    if (!account) throw new Error(say("no_account"));
    const chain = Number(await wallet.request({ method: "eth_chainId" }));
    if (chain === chainOf(entry.network)) return account;
    const change = button(say("switch", title), async () => {
      const chainId = `0x${chainOf(entry.network).toString(16)}`;
      try {
        await wallet.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
      } catch (error) {
        throw error?.code === UNKNOWN_CHAIN ? new Error(say("unknown_chain", title)) : error;
      }
      await offer(wallet);
    });
    show(make("p", say("wrong_chain", chain, title, chainOf(entry.network))), row(change, cancel()));
    return null;
  };

  /** Requests the price of the call and shows it; nothing is signed before the next button. */
  const offer = async (wallet) => {
    const [url, options] = readCall(form, false);
    show(make("p", "…"));
    const response = await fetch(url, options);
    const header = response.headers.get("payment-required");
    if (response.status !== 402 || header === null) return show(makeAnswer(await response.text()), row(cancel()));
    const required = fromBase64(header);
    const entry = required.accepts.find((one) => one.scheme === "exact" && one.network === network);
    if (!entry) throw new Error(say("not_offered", title));
    const list = make("dl", "");
    list.className = "facts num";
    for (const [name, value] of [
      ["amount", `${showAmount(entry.amount)} USDC`],
      ["recipient", entry.payTo],
      ["on", `${title} (${entry.network})`],
      ["token", entry.asset],
      ["buys", `${options.method} ${url}`],
    ]) {
      const line = make("div", "");
      line.append(make("dt", say(name)), make("dd", value));
      list.append(line);
    }
    const sign = button(say("sign"), async () => {
      const account = await readAccount(wallet, entry);
      if (account === null) return;
      const typed = createTypedData(entry, account);
      const params = [account, JSON.stringify(typed)];
      const signature = await wallet.request({ method: "eth_signTypedData_v4", params });
      const payload = { signature, authorization: typed.message };
      const payment = { x402Version: 2, resource: required.resource, accepted: entry, payload };
      const headers = { ...options.headers, "payment-signature": toBase64(JSON.stringify(payment)) };
      // A reader of the chain does not know this name, so only this page can get the answer of the payment.
      headers["idempotency-key"] = randomHex(16);
      await send(url, { ...options, headers }, entry);
    });
    show(list, row(sign, cancel()));
  };

  /** Sends one signed payment, and sends the same again while its outcome is unknown. */
  const send = async (url, options, entry) => {
    show(make("p", say("sent")));
    const again = () => row(button(say("again"), () => send(url, options, entry)));
    let response;
    let text;
    try {
      response = await fetch(url, options);
      text = await response.text();
    } catch {
      return show(make("p", say("lost")), again());
    }
    if (response.ok) return showPaid(response, { text, entry });
    // A refusal is final. If the node could not decide or answer yet, the same payment may be sent again.
    const is_open = response.status === 409 || response.status >= 500;
    const told = make("p", say(is_open ? "open" : "refused"));
    show(told, makeAnswer(text), is_open ? again() : row(cancel()));
  };

  const showPaid = (response, { text, entry }) => {
    const receipt = response.headers.get("x-receipt-id");
    const settled = response.headers.get("payment-response");
    const paid = make("p", say("paid", showAmount(entry.amount), entry.payTo));
    paid.className = "paid";
    const parts = [paid];
    if (receipt !== null) {
      const line = make("p", `${say("receipt")} `);
      const link = make("a", receipt);
      link.href = `/receipts/${encodeURIComponent(receipt)}`;
      line.append(link);
      parts.push(line);
    }
    if (settled !== null) parts.push(make("p", `${say("transaction")} ${readTransaction(settled)}`));
    if (box.hasAttribute("data-plan")) parts.push(make("p", say("keep_key")));
    // The answer of a plan is shown raw, so that the key in it can be copied.
    show(...parts, ...(box.hasAttribute("data-plan") ? [makeAnswer(text)] : layOutAnswer(text, true)));
  };

  // The shown terms no longer match the form.
  form.addEventListener("input", () => {
    if (panel.querySelector("dl")) panel.hidden = true;
  });

  const known = new Set();
  const add = (wallet, name) => {
    if (known.has(wallet)) return;
    known.add(wallet);
    none.hidden = true;
    choice.hidden = false;
    choice.append(button(name, () => offer(wallet)));
  };
  addEventListener("eip6963:announceProvider", ({ detail }) => {
    // An extension that announces itself is often also the injected wallet; the two count as one.
    if (known.has(globalThis.ethereum) && known.size === 1) {
      known.clear();
      choice.replaceChildren();
    }
    add(detail.provider, say("pay_with", String(detail.info.name).slice(0, 40)));
  });
  dispatchEvent(new Event("eip6963:requestProvider"));
  if (known.size === 0 && globalThis.ethereum) add(globalThis.ethereum, say("pay_with_this"));
};

const box = document.querySelector("[data-wallet]");
const form = document.querySelector("[data-play]");
if (box && form) connect(box, form);
