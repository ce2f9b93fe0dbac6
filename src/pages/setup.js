/**
 * Wallets in the set-up: the browser's wallet gives its address and signs the statement about the node (EIP-1193
 * personal_sign, Wallet Standard solana:signMessage). Without script the text is signed elsewhere and pasted.
 */
import { make } from "./call-form.js";

/** EIP-1193: the user refused. */
const REFUSED = 4001;

const utf8 = new TextEncoder();
const toHex = (text) => `0x${[...utf8.encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));

/** The requests to each kind of wallet: first for its account, then for a signature over a text. */
const KINDS = {
  base: {
    async connect(wallet, say) {
      const [address] = await wallet.request({ method: "eth_requestAccounts" });
      if (!address) throw new Error(say("no_account"));
      const sign = (text) => wallet.request({ method: "personal_sign", params: [toHex(text), address] });
      return { address, sign };
    },
  },
  solana: {
    async connect(wallet, say) {
      const { accounts } = await wallet.features["standard:connect"].connect();
      const account = accounts[0];
      if (!account) throw new Error(say("no_account"));
      const sign = async (text) => {
        const message = utf8.encode(text);
        const [signed] = await wallet.features["solana:signMessage"].signMessage({ account, message });
        return toBase64(signed.signature);
      };
      return { address: account.address, sign };
    },
  },
};

const start = (box) => {
  const texts = JSON.parse(box.dataset.texts);
  const say = (name, value) => texts[name].replace("{0}", value);
  const told = box.querySelector("[data-told]");
  const send = (path, fields) =>
    fetch(path, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ csrf: box.dataset.csrf, ...fields }),
    });

  const prove = async (kind, wallet) => {
    const { address, sign } = await KINDS[kind].connect(wallet, say);
    const { statement, error } = await (await send("/setup/claim", { wallet: kind, address })).json();
    if (!statement) throw new Error(error ?? say("no_account"));
    told.textContent = say("sign");
    await send("/setup/proof", { wallet: kind, signature: await sign(statement) });
    // The result is shown there.
    location.reload();
  };
  const known = new Set();
  const add = (kind, wallet, name) => {
    if (known.has(wallet)) return;
    known.add(wallet);
    const button = make("button", say("connect", name));
    button.type = "button";
    button.className = "act";
    button.addEventListener("click", async () => {
      button.disabled = true;
      await prove(kind, wallet).catch((error) => {
        told.textContent = error?.code === REFUSED ? say("refused") : error?.message || String(error);
      });
      button.disabled = false;
    });
    box.querySelector(`[data-connect="${kind}"]`).append(button);
  };

  addEventListener("eip6963:announceProvider", ({ detail }) =>
    add("base", detail.provider, String(detail.info.name).slice(0, 40)),
  );
  dispatchEvent(new Event("eip6963:requestProvider"));
  if (known.size === 0 && globalThis.ethereum) add("base", globalThis.ethereum, "Ethereum");

  // Wallet Standard: wallets already loaded answer the page; those loaded later call it.
  const register = (...wallets) => {
    for (const wallet of wallets) {
      const can = (name) => wallet.features?.[name] !== undefined;
      if (can("solana:signMessage") && can("standard:connect")) add("solana", wallet, String(wallet.name).slice(0, 40));
    }
    return () => undefined;
  };
  addEventListener("wallet-standard:register-wallet", ({ detail }) => detail({ register }));
  dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: { register } }));
};

const box = document.querySelector("[data-signing]");
if (box) start(box);
