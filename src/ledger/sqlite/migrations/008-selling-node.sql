-- Which node of several sold it; null when there was one.
ALTER TABLE receipts ADD COLUMN node TEXT;
