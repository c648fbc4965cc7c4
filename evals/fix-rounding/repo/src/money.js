// Amounts are whole cents, so that sums are exact.

/** The total of an invoice in cents: each line with its own tax. */
export function total(lines) {
  let sum = 0;
  for (const { cents, quantity, taxPercent } of lines) {
    const net = cents * quantity;
    sum += net + Math.floor((net * taxPercent) / 100);
  }
  return sum;
}

/** An amount as text, such as 1234 as "12.34". */
export function format(cents) {
  return `${Math.trunc(cents / 100)}.${Math.abs(cents % 100)}`;
}
