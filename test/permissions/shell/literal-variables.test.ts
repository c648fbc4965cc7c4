import { expect, it } from 'vitest';
import type { Rule } from '../../../src/contract/rules.ts';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { bashCall, decided } from '../gate-fixtures.ts';

it.each([
  'F=AGENTS.md; echo x > $F',
  'F=AGENTS.md; echo x >> "$F"',
  'd=.github; d+=/workflows; echo x > "$d"/ci.yml',
  'd=.github/workflows f=$d/ci.yml; cp a "$f"',
  'for f in .github/workflows/*.yml; do sed -i s/a/b/ $f; done',
  'for f in a.md CLAUDE.md; do perl -pi -e s/a/b/ "$f"; done',
  'export F=AGENTS.md && tee $F < a',
  "F=AGENTS.md bash -c 'echo x > $F'",
  'sed -i s/a/b/ .github/workflows/*.yml',
  'F=AGENTS.md; f() { echo x > "$F"; }; f',
])('%s is refused, because its output is literal', (command) => {
  expect(decided(bashCall(command), { preset: 'unrestricted' })).toMatchObject({
    action: 'reject',
    hard: true,
  });
});

it('restricting rules match possible values of computed words, while allowing rules do not', () => {
  const rule = (action: Rule['action'], matches: Rule['matches']): Rule => ({
    tool: 'bash',
    action,
    matches,
  });
  const by = (command: string, ...rules: Rule[]) =>
    decided(bashCall(command), { preset: rules[0]?.action === 'allow' ? 'strict' : 'unrestricted', rules })
      .action;
  const history = rule('reject', { path: 'History.md' });
  const publish = rule('ask', { command: 'npm publish*' });
  expect([
    by('F=History.md; echo x >> $F', history),
    by('F=History.md; cp a $F', history),
    by('F=other.md; echo x >> $F', history),
    by('s=publish; npm $s', publish),
    by('n=npm; $n publish', publish),
    by('s=test; npm $s', rule('allow', { command: 'npm test' })),
    by('F=a.md; echo x > $F', rule('allow', { command: 'echo *' }), rule('allow', { path: 'a.md' })),
  ]).toEqual(['reject', 'reject', 'allow', 'ask', 'ask', 'ask', 'ask']);
});

it('unknown parts do not count as known', () => {
  const action = (command: string) => decided(bashCall(command)).action;
  expect([
    action('F=$(mktemp); npm test > $F'),
    action('for i in 1 2; do echo $i > out-$i.txt; done'),
    action('F=notes.txt; echo x > "$F"'),
  ]).toEqual(['allow', 'allow', 'allow']);
});

it.each([
  ['deep', `echo ${'$('.repeat(5_000)}`],
  ['wide', 'f=x true;'.repeat(5_000)],
])('a script of %s alone is evaluated like any other', (_, script) => {
  expect(analyseScript(script).commands.length).toBeGreaterThan(0);
});
