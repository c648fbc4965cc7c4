import { expect, test } from 'vitest';
import { createPageBudget } from '../../../src/reporting/html/render-text.ts';

test('passes an unused share of the budget to later pieces', () => {
  const budget = createPageBudget(100, 3);
  const shares: number[] = [];
  for (const spent of [13, 40, 90]) {
    shares.push(budget.next(1_000));
    budget.spend(spent);
  }
  expect([...shares, budget.next(1_000)]).toEqual([33, 43, 47, 0]);
});

test('gives a piece at most its share, and an extra piece the remainder', () => {
  const budget = createPageBudget(10, 1);
  const first = budget.next(4);
  budget.spend(4);
  expect([first, budget.next(100), budget.next(-1), createPageBudget(10, 0).next(100)]).toEqual([
    4, 6, 0, 10,
  ]);
});
