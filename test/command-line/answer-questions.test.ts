import { expect, test } from 'vitest';
import { answerQuestions } from '../../src/command-line/answer-questions.ts';
import type { Question } from '../../src/contract/run-results.ts';

const licence = {
  question: 'Which licence?',
  topic: 'licence',
  options: [
    { id: 'mit', label: 'MIT' },
    { id: 'apache', label: 'Apache 2.0' },
  ],
  allow_freeform: false,
  required: true,
};
const name = { question: 'What is it called?', options: [], allow_freeform: true, required: false };
const targets = {
  question: 'Which targets?',
  options: [
    { id: 'linux', label: 'Linux' },
    { id: 'mac', label: 'macOS' },
  ],
  ...{ allow_freeform: false, required: false, multiple: true, default: 'linux' },
};
const one = (question: Omit<Question, 'questions'>): Question => ({ ...question, questions: [] });
const three: Question = { ...licence, questions: [name, targets] };

const answer = (question: Question, text: string, named: readonly string[] = []) =>
  answerQuestions(question, { text, named }, null);

test('an option is accepted by id, label or number, and no text gives the default', async () => {
  expect([
    await answer(one(licence), 'MIT'),
    await answer(one(licence), '2'),
    await answer(one(licence), '', ['licence=apache 2.0']),
    await answer(one(targets), ''),
    await answer(one(targets), 'mac, 1'),
    await answer(one(name), 'Nightjar'),
  ]).toEqual(['mit', 'apache', 'apache', 'linux', 'mac (macOS), linux (Linux)', 'Nightjar']);
});

test('several questions are answered by key, by number or by line', async () => {
  const whole = [
    '1. Which licence? mit (MIT)',
    '2. What is it called? Nightjar',
    '3. Which targets? mac (macOS)',
  ];
  expect([
    await answer(three, '', ['licence=mit', '2=Nightjar', '3=mac']),
    await answer(three, 'mit\nNightjar\nmac'),
    await answer(three, '', ['1=mit']),
  ]).toEqual([
    whole.join('\n'),
    whole.join('\n'),
    '1. Which licence? mit (MIT)\n2. What is it called? no answer\n3. Which targets? linux (Linux)',
  ]);
});

test.each<[why: string, question: Question, text: string, named: readonly string[], told: string]>([
  [
    'an answer that is none of the options',
    one(licence),
    'GPL',
    [],
    '"GPL" is no answer to licence: Which licence?\nIt takes mit, apache.',
  ],
  [
    'two options where one may be chosen',
    one(licence),
    'mit, apache',
    [],
    '"mit, apache" is no answer to licence: Which licence?\nIt takes mit, apache.',
  ],
  [
    'one of several that is not allowed',
    three,
    '',
    ['licence=mit', '3=windows'],
    '"windows" is no answer to 3: Which targets?\nIt takes linux, mac (several with commas).',
  ],
  [
    'one text for several questions',
    three,
    'mit',
    [],
    'it asks 3 questions. Answer each:\n  --answer licence=…   mit, apache\n  --answer 2=…   an answer\n  --answer 3=…   linux, mac (several with commas); default linux',
  ],
  [
    'a required question without an answer',
    three,
    '',
    ['2=Nightjar'],
    'Which licence? has no answer. Answer each:\n  --answer licence=…   mit, apache\n  --answer 2=…   an answer\n  --answer 3=…   linux, mac (several with commas); default linux',
  ],
  [
    'nothing for the only question',
    one(name),
    '',
    [],
    'What is it called? has no answer. It takes an answer.',
  ],
  [
    'an unknown key',
    three,
    '',
    ['license=mit'],
    '--answer takes key=value, not "license=mit". The keys: licence, 2, 3.',
  ],
  ['a key given twice', three, '', ['1=mit', 'licence=mit'], '--answer licence is given twice.'],
  [
    'both forms at once',
    three,
    'mit',
    ['1=mit'],
    'it takes an answer behind the run, or --answer, but not both.',
  ],
])('refuses %s, and lists what is allowed', async (_, question, text, named, told) => {
  await expect(answer(question, text, named)).rejects.toThrow(
    `anode resume: ${told}\nHelp: anode help resume`,
  );
});

test('at a terminal it asks for missing answers until they are allowed', async () => {
  const lines = ['gpl', 'mit', ''];
  let shown = '';
  const terminal = {
    readLine: async () => lines.shift() ?? null,
    writeError: (text: string) => {
      shown += text;
    },
  };
  const given = { text: '', named: ['2=Nightjar'] };
  expect([await answerQuestions(three, given, terminal), shown]).toEqual([
    '1. Which licence? mit (MIT)\n2. What is it called? Nightjar\n3. Which targets? linux (Linux)',
    [
      'Which licence?',
      '  1. MIT (mit)',
      '  2. Apache 2.0 (apache)',
      '  (it has to be answered)',
      'Give mit, apache.',
      'Which targets?',
      '  1. Linux (linux) [default]',
      '  2. macOS (mac)',
      '  (several may be chosen, with commas)',
      '',
    ].join('\n'),
  ]);
});
