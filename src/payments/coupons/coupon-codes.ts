import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { customerNetwork } from "../../core/customer-network.ts";
import { assertKeyBytes } from "../../core/secrets.ts";

/** A coupon as it was read from its code. Nothing of it is stored before it is redeemed. */
export interface CouponCode {
  readonly id: string;
  readonly expires_at_ms: number;
  /** Keyed hash of the network it was given to, by the secret it was written with. */
  readonly client: string;
}

/** Makes and reads coupons: the code says everything, and only this node can have written it. */
export interface CouponCodes {
  mint(ip: string, expires_at_ms: number): string;
  /** Null when this node did not write it. */
  read(code: string): CouponCode | null;
  /** Whether it was given to the network an address belongs to. */
  isFor(coupon: CouponCode, ip: string): boolean;
}

const PREFIX = "inc_";
const ID_BYTES = 9;
const TIME_BYTES = 6;
const CLIENT_BYTES = 8;
const MAC_BYTES = 16;
const BYTES = ID_BYTES + TIME_BYTES + CLIENT_BYTES + MAC_BYTES;
const FORM = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{${Math.ceil((BYTES * 4) / 3)}}$`);

const macOf = (secret: Uint8Array, what: string, bytes: Uint8Array | string): Buffer =>
  createHmac("sha256", secret).update(`${what}\n`).update(bytes).digest();
const signCoupon = (secret: Uint8Array, said: Uint8Array): Buffer =>
  macOf(secret, "coupon", said).subarray(0, MAC_BYTES);

const clientOf = (secret: Uint8Array, ip: string): string =>
  macOf(secret, "client", customerNetwork(ip, 56)).subarray(0, CLIENT_BYTES).toString("hex");

/**
 * @param secret bytes only this node knows.
 * @param earlier the secrets before it: coupons written with them are good until they end.
 * @throws RangeError when one of them is too short.
 */
export function createCouponCodes(secret: Uint8Array, earlier: readonly Uint8Array[] = []): CouponCodes {
  const secrets = [secret, ...earlier];
  for (const one of secrets) assertKeyBytes(one, "coupons");
  return {
    isFor: ({ client }, ip) => secrets.some((one) => clientOf(one, ip) === client),
    mint(ip, expires_at_ms) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(Math.floor(expires_at_ms / 1000), 0, TIME_BYTES);
      const said = Buffer.concat([randomBytes(ID_BYTES), time, Buffer.from(clientOf(secret, ip), "hex")]);
      return PREFIX + Buffer.concat([said, signCoupon(secret, said)]).toString("base64url");
    },
    read(code) {
      if (!FORM.test(code)) return null;
      const bytes = Buffer.from(code.slice(PREFIX.length), "base64url");
      const said = bytes.subarray(0, BYTES - MAC_BYTES);
      const mac = bytes.subarray(BYTES - MAC_BYTES);
      if (!secrets.some((one) => timingSafeEqual(mac, signCoupon(one, said)))) return null;
      return {
        id: said.subarray(0, ID_BYTES).toString("hex"),
        expires_at_ms: said.readUIntBE(ID_BYTES, TIME_BYTES) * 1000,
        client: said.subarray(ID_BYTES + TIME_BYTES).toString("hex"),
      };
    },
  };
}
