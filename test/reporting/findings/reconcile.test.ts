import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import type { KnownFinding } from '../../../src/contract/review-record.ts';
import type { LineSource } from '../../../src/reporting/findings/line-context.ts';
import { type ReconcileFacts, reconcile } from '../../../src/reporting/findings/reconcile.ts';
import { finding } from '../samples.ts';

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from(
    { length: 30 },
    (_, index) => changed[index + 1] ?? `const value${index + 1} = compute(${index + 1});`,
  );
const source = (text: readonly string[]): LineSource => ({
  lines: (path) => (path === 'src/a.js' ? new Map(text.map((line, index) => [index + 1, line])) : null),
});
const on = (line: number, title: string, more: Partial<Finding> = {}): Finding => ({
  ...finding,
  line,
  title,
  ...more,
});

/** One run after another on the same pull request. */
function run(
  runId: string,
  known: readonly KnownFinding[],
  facts: Partial<ReconcileFacts> & { text?: string[] },
) {
  const { text = lines(), ...rest } = facts;
  const asked = new Set(known.map(({ id }) => id));
  const done = reconcile({
    ...{ runId, known, findings: [], source: source(text), dismissed: new Map() },
    evidence: { kind: 'review', asked },
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
const first = () =>
  run('run_1', [], { findings: [on(5, 'Five overflows'), on(20, 'Twenty is never closed')] }).known;
const none = { fresh: [], carried: [], fixed: [], dismissed: [] };
const both = ['Five overflows', 'Twenty is never closed'];

test('What stands as it was is carried, reported again or not, and an attempt at the same run tells it anew.', () => {
  const again = { findings: [on(5, 'Overflow in value five')] };
  expect([
    run('run_2', first(), {}).told,
    run('run_2', first(), again).told,
    run('run_2', first(), {
      ...again,
      text: ['', '', ...lines()],
      findings: [on(7, 'Overflow in value five')],
    }).told,
    run('run_1', first(), again).told,
  ]).toEqual([
    { ...none, carried: both },
    { ...none, carried: both },
    { ...none, carried: both },
    { ...none, fresh: ['Overflow in value five'] },
  ]);
});

test('What changed and is not reported again is fixed, by a review that came to its end and was asked about it.', () => {
  const text = lines({ 5: 'const value5 = safe(5);' });
  const beside = lines({ 6: 'check(value5);' });
  const asked = new Set([first()[1]?.id ?? '']);
  const fixed = { ...none, carried: ['Twenty is never closed'], fixed: ['Five overflows'] };
  expect([
    run('run_2', first(), { text }).told,
    run('run_2', first(), { text: beside }).told,
    run('run_2', first(), { text, evidence: { kind: 'text' } }).told,
    run('run_2', first(), { text: beside, evidence: { kind: 'text' } }).told,
    run('run_2', first(), { text, evidence: { kind: 'none' } }).told,
    run('run_2', first(), { text, evidence: { kind: 'review', asked } }).told,
    run('run_2', first(), { text, findings: [on(5, 'Five still overflows')] }).told,
  ]).toEqual([
    fixed,
    fixed,
    fixed,
    { ...none, carried: both },
    { ...none, carried: both },
    { ...none, carried: both },
    { ...none, carried: both },
  ]);
});

test('What may be told again in other words is not taken for fixed, and what says it is told.', () => {
  const text = lines({ 5: 'const value5 = safer(5);' });
  const others = (line: number, more: Partial<Finding> = {}) =>
    run('run_2', first(), { text, findings: [on(line, 'Sums wrap around', more)] }).told;
  const open = { ...none, fresh: ['Sums wrap around'], carried: both };
  const fixed = { ...open, carried: ['Twenty is never closed'], fixed: ['Five overflows'] };
  expect([
    others(5),
    others(15),
    others(16),
    others(5, { category: 'style' }),
    others(5, { side: 'LEFT' }),
  ]).toEqual([open, open, fixed, fixed, fixed]);
});

test('What a check found is fixed when the check looks and does not find it, and then only.', () => {
  const known = run('run_1', [], { findings: [on(5, 'A key', { check: 'secrets' })] }).known;
  const text = lines({ 5: 'const value5 = safe(5);' });
  expect([
    run('run_2', known, { checks: new Set(['secrets']) }).told.fixed,
    run('run_2', known, { text, checks: new Set(['files']) }).told.carried,
  ]).toEqual([['A key'], ['A key']]);
});

test('What was fixed and comes back is told again, once.', () => {
  const two = run('run_2', first(), { text: lines({ 5: 'const value5 = safe(5);' }) });
  const three = run('run_3', two.known, { findings: [on(5, 'Five overflows')] });
  const four = run('run_4', three.known, { findings: [on(5, 'Five overflows')] });
  expect([three.told.fresh, four.told.fresh, four.told.carried.toSorted()]).toEqual([
    ['Five overflows'],
    [],
    both,
  ]);
});

test('What was let go stays silent, also when its lines moved or changed a little.', () => {
  const known = first();
  const dismissed = new Map([[known[0]?.id ?? '', 'ada']]);
  const two = run('run_2', known, { dismissed });
  const text = ['// moved', ...lines({ 6: 'check(value5);' })];
  const three = run('run_3', two.known, { text, findings: [on(6, 'Five overflows still')] });
  expect([two.told, three.told, three.known[0]]).toEqual([
    { ...none, carried: ['Twenty is never closed'], dismissed: ['Five overflows'] },
    { ...none, carried: ['Twenty is never closed'], dismissed: ['Five overflows'] },
    expect.objectContaining({ state: 'dismissed', dismissed_by: 'ada', line: 6 }),
  ]);
});

test('A new finding is no repetition: on another line, on an equal line elsewhere, or a second on the same line.', () => {
  const text = lines({ 9: 'close(file);', 20: 'close(file);' });
  const known = run('run_1', [], { text, findings: [on(20, 'Closed twice')] }).known;
  const next = run('run_2', known, { text, findings: [on(9, 'Closed twice'), on(21, 'Another thing')] });
  const two = run('run_1', [], {
    findings: [on(5, 'Five overflows'), on(5, 'Five leaks'), on(5, 'Five leaks')],
  });
  expect([
    next.told.fresh,
    next.told.carried,
    two.told.fresh,
    new Set(two.known.map(({ id }) => id)).size,
  ]).toEqual([['Closed twice', 'Another thing'], ['Closed twice'], ['Five overflows', 'Five leaks'], 2]);
});

test('What is known afterwards stands where it is now, as heavy as it was last told.', () => {
  const [told] = first();
  if (told === undefined) throw new Error('there is one');
  const next = (facts: Parameters<typeof run>[2]) => run('run_2', [told], facts).known;
  const moved = ['', '', ...lines()];
  expect([
    next({ text: moved }),
    next({ text: moved, findings: [on(7, 'Overflow', { severity: 'critical', side: 'LEFT' })] }),
    next({ findings: [on(6, 'Five overflows', { severity: 'low' })] }),
    next({ text: lines({ 5: 'x' }), evidence: { kind: 'none' } }),
  ]).toEqual([
    [{ ...told, line: 7 }],
    [
      {
        ...{ ...told, line: 7, severity: 'critical', side: 'LEFT' },
        window: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ],
    [{ ...told, severity: 'low' }],
    [told],
  ]);
});

test('A name that stands on GitHub already is given to no other finding.', () => {
  const findings = [on(5, 'Five overflows')];
  const [plain] = run('run_2', [], { findings }).known;
  const [other] = run('run_2', [], { findings, told: new Set([plain?.id ?? '', `${plain?.id}-2`]) }).known;
  expect(other?.id).toBe(`${plain?.id}-3`);
});
