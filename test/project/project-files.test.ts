import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { readSource, root, trackedFiles } from './source-tree.ts';

/** GitHub's syntax for issue forms, as far as these forms use it. */
const IssueForm = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  labels: z.array(z.string()),
  body: z.array(
    z.strictObject({
      type: z.enum(['markdown', 'textarea', 'dropdown']),
      id: z.string().optional(),
      attributes: z.looseObject({ label: z.string().optional(), value: z.string().optional() }),
      validations: z.strictObject({ required: z.boolean() }).optional(),
    }),
  ),
});

test('each issue form is valid for GitHub', () => {
  const forms = trackedFiles().filter((file) => /^\.github\/ISSUE_TEMPLATE\/(?!config)/.test(file));
  expect(forms).toHaveLength(2);
  for (const form of forms) expect(() => IssueForm.parse(parse(readSource(form))), form).not.toThrow();
});

test('each path that needs a maintainer exists', () => {
  const paths = readSource('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line.startsWith('/'));
  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

test('each rule of updates names an existing package', () => {
  const { packageRules } = z
    .object({
      packageRules: z.array(
        z.object({
          matchPackageNames: z.array(z.string()).optional(),
          matchDepNames: z.array(z.string()).optional(),
        }),
      ),
    })
    .parse(JSON.parse(readSource('renovate.json')));
  const manifest = JSON.parse(readSource('package.json'));
  const packages = Object.keys({ ...manifest.devDependencies, ...manifest.optionalDependencies });
  const missing = packageRules
    .flatMap(({ matchPackageNames = [], matchDepNames = [] }) => [...matchPackageNames, ...matchDepNames])
    // `node` is the version in .node-version.
    .filter((name) => name !== 'node' && !packages.some((one) => path.matchesGlob(one, name)));
  expect(missing).toEqual([]);
});
