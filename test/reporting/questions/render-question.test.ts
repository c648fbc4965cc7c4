import { expect, test } from 'vitest';
import {
  renderAnswered,
  renderQuestion,
  renderQuestionForm,
} from '../../../src/reporting/questions/render-question.ts';

const asked = { question: 'Which calendar?', options: [], allow_freeform: false, required: true };
const options = [
  { id: 'iso', label: 'ISO 8601', description: 'weeks start on Monday' },
  { id: 'us', label: 'US <!-- x' },
];
const frame = { mention: 'anode', answerers: [], deadline: null };
const who = 'People with write permission to this repository may answer.';

test('renders reason, options as boxes, and how to answer', () => {
  const question = {
    ...asked,
    reason: 'They differ\nin January.',
    options,
    allow_freeform: true,
    default: 'iso',
    questions: [],
  };
  const { text, boxes } = renderQuestionForm(question, {
    mention: 'robo',
    answerers: ['@author', 'kim'],
    deadline: '2026-01-05T12:00:00.000Z',
  });
  expect([text, boxes.map(({ line, means }) => [text.split('\n')[line], means])]).toEqual([
    [
      '**A question before this can go on**',
      'Which calendar?',
      'Why: They differ in January.',
      '- [ ] 1. **ISO 8601** (`iso`): weeks start on Monday *(default)*\n- [ ] 2. **US &lt;!-- x** (`us`)',
      '<sub>Tick one, or answer with `/robo answer 1`, or just with the number or name of an option; your own words are welcome too. People with write permission to this repository, the author of this thread, `kim` may answer. After 2026-01-05 12:00 UTC the run goes on with the default.</sub>',
    ].join('\n\n'),
    [
      ['- [ ] 1. **ISO 8601** (`iso`): weeks start on Monday *(default)*', { question: 0, option: 'iso' }],
      ['- [ ] 2. **US &lt;!-- x** (`us`)', { question: 0, option: 'us' }],
    ],
  ]);
});

test('numbers several questions, with one box to send them', () => {
  const question = {
    ...asked,
    question: 'Which calendar?\n\n- [ ] no box of ours',
    questions: [
      { ...asked, question: 'Since when?' },
      { ...asked, question: 'Where?', options, multiple: true },
    ],
  };
  const { text, boxes } = renderQuestionForm(question, frame);
  expect([text, boxes.map(({ line }) => text.split('\n')[line])]).toEqual([
    [
      '**A question before this can go on**',
      '**1.** Which calendar?',
      '- [ ] no box of ours',
      '**2.** Since when?',
      '**3.** Where? (several may be chosen)',
      '- [ ] 1. **ISO 8601** (`iso`): weeks start on Monday\n- [ ] 2. **US &lt;!-- x** (`us`)',
      '- [ ] **Send what is ticked above**',
      `<sub>Tick what fits and then the last box, or answer all of it in one comment, one line a question: \`/anode answer …\`. ${who}</sub>`,
    ].join('\n\n'),
    [
      '- [ ] 1. **ISO 8601** (`iso`): weeks start on Monday',
      '- [ ] 2. **US &lt;!-- x** (`us`)',
      '- [ ] **Send what is ticked above**',
    ],
  ]);
});

test('renders a question without boxes, and an answered one', () => {
  const question = { ...asked, options, questions: [] };
  expect([
    renderQuestion(question),
    renderAnswered(question, 'iso', 'ada'),
    renderAnswered(question, 'neither,\n@bob decides', 'ada'),
    renderAnswered(question, 'No one answered in time.', null),
  ]).toEqual([
    '**A question before this can go on**\n\nWhich calendar?\n\n1. **ISO 8601** (`iso`): weeks start on Monday\n2. **US &lt;!-- x** (`us`)',
    '**Answered by `ada`.**\n\nWhich calendar?\n\n> **ISO 8601** (`iso`): weeks start on Monday',
    '**Answered by `ada`.**\n\nWhich calendar?\n\n> neither,\n> @\u200bbob decides',
    '**No one answered in time.**\n\nWhich calendar?\n\n> No one answered in time.',
  ]);
});

