import { parseDuration } from "../core/duration.ts";
import type { FreeRoute } from "../http/free-route.ts";
import { createWalletRoutes } from "../http/wallet-routes.ts";
import type { SignatureChecks } from "../payments/gate/signature-checks.ts";
import { createSignIn, type SignIn } from "../payments/sign-in/sign-in.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import type { Core, Gate, Listener, Money, StartOptions } from "./parts.ts";

interface SignInParts {
  readonly money: Money;
  readonly listener: Listener;
  readonly signatures: SignatureChecks;
}

/** Wallets that sign in: on every network the node is paid on, whether or not a facilitator is up. */
export const composeSignIn = (
  { clock, log }: StartOptions,
  { identity, ledger }: Core,
  { money, listener, signatures }: SignInParts,
): SignIn =>
  createSignIn({
    public_url: listener.public_url,
    networks: money.wallets.map(({ network }) => network),
    secret: identity.deriveSecret("sign-in"),
    clock,
    wallets: ledger.wallets,
    signatures,
    rpc_urls: money.rpc_urls,
    log: log.warn,
  });

interface WalletParts {
  readonly gate: Gate;
  readonly listener: Listener;
  readonly stamp: () => Record<string, unknown>;
  readonly model: () => SurfaceModel;
}

/** The doors of a wallet. */
export const composeWalletRoutes = (
  { config, clock }: StartOptions,
  { ledger }: Core,
  { gate, listener, stamp, model }: WalletParts,
): readonly FreeRoute[] =>
  createWalletRoutes({
    responder: listener.responder,
    ledger,
    sign_in: gate.sign_in,
    recovery: gate.payment.recovery,
    now_ms: clock.now,
    public_url: listener.public_url,
    replay_window_ms: parseDuration(config.payments.replay_window),
    stamp,
    model,
  });
