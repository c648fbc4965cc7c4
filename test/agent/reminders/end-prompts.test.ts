import { afterEach, expect, test } from 'vitest';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import { toolDefinitionsFor } from '../../../src/agent/profiles/tool-definitions.ts';
import { requiredResult } from '../../../src/agent/reminders/end-prompts.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import { type Family, runRunTree, type Said, textOf } from '../run-tree-fixture.ts';

let family: Family | undefined;
afterEach(() => family?.tools.close());

async function owedBy(name: string, stated: RunEntry['type'][] = [], disabled: string[] = []) {
  const profile = findProfile(name);
  const toolDefinitions = await toolDefinitionsFor(profile, disabled, async () => builtinTools);
  const required = requiredResult({
    profile,
    toolDefinitions,
    history: { stated: new Set(stated) },
  });
  return [required.missing(), required.prompt(), required.prompt(), required.missing()];
}

test('a required statement is requested once, and only if the run can make it', async () => {
  expect(await owedBy('review')).toEqual([
    'report_findings',
    'You ended without calling report_findings, and only what it states counts. Call it now, with all you found or with an empty list; then end as before.',
    null,
    'report_findings',
  ]);
  expect(await owedBy('describe')).toContain('describe_pull_request');
  expect(await owedBy('triage')).toContain('set_labels');
  const nothing = [null, null, null, null];
  expect(await owedBy('review', ['findings'])).toEqual(nothing);
  expect(await owedBy('review', [], ['report_*'])).toEqual(nothing);
  expect(await owedBy('craft')).toEqual(nothing);
});

/** The end of a reviewing child and the last message it received. */
async function review(...reply: Said[]) {
  const profile = 'review';
  const task = ['task', { goal: 'I am one.', profile }] as const;
  family = await runRunTree({ main: [{ calls: [task] }, { text: 'done' }], one: reply });
  const result = family.entries.find((entry) => entry.type === 'child_run.result');
  const reported = textOf(family.seen.get('one')?.at(-1)?.messages.at(-1));
  await family.tools.close();
  return result?.type === 'child_run.result'
    ? { turns: result.turns, answer: result.summary, told: reported.split(',')[0] }
    : null;
}

test('a review with findings only in its text is asked to report them, or ends with the text', async () => {
  const told = 'You ended without calling report_findings';
  const words = 'a.ts:3 divides by nothing.';
  expect(await review({ text: words }, { text: 'I have said it.' })).toEqual({
    turns: 2,
    answer: words,
    told,
  });
  const report: Said = { calls: [['report_findings', { findings: [] }]] };
  expect(await review({ text: words }, report, { text: 'Fine.' })).toEqual({
    turns: 3,
    answer: 'Fine.',
    told: 'Recorded: nothing found.',
  });
  expect(await review(report, { text: 'Fine.' })).toMatchObject({ turns: 2, answer: 'Fine.' });
});
