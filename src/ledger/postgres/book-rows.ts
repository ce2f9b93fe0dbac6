import { type ChannelRows, createChannelRows, type StoredChannels } from "./channel-rows.ts";
import { type ChargeRows, createChargeRows } from "./charge-rows.ts";
import { type CorrectionRows, createCorrectionRows, type StoredCorrections } from "./correction-rows.ts";
import { type CouponRows, createCouponRows, type StoredCoupons } from "./coupon-rows.ts";
import { createGrantRows, type GrantRows, type StoredKeys } from "./grant-rows.ts";
import { dropEmpty } from "./json.ts";
import { createPaymentRows, type PaymentRows, type StoredPayments } from "./payment-rows.ts";
import { createSaleRefundRows, type SaleRefundRows, type StoredSales } from "./sale-refund-rows.ts";

/** The rows that decide the commands of a batch, and that they change. */
export interface BookRows extends Omit<ChargeRows, "renderChanges"> {
  /** By the clock of this node. */
  readonly now_ms: number;
  readonly refunds: SaleRefundRows;
  readonly corrections: CorrectionRows;
  readonly payments: PaymentRows;
  readonly coupons: CouponRows;
  readonly grants: GrantRows;
  readonly channels: ChannelRows;
  /** As `write_batch` takes them. */
  renderChanges(): string;
}

/** What `lock_batch` answers when it locked. */
export interface StoredRows {
  readonly charges: unknown;
  readonly refunds?: StoredSales;
  readonly corrections?: StoredCorrections;
  readonly payments?: StoredPayments;
  readonly coupons?: StoredCoupons;
  readonly keys?: StoredKeys;
  readonly channels?: StoredChannels;
}

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | null => (list.length > 0 ? list : null);

export function createBookRows(stored: StoredRows, now_ms: number): BookRows {
  const rows = createChargeRows(stored.charges);
  const refunds = createSaleRefundRows(stored.refunds);
  const corrections = createCorrectionRows(stored.corrections);
  const payments = createPaymentRows(stored.payments);
  const coupons = createCouponRows(stored.coupons);
  const grants = createGrantRows(stored.keys);
  const channels = createChannelRows(stored.channels);
  const renderOthers = (): object | null =>
    dropEmpty({
      refunds: unlessEmpty(refunds.added),
      corrections: unlessEmpty(corrections.added),
      payments: unlessEmpty(payments.changes),
      coupons: coupons.renderChanges(),
      keys: grants.renderChanges(),
      channels: unlessEmpty(channels.changes),
    });
  return {
    ...rows,
    now_ms,
    refunds,
    corrections,
    payments,
    coupons,
    grants,
    channels,
    renderChanges: () => rows.renderChanges(renderOthers()),
  };
}
