import { describe, expect, it } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { writtenFiles } from '../../../src/permissions/shell/written-paths.ts';
import { bashCall, decided } from '../gate-fixtures.ts';

const written = (script: string) =>
  analyseScript(script)
    .commands.flatMap(writtenFiles)
    .flatMap(({ paths }) => paths ?? ['?']);

describe('the files that a command writes by its arguments', () => {
  it.each<[string, string[]]>([
    ['tee -a a b', ['a', 'b']],
    ['dd if=a of=b bs=1', ['b']],
    ['cp -r a b c', ['c', 'c/a', 'c/b']],
    ['cp -t d a', ['d', 'd/a']],
    ['cp --target-directory=d x/a', ['d', 'd/a']],
    ['mv a b', ['a', 'b']],
    ['install -m 755 a b', ['b', 'b/755', 'b/a']],
    ['ln -s a b', ['b', 'b/a']],
    ['ln -s x/a', ['a']],
    ['rsync -a a/ b', ['b', 'b/a']],
    ['sed -i s/a/b/ f g', ['f', 'g']],
    ["sed -n -e '/a/w o' f", ['o']],
    ['sed s/a/b/ f', []],
    ['awk \'{print > "o"}\' f', ['o']],
    ['sort -uo a b', ['a']],
    ['find . -fprint a', ['a']],
    ['git diff --output=a', ['a']],
    ['git checkout main -- a', ['main', 'a']],
    ['git restore a', ['a']],
    ['find . -exec touch a ;', ['a']],
    ['find . -execdir touch a ;', ['?']],
    ['find . -okdir touch a ;', ['?']],
    ['perl -pi -e s/a/b/ f', ['s/a/b/', 'f']],
    ['perl -ne 1 f', []],
    ['curl -so a u', ['a']],
    ['wget -O a u', ['a']],
    ['tar -xf a -C d', ['a', 'd']],
    ['/usr/bin/time -o a ls', ['a']],
    ['cd d; touch a', ['a', 'd/a']],
    ['tee "$x" /t', ['?', '/t']],
    ['sudo tee a', ['a']],
    ['cat a', []],
  ])('%s', (script, paths) => {
    expect(written(script)).toEqual(paths);
  });

  it.each([
    ...[
      'echo x > .github/workflows/ci.yml',
      'cp a .github/workflows/',
      'cp -r workflows .github',
      'mv .git g',
    ],
    ...['dd if=a of=.git/config', 'tee .git/hooks/pre-commit', 'ln -s /tmp/x .husky', 'sort -o AGENTS.md a'],
    ...[
      'sed -i s/a/b/ CLAUDE.md',
      "sed 'w .git/hooks/x' a",
      'curl -o .mcp.json u',
      'cd .github && touch CODEOWNERS',
    ],
    ...[
      'find . -fprint .git/x',
      'git log --output=.git/hooks/x',
      "bash -c 'rm .github/workflows/a'",
      'rsync a .git/',
    ],
    ...[
      'tar -xf a -C .git',
      'install a .githooks/x',
      'awk \'{print > ".git/x"}\'',
      'echo >> ./.github/../.git/config',
    ],
  ])('%s is refused, whatever is allowed', (script) => {
    const rules = [{ tool: '*', action: 'allow' as const }];
    const { action, hard } = decided(bashCall(script), { preset: 'unrestricted', rules });
    expect({ action, hard }).toEqual({ action: 'reject', hard: true });
  });

  it.each([
    'cp .github/workflows/ci.yml /tmp/x',
    'cat AGENTS.md',
    'diff .github/workflows/a b',
    'sed -n p CLAUDE.md',
  ])('%s only reads what is protected', (script) => {
    expect(decided(bashCall(script)).action).toBe('allow');
  });

  it('may be held back by a rule about paths', () => {
    const rules = [{ tool: 'bash', matches: { path: 'docs/**' }, action: 'reject' as const }];
    const actions = ['cp a docs/b', 'echo > docs/b', 'sed -i p docs/b', 'cp docs/b a'].map(
      (script) => decided(bashCall(script), { rules }).action,
    );
    expect(actions).toEqual(['reject', 'reject', 'reject', 'allow']);
  });
});
