import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { buildBundle, bundles } from '../../scripts/build.ts';
import { root } from './source-tree.ts';

/** Packages that a run must not wait for; a provider's SDK is loaded while the checkout is looked at. */
const heavy = ['@anthropic-ai/sdk', 'openai', 'pg-boss', 'probot', '@octokit/webhooks', 'marked', 'pino'];

/** The Action asks GitHub who started it before anything else; a run on this machine knows no GitHub. */
const heavyFor: Readonly<Record<string, readonly string[]>> = {
  'dist/cli.js': [...heavy, '@octokit/rest'],
  'action/dist/index.js': heavy,
};

test.for(bundles)('$file starts a run without what its first request does not need', async (bundle) => {
  const tooHeavy = heavyFor[`${bundle.folder}/${bundle.file}`];
  const { startPackages, laterBytes } = await buildBundle(bundle, { write: false });
  expect(tooHeavy).toBeDefined();
  expect(startPackages.filter((name) => tooHeavy?.includes(name))).toEqual([]);
  expect(laterBytes).toBeGreaterThan(0);
});

test('the built command line starts from anywhere and explains itself', async () => {
  const cli = built('dist/cli.js');
  const { stdout } = await promisify(execFile)(process.execPath, [cli, '--help'], { cwd: '/', env: {} });
  for (const command of ['run', 'event', 'resume', 'doctor', 'serve'])
    expect(stdout).toContain(`anode ${command}`);
});

test('the built command line is a program', () => {
  expect(readFileSync(built('dist/cli.js'), 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
});

/** A built file; `npm test` builds them before it starts. */
function built(file: string): string {
  if (!existsSync(path.join(root, file))) throw new Error(`${file} is not built. Run: npm run build`);
  return path.join(root, file);
}
