import type { Finding } from '../../../src/contract/findings.ts';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import type { LineSource } from '../../../src/reporting/findings/line-context.ts';
import { type ReconcileFacts, reconcile } from '../../../src/reporting/findings/reconcile.ts';
import { finding } from '../samples.ts';

/** Thirty lines, some of them other ones. */
export const lines = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from(
    { length: 30 },
    (_, index) => changed[index + 1] ?? `const value${index + 1} = compute(${index + 1});`,
  );
export const source = (text: readonly string[]): LineSource => ({
  lines: (path) => (path === 'src/a.js' ? new Map(text.map((line, index) => [index + 1, line])) : null),
});
export const on = (line: number, title: string, more: Partial<Finding> = {}): Finding => ({
  ...{ ...finding, line, title, ...more },
});

/** One run after another on the same pull request. */
export function run(
  runId: string,
  known: readonly PreviousFinding[],
  facts: Partial<ReconcileFacts> & { text?: string[] },
) {
  const { text = lines(), ...rest } = facts;
  const asked = new Set(known.map(({ id }) => id));
  const done = reconcile({
    ...{ runId, previous: known, findings: [], source: source(text), dismissed: new Map() },
    evidence: { kind: 'review', requested: asked },
    checks: new Set(),
    ...rest,
  });
  const titles = (list: readonly { readonly title: string }[]) => list.map(({ title }) => title);
  const told = {
    fresh: titles(done.fresh.map((one) => one.finding)),
    carried: titles(done.carried),
    fixed: titles(done.fixed),
    dismissed: titles(done.dismissed),
  };
  return { told, known: done.known };
}
export const none = { fresh: [], carried: [], fixed: [], dismissed: [] };
