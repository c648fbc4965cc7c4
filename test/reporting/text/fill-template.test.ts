import { expect, test } from 'vitest';
import { fillTemplate } from '../../../src/reporting/text/fill-template.ts';

const material = {
  summary: 'Weeks work now.',
  issue: 'Closes #7',
  steps: '- [x] Weeks',
  title: 'Support weeks',
  requester: 'ada',
  run: '[run](https://ci.test/1)',
};
const lines = (...text: string[]): string => text.join('\n');

test('fills description and issue, leaves boxes open, and removes comments', () => {
  const template = lines(
    '<!-- Thanks for the patch! -->',
    '# Description',
    '',
    'Please include a summary of the change.',
    '',
    'Fixes # (issue)',
    '',
    '## Type of change',
    '',
    '- [ ] Bug fix <!-- tick one -->',
    '- [ ] New feature',
    '',
    '# How Has This Been Tested?',
    '',
    '## Related issues',
    '<!-- link them -->',
    '```',
    '# not a heading',
    '```',
  );
  expect(fillTemplate(template, material)).toBe(
    lines(
      '# Description',
      '',
      'Weeks work now.',
      '',
      '## Type of change',
      '',
      '- [ ] Bug fix ',
      '- [ ] New feature',
      '',
      '# How Has This Been Tested?',
      '',
      'Nothing to add.',
      '',
      '## Related issues',
      '',
      'Closes #7',
    ),
  );
});

test('fills placeholders, and puts values without a place around the template', () => {
  expect([
    fillTemplate('What: {{summary}}\n\nFor {{ requester }}, {{unknown}}', material),
    fillTemplate('## Checklist\n\n- [x] I read the rules', material),
    fillTemplate('', material),
    fillTemplate('{{title}} {{issue}} {{steps}} {{run}}', { ...material, title: '$& {{summary}} {{issue}}' }),
  ]).toEqual([
    'What: Weeks work now.\n\nFor ada, {{unknown}}\n\nCloses #7',
    'Weeks work now.\n\n## Checklist\n\n- [x] I read the rules\n\nCloses #7',
    'Weeks work now.\n\nCloses #7',
    'Weeks work now.\n\n$& {{summary}} {{issue}} Closes #7 - [x] Weeks [run](https://ci.test/1)',
  ]);
});

test('disables closing words of the template', () => {
  const template = lines('Closes #123', '- fixes #', 'Resolves acme/shop#9 and closes: #4', 'Fixes #issue');
  expect(fillTemplate(template, { ...material, issue: '' })).toBe(
    lines('Weeks work now.', '', 'Resolves `acme/shop#9` and closes: `#4`'),
  );
});

test('disables closing words that template and text form together', () => {
  const template =
    'Fixes {{title}}, **closed:** {{ summary }}, resolves\n{{issue}} prefix {{run}} fix a {{run}}';
  expect(fillTemplate(template, { ...material, title: 'https://github.com/a/b/issues/1' })).toBe(
    'Fixes\u200b https://github.com/a/b/issues/1, **closed\u200b:** Weeks work now., resolves\nCloses #7 prefix [run](https://ci.test/1) fix a [run](https://ci.test/1)',
  );
});

test.each([
  ...[
    'Related',
    'linked',
    'Fixes',
    'closes',
    'Resolves',
    'Issue',
    'issues',
    'Ticket',
    'Tickets',
    'Reference',
    'REFERENCES',
  ].map((word) => [`## ${word} here`, 'Closes #7'] as const),
  ...[
    'Description',
    'summary',
    'Overview',
    'What',
    'Change',
    'changes',
    'Proposed',
    'About',
    'Motivation',
    'why?',
  ].map((word) => [`# The ${word}`, 'Weeks work now.'] as const),
  ...['Steps', 'Tasks', 'Details', 'implementation', 'notes'].map(
    (word) => [`###### ${word}`, '- [x] Weeks'] as const,
  ),
  ...['Whatever', 'Tissue', 'Unchanged', 'Stepson', 'Checklist', 'task', 'note'].map(
    (word) => [`## ${word}`, 'its own'] as const,
  ),
  ['## Description of the issue', 'Closes #7'],
  ['## Steps of the change', 'Weeks work now.'],
] as const)('Fills the heading %j with %j', (heading, text) => {
  const filled = fillTemplate(`${heading}\n\nits own`, material);
  const at = filled.indexOf(heading);
  expect(filled.slice(at).split('\n\n')[1]).toBe(text);
});

