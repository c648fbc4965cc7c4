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

test('A usual template gets its description and its issue; boxes stay open and instructions in comments go.', () => {
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

test('Placeholders are filled where a template has any, and what it names nowhere stands around it.', () => {
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

test('Nothing that a template says closes an issue.', () => {
  const template = lines('Closes #123', '- fixes #', 'Resolves acme/shop#9 and closes: #4', 'Fixes #issue');
  expect(fillTemplate(template, { ...material, issue: '' })).toBe(
    lines('Weeks work now.', '', 'Resolves `acme/shop#9` and closes: `#4`'),
  );
});