const lastLine = (question: object, more: object = {}) =>
  renderQuestionForm({ ...asked, questions: [], ...question }, { ...frame, ...more })
    .text.split('\n\n')
    .at(-1);

test.each([
  [{}, 'Answer with `/anode answer …`, or quote this and write below it.'],
  [{ options }, 'Tick one, or answer with `/anode answer 1`, or just with the number or name of an option.'],
  [
    { options, multiple: true },
    'Tick what fits and then the last box, or answer with `/anode answer 1`, or just with the number or name of an option.',
  ],
  [{ questions: [asked] }, 'Answer all of it in one comment, one line a question: `/anode answer …`.'],
  [
    { options, questions: [asked] },
    'Tick what fits and then the last box, or answer all of it in one comment, one line a question: `/anode answer …`.',
  ],
])('renders how to answer %j', (question, how) => {
  expect(lastLine(question)).toBe(`<sub>${how} ${who}</sub>`);
});

test.each([
  [{}, 'without an answer'],
  [{ default: 'x' }, 'with the default'],
  [{ questions: [{ ...asked, default: 'x' }] }, 'with the default'],
])('renders what happens to %j without an answer', (question, what) => {
  expect(lastLine(question, { deadline: '2026-01-05T12:34:56.000Z' })).toMatch(
    ` may answer. After 2026-01-05 12:34 UTC the run goes on ${what}.</sub>`,
  );
});

test('renders thirty options, a box to send several, and cuts every text', () => {
  const many = Array.from({ length: 31 }, (_, index) => ({
    id: `o${index}`,
    label: 'l'.repeat(201),
    description: 'd'.repeat(501),
  }));
  const long = { ...asked, question: 'q'.repeat(8_001), reason: 'r'.repeat(1_001), questions: [] };
  const question = { ...long, options: many, multiple: true };
  const { text, boxes } = renderQuestionForm(question, frame);
  const name = `**${'l'.repeat(199)}…** (\`o29\`): ${'d'.repeat(499)}…`;
  expect([boxes.length, boxes.at(-1)?.means, text.split('\n')[boxes.at(-2)?.line ?? 0]]).toEqual([
    31,
    null,
    `- [ ] 30. ${name}`,
  ]);
  const read = renderQuestion({ ...question, questions: [asked] });
  expect([
    read.split('\n\n').slice(1, 3),
    read.split('\n').filter((line) => line.endsWith(name)),
    read.endsWith('\n\n**2.** Which calendar?'),
  ]).toEqual([
    [`**1.** ${'q'.repeat(7_999)}… (several may be chosen)`, `Why: ${'r'.repeat(999)}…`],
    [`30. ${name}`],
    true,
  ]);
  expect(renderAnswered(question, 'a'.repeat(2_001), null).endsWith(`> ${'a'.repeat(1_999)}…`)).toBe(true);
});

test('names a single option, and needs no sending without options', () => {
  expect(lastLine({ options: options.slice(0, 1) })).toBe(
    `<sub>Tick one, or answer with \`/anode answer 1\`, or just with the number or name of an option. ${who}</sub>`,
  );
  const { text, boxes } = renderQuestionForm(
    { ...asked, question: ' Which? ', multiple: true, questions: [] },
    frame,
  );
  expect([text.split('\n\n').slice(1, -1), boxes]).toEqual([['Which? (several may be chosen)'], []]);
});

test('renders an answer below all its questions', () => {
  const question = { ...asked, options, questions: [{ ...asked, question: 'Since when?' }] };
  expect(renderAnswered(question, ' us ', 'ada')).toBe(
    '**Answered by `ada`.**\n\n**1.** Which calendar?\n\n**2.** Since when?\n\n> **US &lt;!-- x** (`us`)',
  );
});