test.each([
  ...[
    '#',
    '# (issue)',
    '`#123`',
    '# <number>',
    '# [issue]',
    '#__',
    '#xxx',
    '#n',
    '#nnnn',
    '#12',
    '#issue',
    '#issue12',
    'issue',
    'issue #',
  ].map((name) => [`Fixes ${name}`, ''] as const),
  ...[
    '- closes: #',
    '* **Resolved** #'.replaceAll('**', ''),
    'CLOSED:#',
    'fixed #',
    'fix#',
    '> resolve : #',
  ].map((line) => [line, ''] as const),
  ['Fixes #nnnnn', 'Fixes #nnnnn'],
  ['Fixes it', 'Fixes it'],
  ['Fixes', 'Fixes'],
  ['A fix #', 'A fix #'],
  ['Fixer #', 'Fixer #'],
  ['Closes #12 soon', 'Closes `#12` soon'],
  ['Closes :  #12 soon', 'Closes :  `#12` soon'],
  ['It closes : a-b/c.d#1, resolves GH-7', 'It closes : `a-b/c.d#1`, resolves `GH-7`'],
  ['Fixed https://a.test/1 now', 'Fixed `https://a.test/1` now'],
  ['unfixed #1 fixes#1', 'unfixed #1 fixes#1'],
] as const)('Disables a template’s line that would close another user’s issue: %j', (line, left) => {
  expect(
    fillTemplate(`## Notes of nobody's\n\nbefore\n${line}\nafter`.replace('Notes', 'Words'), {
      ...material,
      summary: '',
      issue: '',
    }),
  ).toBe(`## Words of nobody's\n\nbefore\n${left}\nafter`);
});

test('fills each part once, leaves boxes in place, and removes long gaps', () => {
  const parts = { ...material, summary: 'a\n\n\n\nb ' };
  expect([
    fillTemplate('## Summary\n\n## Description\nown words', parts),
    fillTemplate('## Summary\n - [x] one\n\n## Issue', parts),
    fillTemplate('before\r\n~~~\r\n## Summary\r\n~~~', parts),
    fillTemplate('```\n## Issue\n```\n  \n', parts),
    fillTemplate('a <!-- b\nc --> d <!-- e', parts),
    fillTemplate('#Summary\n####### Summary\n## \nx', parts),
    fillTemplate('\n \n##  Summary', parts),
    fillTemplate('{{steps}}{{ toString }}', parts),
  ]).toEqual([
    '## Summary\n\na\n\nb\n\n## Description\n\nown words\n\nCloses #7',
    'a\n\nb\n\n## Summary\n\n- [x] one\n\n## Issue\n\nCloses #7',
    'a\n\nb\n\nbefore\n~~~\n## Summary\n~~~\n\nCloses #7',
    'a\n\nb\n\n```\n## Issue\n```\n\nCloses #7',
    'a\n\nb\n\na  d\n\nCloses #7',
    'a\n\nb\n\n#Summary\n####### Summary\n## \nx\n\nCloses #7',
    '##  Summary\n\na\n\nb\n\nCloses #7',
    'a\n\nb\n\n- [x] Weeks{{ toString }}\n\nCloses #7',
  ]);
});

test.each([
  'Close',
  'closes',
  'closed',
  'fix',
  'FIXES',
  'fixed',
  'resolve',
  'resolves',
  'Resolved',
])('closes no issue by %s', (word) => {
  const filled = (template: string) => fillTemplate(template, { ...material, summary: '', issue: '' });
  expect([
    filled(`- ${word} #`),
    filled(`${word} a/b#1`),
    filled(`${word}:\n{{title}} un${word} {{title}}`),
    filled(`${word} {{ issue }}`),
  ]).toEqual(['', `${word} \`a/b#1\``, `${word}\u200b:\nSupport weeks un${word} Support weeks`, word]);
});

test.each(['-', ' *', '\t+'])('Does not replace a list of boxes after "%s"', (sign) => {
  const kept = ['[ ]', '[x]', '[X]'].map((box) => fillTemplate(`## Summary\n\n${sign} ${box} a`, material));
  const taken = ['[-]', '[]', 'a [ ]'].map((box) => fillTemplate(`## Summary\n\n${sign} ${box} a`, material));
  expect([kept.map((text) => text.startsWith('Weeks work now.')), taken]).toEqual([
    [true, true, true],
    taken.map(() => '## Summary\n\nWeeks work now.\n\nCloses #7'),
  ]);
});
