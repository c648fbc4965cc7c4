import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { bundles } from '../../scripts/build.ts';
import { readSource, root } from './source-tree.ts';

const snakeCase = z.string().regex(/^[a-z]+(_[a-z]+)*$/);

/** GitHub's metadata syntax for a JavaScript action, as far as this action uses it. */
const ActionMetadata = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1).max(125),
  author: z.string().min(1),
  branding: z.strictObject({ icon: z.string(), color: z.string() }),
  inputs: z.record(
    snakeCase,
    z.strictObject({
      description: z.string().min(1),
      required: z.literal(false),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(snakeCase, z.strictObject({ description: z.string().min(1) })),
  runs: z.strictObject({
    using: z.literal('node24'),
    main: z.string(),
    post: z.literal('dist/post.js'),
  }),
});
const action = ActionMetadata.parse(parse(readSource('action/action.yml')));

test('the Action starts the bundle that the build makes', () => {
  const built = bundles.map((bundle) => path.join(root, bundle.folder, bundle.file));
  expect(built).toContain(path.join(root, 'action', action.runs.main));
});

test('the Action has no default that would override the configuration', () => {
  const defaults = Object.entries(action.inputs).filter(([, input]) => input.default !== undefined);
  expect(Object.fromEntries(defaults.map(([name, input]) => [name, input.default]))).toEqual({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: GitHub's own syntax
    github_token: '${{ github.token }}',
  });
});

test('the Action gives its results under their documented names', () => {
  expect(Object.keys(action.outputs).sort()).toEqual([
    'answer',
    'branch_name',
    'conclusion',
    'execution_file',
    'pull_request',
    'report_file',
    'run_id',
    'sarif_file',
    'session_id',
    'structured_output',
  ]);
});

const appText = readSource('app.yml');

test('the App requests the smallest permissions that work', () => {
  expect(parse(appText)).toEqual({
    name: 'Anode CI',
    description: expect.any(String),
    url: expect.stringMatching(/^https:/),
    public: false,
    default_permissions: { metadata: 'read', contents: 'write', issues: 'write', pull_requests: 'write' },
    default_events: [
      'issue_comment',
      'pull_request',
      'pull_request_review',
      'pull_request_review_comment',
      'issues',
      'repository',
    ],
  });
});

test('each permission of the App has a reason', () => {
  const lines = appText.split('\n');
  const permissions = lines.flatMap((line, index) => (/^ {2}\w+: (read|write)$/.test(line) ? [index] : []));
  expect(permissions).toHaveLength(4);
  expect(permissions.filter((index) => !/^ {2}# \S/.test(lines[index - 1] ?? ''))).toEqual([]);
});
