-- Which door a payment came through. What was sold before is of none that is known.
ALTER TABLE payments ADD COLUMN door TEXT;
