import { randomBytes } from "node:crypto";
import { createChannels } from "../../alerts/channels.ts";
import { sendTest } from "../../alerts/send-test.ts";
import { systemClock } from "../../core/clock.ts";
import type { FreeRoute } from "../../http/free-route.ts";
import type { Handler } from "../../http/http-call.ts";
import { alertEntries } from "../../node/compose-alerts.ts";
import { type Html, html } from "../../pages/html.ts";
import { SETUP_STEPS, type SetupStep } from "../../pages/setup/fields.ts";
import { renderSetupForm, renderSetupPage, type SetupFlash, setupPath } from "../../pages/setup/page.ts";
import { renderSale, renderSaleForm } from "../../pages/setup/sale.ts";
import { renderSigning, type SignableWallet } from "../../pages/setup/wallets.ts";
import type { Phrase, Words } from "../../pages/words.ts";
import { VERSION } from "../../releases/version.ts";
import type { SetupDesk, StepFaults } from "./desk.ts";
import { createSetupDoor, goTo, respond, type SetupCall, type SetupDoorOptions, unlimited } from "./door.ts";
import { proofName, WALLETS } from "./draft.ts";
import type { Entered } from "./entered.ts";
import { renderFinish } from "./finish.ts";
import type { TestSale } from "./test-sale.ts";
import type { WalletClaims } from "./wallet-claims.ts";

export interface SetupRoutesOptions extends SetupDoorOptions {
  /** The node's key, for the operator to keep, and the token for the operator's pages. */
  readonly readSecrets: () => { readonly node_key: string; readonly operator_token: string };
  /** The statements about this node for wallets to sign. */
  readonly claims: WalletClaims;
  /** Sells a product of the draft configuration on test money. */
  readonly sell: (draft: string) => Promise<TestSale>;
  /** Called when the file is written. */
  readonly onWritten: () => void;
}

const SECRET_BYTES = 24;

const INTRO: Readonly<Partial<Record<SetupStep, Phrase>>> = {
  shop: "Nothing here is needed to go on: what you leave empty can be filled in later.",
  wallets:
    "Only addresses, never keys. Nothing shows that an address you typed is yours: a wrong one loses every payment.",
  prices: "In USD, a call. What you leave empty costs what the product says.",
  alerts: "Of trouble, and of sales.",
  keys: "Some sources ask for a key of yours.",
};

interface ShowOptions {
  /** The rejected answers of the form. */
  readonly given?: Entered;
  readonly faults?: StepFaults;
  readonly flash?: SetupFlash;
  /** Shown at the top of the step. */
  readonly first?: Html;
}

/** The pages that set the node up. */
export function createSetupRoutes(options: SetupRoutesOptions): readonly FreeRoute[] {
  const { open, withSession, withForm } = createSetupDoor(options);
  /** Result of the last form, shown once. */
  let told: SetupFlash | null = null;
  const tell = ({ http_call, words }: SetupCall, step: SetupStep, flash: SetupFlash): Response => {
    told = flash;
    return goTo(http_call, setupPath(step, words));
  };
  const show = async (call: SetupCall, step: SetupStep, shown: ShowOptions = {}): Promise<Response> => {
    const { words } = call;
    const { faults = new Map(), flash = told } = shown;
    told = null;
    const wrong = { ok: false, text: words.say("Not saved: see what is said beside the fields.") };
    const body = step === "finish" ? await renderFinish(call, options.readSecrets()) : renderStep(call, step, shown);
    const page = renderSetupPage({
      words,
      title: titleOf(step, words),
      here: step,
      flash: faults.size > 0 ? wrong : flash,
      body: html`${shown.first ?? ""}${body}${step === "wallets" ? renderSignings(call, options.claims) : ""}`,
    });
    return respond(call.http_call, page, { status: faults.size > 0 ? 422 : 200 });
  };

  const save = (step: SetupStep): Handler =>
    withForm(async (call, given) => {
      const faults = await call.desk.save(step, given);
      if (faults.size > 0) return show(call, step, { given, faults });
      if (given.go === "test") return tell(call, step, await testAlerts(call));
      return tell(call, nextOf(step), { ok: true, text: call.words.say("Saved.") });
    });

  const sell = withForm(async (call) => {
    const sale = await options.sell(call.desk.render());
    options.log({ event: "setup_sale", ok: sale.ok });
    return show(call, "sale", { first: renderSale(sale, call.words) });
  });

  const prove = withForm(async (call, { wallet: name = "", signature = "" }) => {
    const wallet = WALLETS.find((one) => one === name);
    const proof = wallet ? await options.claims.prove(call.desk.entered, wallet, signature) : null;
    if (!wallet || proof === null) {
      const text = call.words.say("Not signed by this address, or over another text: sign exactly the text shown.");
      return tell(call, "wallets", { ok: false, text });
    }
    call.desk.keep({ [proofName(wallet)]: proof });
    return tell(call, "wallets", { ok: true, text: call.words.say("Signed: this wallet is proven to be the shop's.") });
  });

  /** For the page's script: takes a wallet's address, and returns the text to sign. */
  const claim = withForm(async ({ http_call, desk }, { wallet: name = "", address = "" }) => {
    const wallet = WALLETS.find((one) => one === name);
    const faults = wallet ? await desk.save("wallets", { ...desk.entered, [`${wallet}PayTo`]: address }) : new Map();
    const statement = wallet && faults.size === 0 ? options.claims.statement(desk.entered, wallet) : null;
    const answer = statement === null ? { error: [...faults.values()][0] ?? null } : { statement };
    const more = { "Content-Type": "application/json" };
    return respond(http_call, JSON.stringify(answer), { status: statement === null ? 422 : 200, more });
  });

  const write = withForm(async (call) => {
    const { http_call, desk, words } = call;
    const faults = await desk.write();
    if (faults !== null) {
      const details = [...faults.by_field.values(), ...faults.other];
      return show(call, "finish", { flash: { ok: false, text: words.say("The file was not written."), details } });
    }
    options.log({ event: "setup_written" });
    options.onWritten();
    const body = html`<p>${words.say("node.toml is written, and the node starts with it now.")}</p>
<p><a href="/">${words.say("Open the shop")}</a> · <a href="/admin">${words.say("Operator")}</a></p>`;
    const next = { path: "/", after_s: 5 };
    const page = { words, title: words.say("Done"), here: null, flash: null, body, next };
    return respond(http_call, renderSetupPage(page));
  });

  const sendKey = withForm(({ http_call }) => {
    const more = {
      "Content-Type": "application/x-pem-file",
      "Content-Disposition": 'attachment; filename="node-key.pem"',
    };
    return respond(http_call, options.readSecrets().node_key, { more });
  });

  const SENT: Readonly<Partial<Record<SetupStep, Handler>>> = { sale: sell, finish: write };
  const page = (step: SetupStep): FreeRoute => {
    const [shown, sent] = [withSession((call) => show(call, step)), SENT[step] ?? save(step)];
    const handler = unlimited((http_call) => (http_call.request.method === "POST" ? sent : shown)(http_call));
    return { path: `/setup/${step}`, methods: ["GET", "POST"], handler };
  };
  return [
    { path: "/setup", methods: ["GET"], handler: open },
    ...SETUP_STEPS.map(([step]) => page(step)),
    { path: "/setup/claim", methods: ["POST"], handler: claim },
    { path: "/setup/proof", methods: ["POST"], handler: prove },
    { path: "/setup/node-key.pem", methods: ["POST"], handler: sendKey },
  ];
}

