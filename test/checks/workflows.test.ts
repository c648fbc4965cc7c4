import { expect, test } from 'vitest';
import { findWorkflowChanges } from '../../src/checks/workflows.ts';
import { brief } from './brief.ts';
import { diffOf, type Tree } from './diff-fixture.ts';

const file = '.github/workflows/ci.yml';
const found = async (before: Tree, after: Tree) =>
  brief((await Promise.all((await diffOf(before, after)).files.map(findWorkflowChanges))).flat());

/** An expression of a workflow. */
const value = (name: string) => `\${{ ${name} }}`;

const workflow = (lines: { on?: string; permissions?: string; job?: string; steps?: string }) =>
  `on: ${lines.on ?? 'push'}\npermissions: ${lines.permissions ?? '{ contents: read }'}\njobs:\n  test:\n    runs-on: ubuntu-latest\n${lines.job ?? ''}    steps:\n      - uses: actions/checkout@v6\n${lines.steps ?? ''}`;

test("a new trigger with the base's rights for strangers is reported if it checks out their code", async () => {
  const steps = `        with:\n          ref: ${value('github.event.pull_request.head.sha')}\n`;
  expect(
    await found({ [file]: workflow({}) }, { [file]: workflow({ on: '[push, pull_request_target]', steps }) }),
  ).toEqual([
    `${file}:1 high The workflow now starts on pull_request_target`,
    `${file}:7 critical The head of a pull request is checked out with the rights of the base`,
  ]);
});

test('permissions that grow or are no longer stated are reported; those that shrink are not', async () => {
  const grown = workflow({ permissions: '{ contents: write, issues: write }' });
  const job = '    permissions: write-all\n';
  const unsaid = workflow({}).replace(/permissions: .*\n/, '');
  expect([
    await found({ [file]: workflow({}) }, { [file]: grown }),
    await found({ [file]: workflow({}) }, { [file]: workflow({ job }) }),
    await found({ [file]: grown }, { [file]: workflow({}) }),
    await found({ [file]: workflow({}) }, { [file]: unsaid }),
    await found({}, { [file]: grown }),
  ]).toEqual([
    [`${file}:2 high The token may now do more: contents: write, issues: write`],
    [`${file}:6 high The token may now do more: write-all`],
    [],
    [`${file}:1 medium Permissions are no longer stated`],
    [`${file}:2 medium The token may now do more: contents: write, issues: write`],
  ]);
});

test('third-party actions must be pinned, and values of strangers must not be in scripts', async () => {
  const steps = [
    '      - uses: evil/action@v1',
    `      - uses: good/action@${'a'.repeat(40)}`,
    '      - uses: ./local',
    '      - uses: docker://alpine:3',
    `      - run: echo "${value('github.event.issue.title')} ${value('github.event.pull_request.number')}"`,
    '      - uses: actions/github-script@v8',
    '        with:',
    `          script: console.log("${value('github.head_ref')}")`,
    '      - run: echo "$TITLE"',
    '        env:',
    `          TITLE: ${value('github.event.issue.title')}`,
    '',
  ].join('\n');
  expect(await found({ [file]: workflow({}) }, { [file]: workflow({ steps }) })).toEqual([
    `${file}:8 medium An action of others is not pinned`,
    `${file}:11 medium An action of others is not pinned`,
    `${file}:12 high A value of strangers becomes part of a script`,
    `${file}:13 high A value of strangers becomes part of a script`,
  ]);
  const action = { 'action.yml': `runs:\n  using: composite\n  steps:\n    - uses: evil/action@main\n` };
  expect(await found({}, action)).toEqual(['action.yml:4 medium An action of others is not pinned']);
});

test('old text, other files and unreadable workflows are ignored', async () => {
  const bad = workflow({ on: 'pull_request_target', steps: '      - uses: evil/action@v1\n' });
  const bomb = `a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n${'d: [*c,*c,*c,*c]\n'.repeat(40)}`;
  expect(
    await found(
      { [file]: bad },
      {
        [file]: `# a comment\n${bad}`,
        'docs/ci.yml': bad,
        '.github/workflows/x.yml': 'on: [',
        '.github/workflows/y.yml': bomb,
      },
    ),
  ).toEqual([]);
});
