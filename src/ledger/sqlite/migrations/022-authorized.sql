-- What a payer signed as the most, where the amount of his payment is what was charged of it.
ALTER TABLE payments ADD COLUMN authorized INTEGER CHECK (amount <= authorized);
