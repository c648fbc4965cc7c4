import { expect, test } from 'vitest';
import type { Handoff } from '../../../src/contract/run-results.ts';
import { renderHandoff } from '../../../src/reporting/issues/handoff-issue.ts';
import { samplePlan } from '../samples.ts';

const handoff: Handoff = {
  target: 'user',
  summary: 'Tokens are migrated. Thanks @ada',
  completed: [],
  open_questions: [],
  recommended_next_steps: [],
  artifacts: [],
  relevant_files: [],
  follow: false,
};

test('renders each part of a handoff as a section', () => {
  expect(
    renderHandoff(
      {
        ...handoff,
        reason: 'The limit was near.',
        goal: 'Rotate the keys',
        completed: ['Middleware'],
        open_questions: ['Should refresh tokens expire?'],
        recommended_next_steps: ['Add\nrotation'],
        artifacts: ['notes.md'],
        relevant_files: ['src/auth.ts'],
      },
      1,
      samplePlan(),
      { runUrl: 'https://ci.test/1' },
    ),
  ).toEqual({
    labels: [],
    title: 'Rotate the keys',
    body: [
      '<!-- anode:handoff v1 run=run_1 n=1 -->\nTokens are migrated. Thanks @\u200bada',
      'Why it is handed over: The limit was near.',
      '**Done**\n\n- [x] Middleware',
      '**Open questions**\n\n- Should refresh tokens expire?',
      '**Next steps**\n\n- [ ] Add rotation',
      '**Files to open first**\n\n- `src/auth.ts`',
      '**Further material**\n\n- `notes.md`',
      '<sub>Handed over by an Anode [run](https://ci.test/1) on #7 for ada.</sub>',
    ].join('\n\n'),
  });
});

test('uses the first sentence of the summary as title without a goal', () => {
  expect(renderHandoff(handoff, 0, samplePlan({ thread: null }), { runUrl: null })).toEqual({
    labels: [],
    title: 'Tokens are migrated',
    body: [
      '<!-- anode:handoff v1 run=run_1 n=0 -->\nThanks @\u200bada',
      '<sub>Handed over by an Anode run for ada.</sub>',
    ].join('\n\n'),
  });
});

test.each([
  ['---\ntitle: "[Handoff]"\nlabels: [a, "b c" , \'d\']\n---\nBody', '[Handoff] G', ['a', 'b c', 'd']],
  ['---\r\nlabels: a,,b\r\n---\r\nBody', 'G', ['a', 'b']],
  ['---\ntitle:\t it\'s "so" now\nabout: title: x\n---\nBody', 'it\'s "so" now G', []],
  ['---\nsubtitle: x\ntitle: ""\nlabels:\n---\nBody', 'G', []],
  ['Body\n---\ntitle: x\n---\n', 'G', []],
])('reads title and labels from the front matter %j', (template, title, labels) => {
  const made = renderHandoff({ ...handoff, goal: 'G' }, 0, samplePlan(), { runUrl: null, template });
  expect([made.title, made.labels, made.body.includes('Body'), /^about|^labels/m.test(made.body)]).toEqual([
    title,
    labels,
    true,
    false,
  ]);
});

test('bounds each text, and lists twenty items', () => {
  const many = Array.from({ length: 21 }, () => 's'.repeat(500));
  const long = {
    ...handoff,
    goal: 'go on '.repeat(100),
    summary: 'x'.repeat(20_001),
    recommended_next_steps: many,
  };
  const { title, body } = renderHandoff(long, 0, samplePlan(), { runUrl: null });
  expect([
    title,
    body.match(/x{20,}\n\n\[cut\]/)?.[0].length,
    body.match(/^- \[ \] s{399}…$/gm)?.length,
    body.match(/^- … and .*$/m)?.[0],
  ]).toEqual([`${'go on '.repeat(42)}go…`, 20_000, 20, '- … and 1 more']);
});

test('names whom the issue is for, and repeats no title', () => {
  const settings = { runUrl: null, mention: ['ben', 'acme/docs'] };
  const { title, body } = renderHandoff({ ...handoff, summary: 'Pick a colour.' }, 0, samplePlan(), settings);
  expect([title, body]).toEqual([
    'Pick a colour',
    '<!-- anode:handoff v1 run=run_1 n=0 -->\nFor @ben, @acme/docs\n\n<sub>Handed over by an Anode run on #7 for ada.</sub>',
  ]);
});
