// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's own syntax
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lintWorkflows } from '../../scripts/lint-workflows.ts';
import { eventUse } from '../../src/command-line/doctor-workflow.ts';
import { adaptWorkflow, namedSecrets } from '../../src/workflow-files/adapt-workflow.ts';
import { checkWorkflow } from '../../src/workflow-files/check-workflow.ts';
import { exampleWorkflows } from '../../src/workflow-files/example-workflows.ts';
import { workflowUses } from '../../src/workflow-files/workflow-uses.ts';

const choices = {
  action: 'acme/anode-ci@v1.2.3',
  keyVariable: 'ANTHROPIC_API_KEY',
  model: null,
  builds: [],
  hasAppToken: false,
} as const;
const about = { otherWorkflows: [], signsKeyless: true, eventUse };

test('each use of anode init has an example, and docs/workflows.md names each', async () => {
  const names = Object.keys(workflowUses).toSorted();
  const page = await readFile('docs/workflows.md', 'utf8');
  const rows = [...page.matchAll(/^\| \[`([a-z-]+)`\]\(examples\/([a-z-]+)\.yml\) \|/gm)];
  expect([Object.keys(await exampleWorkflows()), rows.map(([, name]) => name).toSorted()]).toEqual([
    names,
    names,
  ]);
  expect(rows.map(([, name, file]) => name === file)).toEqual(names.map(() => true));
});

test('actionlint and anode doctor find no mistake in an example', async () => {
  expect(await lintWorkflows('docs/examples')).toEqual([]);
  const remarks = Object.entries(await exampleWorkflows()).map(([name, text]) =>
    checkWorkflow(text, name, about),
  );
  expect((await Promise.all(remarks)).flat()).toEqual([]);
});

test.for([
  ['the key of another input', { keyVariable: 'OPENAI_API_KEY', model: 'openai/gpt-5.5' }],
  ['the key as a variable', { keyVariable: 'GROQ_API_KEY', model: 'groq/qwen/qwen3-32b' }],
  ['no key', { keyVariable: null, model: 'ollama/qwen3-coder:30b' }],
  ["the token of an App and others' builds", { hasAppToken: true, builds: ['Build & test', 'lint'] }],
  ['a commit of the Action', { action: `acme/anode-ci/action@${'a'.repeat(40)}` }],
] as const)('an example stays without a mistake with %s', async ([, change]) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-examples-'));
  try {
    const own = { ...choices, ...change };
    for (const [name, text] of Object.entries(await exampleWorkflows())) {
      const adapted = adaptWorkflow(text, own);
      expect([name, await checkWorkflow(adapted, name, about)]).toEqual([name, []]);
      expect([name, adapted.includes('OWNER/')]).toEqual([name, false]);
      await writeFile(path.join(folder, `${name}.yml`), adapted);
    }
    expect(await lintWorkflows(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the model, the key, the token and the builds are at their places', async () => {
  const examples = await exampleWorkflows();
  const groq = {
    ...choices,
    keyVariable: 'GROQ_API_KEY',
    model: 'groq/x',
    hasAppToken: true,
    builds: ['A b'],
  };
  const changed = (name: string) => {
    const before = new Set((examples[name] ?? '').split('\n'));
    return adaptWorkflow(examples[name] ?? '', groq)
      .split('\n')
      .filter((line) => !before.has(line));
  };
  const key = '          GROQ_API_KEY: ${{ secrets.GROQ_API_KEY }}';
  expect({
    ...{ ghes: changed('ghes'), review: changed('review'), build: changed('failed-build') },
    identity: changed('keyless').filter((line) => /^ {6}\S/.test(line)),
    signs: adaptWorkflow(examples.keyless ?? '', groq).includes('\n      id-token: write\n'),
  }).toEqual({
    identity: [
      '      contents: read',
      '      - uses: actions/create-github-app-token@67018539274d69449ef7c02e8e71183d1719ab42 # v2.1.4',
      '      - uses: acme/anode-ci@v1.2.3',
    ],
    signs: true,
    ghes: [
      '      contents: read',
      '      - uses: actions/create-github-app-token@67018539274d69449ef7c02e8e71183d1719ab42 # v2.1.4',
      '        id: app',
      '          app-id: ${{ vars.ANODE_APP_ID }}',
      '          private-key: ${{ secrets.ANODE_APP_KEY }}',
      '      - uses: acme/anode-ci@v1.2.3',
      '          github_token: ${{ steps.app.outputs.token }}',
      '          model: groq/x',
      key,
    ],
    review: ['      - uses: acme/anode-ci@v1.2.3', '          model: groq/x', '        env:', key],
    build: [
      '    workflows: ["A b"]',
      '      - uses: acme/anode-ci@v1.2.3',
      '          model: groq/x',
      '        env:',
      key,
    ],
  });
  expect(namedSecrets(adaptWorkflow(examples.ghes ?? '', groq))).toEqual({
    secrets: ['ANODE_APP_KEY', 'ANODE_STATE_SECRET', 'GROQ_API_KEY'],
    variables: ['ANODE_APP_ID'],
  });
});
