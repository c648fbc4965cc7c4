import { expect, test } from 'vitest';
import { newEditChecks } from '../../../src/checks/linters/edit-checks.ts';
import { verifyChange } from '../../../src/tools/write/verify-change.ts';

const state = (content: string | null) =>
  content === null ? null : { content: Buffer.from(content), mode: 0o644 };
const file = (path: string, before: string | null, after: string | null, oldPath?: string) => ({
  ...{ path, before: state(before), after: state(after) },
  ...(oldPath === undefined ? {} : { oldPath }),
});
const context = () => ({ editChecks: newEditChecks({ verify: true }) }) as never;
async function verify(...files: ReturnType<typeof file>[]) {
  const { notes, data, validation } = await verifyChange(files, context());
  return { notes, data, validation: Object.fromEntries(validation) };
}
const problem = (path: string, line: number, column: number, more: object = {}) => ({
  ...{ path, line, column, severity: 'error', message: "Unexpected token '}'", rule: null },
  ...{ tool: 'json', new: true, ...more },
});
const line = (path: string, place = '1:2') => `${path}:${place} error Unexpected token '}' [json]`;
const half = '[}';

test('a change without faults passes, and files without a parser are not mentioned', async () => {
  expect([
    await verify(file('a.json', '1', '2'), file('b.yml', null, 'a: 1'), file('c.txt', 'a', 'b')),
    await verify(file('c.txt', 'a', 'b')),
    await verify(file('a.json', half, null)),
    await verify(),
  ]).toEqual([
    { notes: [], data: {}, validation: { 'a.json': 'passed', 'b.yml': 'passed' } },
    ...Array.from({ length: 3 }, () => ({ notes: [], data: {}, validation: {} })),
  ]);
});

test('a new fault is reported with the name of the parser', async () => {
  const yaml = await verify(file('a.yml', 'a: 1', 'a: [1'), file('b.yaml', 'a: 1', 'a: [1'));
  const toml = await verify(file('c.toml', 'a = 1', 'a ='), file('Pipfile', 'a = 1', 'a ='));
  const tools = ({ data }: typeof yaml) =>
    (data.problems as { path: string; tool: string }[]).map((one) => `${one.path} ${one.tool}`);
  expect([
    await verify(file('a.json', '[]', half)),
    [...new Set(tools(yaml))],
    [...new Set(tools(toml))],
  ]).toEqual([
    {
      notes: [`This change brought a problem; mend it:\n${line('a.json')}`],
      data: { problems: [problem('a.json', 1, 2)] },
      validation: { 'a.json': 'failed' },
    },
    ['a.yml yaml', 'b.yaml yaml'],
    ['Pipfile toml', 'c.toml toml'],
  ]);
});

test('new problems come first, in their order, and earlier ones are separate', async () => {
  const old = file('a.json', half, '[}\n');
  expect([
    await verify(old),
    await verify(file('c.json', '1', half), file('b.json', '1', '\n[}'), old, file('d.json', '1', '2')),
  ]).toEqual([
    {
      notes: [`Problems that were there before:\n${line('a.json')}`],
      data: { problems: [problem('a.json', 1, 2, { new: false })] },
      validation: { 'a.json': 'failed' },
    },
    {
      notes: [
        [
          'This change brought 2 problems; mend them:',
          ...[line('b.json', '2:2'), line('c.json'), `${line('a.json')} (was there before)`],
        ].join('\n'),
      ],
      data: {
        problems: [
          ...[problem('b.json', 2, 2), problem('c.json', 1, 2)],
          problem('a.json', 1, 2, { new: false }),
        ],
      },
      validation: { 'a.json': 'failed', 'b.json': 'failed', 'c.json': 'failed', 'd.json': 'passed' },
    },
  ]);
});

test('50 files are checked, and 20 problems reported', async () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, index) => file(`${String(index).padStart(2, '0')}.json`, null, half));
  const reported = async (count: number) => {
    const { notes, data, validation } = await verify(...files(count));
    const lines = notes.join().split('\n');
    return [lines.length, lines.at(-1), (data.problems as object[]).length, Object.keys(validation).length];
  };
  expect([await reported(20), await reported(21), await reported(51)]).toEqual([
    [21, line('19.json'), 20, 20],
    [22, '[1 more]', 20, 21],
    [22, '[30 more]', 20, 50],
  ]);
});

test.for([
  ['package.json', undefined, 0],
  ['a/eslint.config.js', undefined, 0],
  ['a.json', '.eslintrc.json', 0],
  ['a.json', undefined, 1],
] as const)('after a change of %s, which was %s, the number of cached facts is %i', async ([
  path,
  oldPath,
  left,
]) => {
  const editChecks = newEditChecks();
  editChecks.memory.markers.set('', Promise.resolve(new Set<string>()));
  editChecks.memory.programs.set('', Promise.resolve([]));
  await verifyChange([file('x.txt', '1', '2'), file(path, '1', '2', oldPath)], { editChecks } as never);
  expect([editChecks.memory.markers.size, editChecks.memory.programs.size]).toEqual([left, left]);
});
