import { expect, test } from 'vitest';
import { decideTicks } from '../../../src/webhooks/answers/decide-ticks.ts';
import { memoryStore } from '../memory-store.ts';

const asked = {
  question: 'Which?',
  options: [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ],
  allow_freeform: true,
  required: true,
  questions: [],
};
const several = { ...asked, questions: [{ ...asked, question: 'And?' }] };
const posted = (text: string, boxes: readonly object[]) => ({
  ...{ version: 1, comment_id: 9, url: 'https://github.test/c/9' },
  ...{ text, boxes },
});
const box = (line: number, question: number, option: string) => ({ line, means: { question, option } });
const one = posted('Which?\n- [ ] A\n- [ ] B', [box(1, 0, 'a'), box(2, 0, 'b')]);
const two = posted('- [ ] A\n- [ ] B\n- [ ] A\n- [ ] Send', [
  ...[box(0, 0, 'a'), box(1, 0, 'b'), box(2, 1, 'a')],
  { line: 3, means: null },
]);

/** Gives the result of an edit, and what is kept after it. */
async function tick(
  kept: ReturnType<typeof posted> | null,
  body: string,
  more: { question?: object; refused?: boolean; from?: string; dryRun?: boolean; waits?: boolean } = {},
) {
  const { question = asked, refused = false, from, dryRun = false, waits = true } = more;
  const store = memoryStore();
  if (kept !== null) store.values.set('boxes/run_0', JSON.stringify(kept));
  const authorization = refused ? { kind: 'refused', reason: 'Not you.' } : { kind: 'allowed' };
  const waiting = waits ? { run_id: 'run_0', question: { call_id: 'c', question } } : null;
  const edited = { from: from ?? kept?.text ?? '', body };
  const judged = { authorization, waiting, trigger: { kind: 'answer' } };
  const decision = await decideTicks(edited, judged as never, { store, settings: { dryRun } } as never);
  return [decision, JSON.parse(store.values.get('boxes/run_0') ?? 'null')?.text ?? null];
}
const noted = (reason: string) => ({ kind: 'none', reason });
const restore = (reason: unknown, body: string, note: unknown = null) => ({
  ...{ kind: 'restore', reason, comment_id: 9 },
  ...{ body, note },
});

test('one tick answers one question and is stored', async () => {
  const ticked = one.text.replace('[ ] B', '[x] B');
  expect(await tick(one, ticked)).toEqual([{ kind: 'answer', text: 'b' }, ticked]);
  const both = ticked.replace('[ ] A', '[x] A');
  expect(await tick(one, both)).toEqual([noted('boxes were ticked, and nothing sent yet'), both]);
  expect(await tick(one, ticked, { dryRun: true })).toEqual([{ kind: 'answer', text: 'b' }, one.text]);
});

test('an edit is ignored if no question waits or its comment is unknown', async () => {
  expect([await tick(null, 'x'), await tick(one, 'x', { waits: false })]).toEqual([
    [noted('nothing waits here'), null],
    [noted('nothing waits here'), one.text],
  ]);
});

test('an edit by someone without permission, or of more than boxes, is reverted', async () => {
  const ticked = one.text.replace('[ ] B', '[x] B');
  expect([await tick(one, ticked, { refused: true }), await tick(one, `${ticked}\nmore`)]).toEqual([
    [restore('Not you.', one.text), one.text],
    [restore(expect.stringMatching(/./), one.text), one.text],
  ]);
});

test('ticks for several questions are stored until they are sent', async () => {
  const first = two.text.replace('[ ] A', '[x] A');
  expect(await tick(two, first, { question: several })).toEqual([
    noted('boxes were ticked, and nothing sent yet'),
    first,
  ]);
  const early = first.replace('[ ] Send', '[x] Send');
  expect(await tick(two, early, { question: several })).toEqual([
    restore('the sent answer is not complete', first, expect.stringMatching(/./)),
    first,
  ]);
  const unsent = first.replace('[ ] A', '[x] A');
  expect(await tick(two, unsent, { question: several })).toEqual([
    noted('boxes were ticked, and nothing sent yet'),
    unsent,
  ]);
  const whole = early.replace('[ ] A', '[x] A');
  expect(await tick(two, whole, { question: several })).toEqual([
    { kind: 'answer', text: expect.stringMatching(/a.*\n.*a/) },
    whole,
  ]);
});

const mark = '<!-- anode:head v1 hash=0123456789abcdef -->';
const [hash, second] = ['0123456789abcdef', 'fedcba9876543210'];
const asking = {
  ...posted(`${mark}\nRun it?\n- [ ] Run it\n- [ ] Run that`, [box(2, 0, hash), box(3, 0, second)]),
  head: 'h',
};

async function confirm(value: typeof asking | null, body: string, refused = false, dryRun = false) {
  const store = memoryStore();
  if (value !== null) store.values.set('confirm/5', JSON.stringify(value));
  const trigger = { kind: 'continue', repository: { owner: 'acme', name: 'shop' }, thread: { number: 5 } };
  const authorization = refused ? { kind: 'refused', reason: 'Not you.' } : { kind: 'allowed' };
  const edited = { from: value?.text ?? asking.text, body };
  const judged = { authorization, waiting: null, trigger };
  const decision = await decideTicks(edited, judged as never, { store, settings: { dryRun } } as never);
  return [decision, JSON.parse(store.values.get('confirm/5') ?? 'null')?.text ?? null];
}

test('a ticked box starts its stored request for a permitted person', async () => {
  const no = asking.text;
  const yes = no.replace('[ ] Run it', '[x] Run it');
  const all = yes.replace('[ ] Run that', '[x] Run that');
  expect([
    await confirm(asking, yes),
    await confirm({ ...asking, text: yes }, all),
    await confirm(asking, yes, false, true),
    await confirm(asking, no),
    await confirm({ ...asking, text: yes }, no),
    await confirm(asking, all),
    await confirm(asking, yes, true),
    await confirm(asking, `${yes} now`),
    await confirm(null, yes),
  ]).toEqual([
    [{ kind: 'answer', text: hash }, yes],
    [{ kind: 'answer', text: second }, all],
    [{ kind: 'answer', text: hash }, no],
    [noted('nothing is ticked'), no],
    [noted('nothing is ticked'), no],
    [restore('more than one box was ticked at once', no), no],
    [restore('whoever ticked may not', no), no],
    [restore(expect.stringMatching(/./), no), no],
    [noted('nothing is held here'), null],
  ]);
});