const titleOf = (step: SetupStep, { say }: Words): string => {
  const [, text] = SETUP_STEPS.find(([name]) => name === step) ?? SETUP_STEPS[0];
  return say(text);
};

const nextOf = (step: SetupStep): SetupStep => {
  const steps = SETUP_STEPS.map(([name]) => name);
  return steps[steps.indexOf(step) + 1] ?? "finish";
};

function renderStep(
  { desk, session, words }: SetupCall,
  step: SetupStep,
  { given, faults = new Map() }: ShowOptions,
): Html {
  const { csrf } = session;
  if (step === "sale") return renderSaleForm(words, csrf);
  const intro = INTRO[step];
  const test = html`<button name="go" value="test">${words.say("Save and send a test message")}</button>`;
  const more = step === "alerts" ? { more: test } : {};
  const form = { words, step, csrf, fields: desk.fields(step), values: valuesOf(desk, given), faults, ...more };
  return html`${intro ? html`<p>${words.say(intro)}</p>` : ""}${renderSetupForm(form)}`;
}

/** The values of the fields. A webhook without a signing secret gets a new one here. */
function valuesOf({ entered }: SetupDesk, given: Entered = {}): Entered {
  const values = { ...entered, ...given };
  if (values["alert.secret"]) return values;
  return { ...values, "alert.secret": `whsec_${randomBytes(SECRET_BYTES).toString("base64")}` };
}

function renderSignings({ desk, session, words }: SetupCall, claims: WalletClaims): Html {
  const wallets = WALLETS.map((wallet): SignableWallet => {
    const address = desk.entered[`${wallet}PayTo`] ?? "";
    const is_signed = (desk.entered[proofName(wallet)] ?? "") !== "";
    return { wallet, address, is_signed, statement: claims.statement(desk.entered, wallet) };
  });
  const has_address = (desk.entered.publicUrl ?? "") !== "";
  return renderSigning({ words, csrf: session.csrf, wallets, has_address });
}

/** Sends a test message with the entered values, as `intel-node alerts test` does. */
async function testAlerts({ desk, words }: SetupCall): Promise<SetupFlash> {
  const checked = await desk.check();
  if ("by_field" in checked) {
    const details = [...checked.by_field.values(), ...checked.other];
    return { ok: false, text: words.say("Saved, and nothing was sent: something else is wrong."), details };
  }
  const { config } = checked;
  const channels = createChannels(alertEntries(config), { node_name: config.node.name, version: VERSION });
  const sent = await sendTest(channels, systemClock.now());
  if (sent.length === 0) return { ok: false, text: words.say("Saved. Choose how you are told to try it.") };
  const failed = sent.flatMap(({ channel, error }) => (error === null ? [] : [`${channel}: ${error}`]));
  if (failed.length > 0)
    return { ok: false, text: words.say("Saved, and the message was not taken."), details: failed };
  return { ok: true, text: words.say("Saved, and the message was sent: look whether it arrived.") };
}
