import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { bundles } from '../../scripts/build.ts';
import { knownKeys } from '../../src/config/parse-config.ts';
import { Config } from '../../src/config/schema.ts';
import { actionInputs } from '../../src/contract/action-inputs.ts';
import { actionOutputs } from '../../src/contract/action-outputs.ts';
import { foreignActions } from '../../src/contract/foreign-inputs.ts';
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

test('the Action has the inputs and outputs of the table', () => {
  expect(Object.keys(action.inputs)).toEqual(Object.keys(actionInputs));
  expect(Object.keys(action.outputs)).toEqual([...actionOutputs]);
});

test('every configuration key of an input exists', () => {
  const keys = Object.values(actionInputs).flatMap(({ key }) => (key === undefined ? [] : [key.split('.')]));
  expect(keys.filter((path) => !knownKeys(Config, path.slice(0, -1)).includes(path.at(-1) ?? ''))).toEqual(
    [],
  );
});

/** The rows of a table of docs/action.md, by their first cell, which is code. */
function rowsBelow(heading: string, columns: number): string[][] {
  const text =
    readSource('docs/action.md')
      .split(`\n${heading}\n`)[1]
      ?.split(/\n#{2,3} /)[0] ?? '';
  return [...text.matchAll(/^\| `(.*) \|$/gm)]
    .map(([, row = '']) => row.replaceAll('`', '').split(' | '))
    .filter((cells) => cells.length === columns)
    .map((cells) => cells.map((cell) => cell.trim()));
}

test('docs/action.md lists the inputs, their ways and keys, and the outputs with their descriptions', () => {
  const ways: Readonly<Record<string, string>> = {
    event: 'without a prompt',
    task: 'with a prompt',
    'task,pull': 'with a prompt',
    'event,pull': 'without a prompt, or with create_pull_request',
  };
  expect(rowsBelow('## Inputs', 4).map(([name, , way, key]) => [name, way, key])).toEqual(
    Object.entries(actionInputs)
      .filter(([, { replacedBy }]) => replacedBy === undefined)
      .map(([name, { only, key = '' }]) => [name, only === undefined ? '' : ways[only.join()], key]),
  );
  expect(rowsBelow('## Outputs', 2)).toEqual(
    actionOutputs.map((name) => [name, action.outputs[name]?.description]),
  );
});

test('docs/action.md maps the inputs and outputs of other actions to ours', () => {
  for (const { uses, inputs, outputs } of foreignActions) {
    expect(rowsBelow(`### \`${uses}\``, 3)).toEqual(
      Object.entries(inputs).map(([name, { ours, note = '' }]) => [
        name,
        ours ?? '',
        note.replaceAll('`', ''),
      ]),
    );
    expect(rowsBelow(`### \`${uses}\``, 2)).toEqual(
      Object.entries(outputs).map(([name, ours]) => [name, ours ?? '']),
    );
  }
});

test('every counterpart of another action exists, and everything without one says what to do', () => {
  const targets = foreignActions.flatMap(({ inputs, outputs }) => [
    ...Object.values(inputs).flatMap(({ ours }) => (ours === null ? [] : [ours in actionInputs])),
    ...Object.values(outputs).map((ours) => ours === null || actionOutputs.some((name) => name === ours)),
  ]);
  expect(new Set(targets)).toEqual(new Set([true]));
  const silent = foreignActions.flatMap(({ inputs }) =>
    Object.values(inputs).filter(({ ours, note }) => ours === null && note === undefined),
  );
  expect(silent).toEqual([]);
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
