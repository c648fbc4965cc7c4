import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  extraTools,
  languageTools,
  remoteAgentTools,
  webTools,
} from '../../src/agent/profiles/builtin-profiles.ts';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import { extensionAliases } from '../../src/tools/registry/extension-aliases.ts';
import { available } from '../sandbox/runner-fixture.ts';
import { cliProgram } from '../support/program-files.ts';
import { agentRows } from './every-tool/agent-rows.ts';
import { aliasChanges, aliasFiles, aliasSteps } from './every-tool/alias-steps.ts';
import {
  type Elsewhere,
  elsewhereSteps,
  programWithPython,
  pythonRows,
  startElsewhere,
} from './every-tool/elsewhere.ts';
import { fileRows } from './every-tool/file-rows.ts';
import { ownSteps } from './every-tool/own-steps.ts';
import { runChildren, runSteps } from './every-tool/run-steps.ts';
import { threadTools } from './every-tool/thread-tools.ts';
import { type HandRow, type RunStep, step } from './every-tool/tool-row.ts';
import { openToolWorld, type ToolWorld } from './every-tool/tool-world.ts';

let world: ToolWorld;
let elsewhere: Elsewhere;
beforeAll(async () => {
  world = await openToolWorld();
  elsewhere = await startElsewhere();
});
afterAll(async () => {
  await elsewhere.close();
  await world.close();
});

const handRows: Readonly<Record<string, HandRow>> = { ...fileRows, ...agentRows };
const ended = (row: HandRow) => ({
  ...{ code: 0, ok: true, error: undefined },
  content: row.content,
  changed: row.changed ?? {},
});
const contentsOf = (steps: readonly RunStep[]) => steps.map(({ content }) => content);

test.concurrent.each(Object.entries(handRows))('%s is called directly', async (name, row) => {
  if (row.child !== undefined) world.local.learn(row.child.words, row.child.part);
  expect(await world.byHand(name, row, await world.copyOf(name))).toEqual(ended(row));
});

test.concurrent('tools that need a run are called in one, and later calls find the question', async () => {
  for (const [words, part] of Object.entries(runChildren)) world.local.learn(words, part);
  const folder = await world.copyOf('run');
  const { code, said, report, changed } = await world.inRun('THE-RUN', runSteps, folder, {
    args: ['--profile', 'study'],
  });
  // The last call ends the run, so no one receives its result.
  expect({ code, said, answer: report.answer, changed }).toEqual({
    ...{ code: 0, said: contentsOf(runSteps.slice(0, -1)), changed: {} },
    answer: 'Prices add up.\n',
  });
  const find = { input: { query: 'THE-RUN' }, content: expect.stringContaining(String(report.session_id)) };
  expect(await world.byHand('find_thread', find, folder)).toEqual(ended(find));
  const read = {
    input: { thread_id: String(report.run_id), max_messages: 5 },
    content: expect.stringContaining('is now the message of this run'),
  };
  expect(await world.byHand('read_thread', read, folder)).toEqual(ended(read));
});

test.concurrent("tools for a run's own files and for drawings are called in one", async () => {
  const every = { profiles: { every: { extends: 'study', allow: ['*'] } } };
  const folder = await world.copyOf('own', { 'ci/anode.json': JSON.stringify(every) });
  const { said, changed } = await world.inRun('ITS-OWN', ownSteps, folder, {
    args: ['--config', 'ci/anode.json', '--profile', 'every'],
  });
  expect({ said, changed }).toEqual({ said: contentsOf(ownSteps), changed: {} });
});

test.skipIf(!available).concurrent('extension tools are called in one', async () => {
  const folder = await world.copyOf('elsewhere', elsewhere.files);
  const { said, changed } = await world.inRun('ELSEWHERE', elsewhereSteps, folder, {
    args: ['--config', '.github/anode.yml', '--sandbox', 'required'],
    environment: elsewhere.environment,
  });
  expect({ said, changed }).toEqual({
    said: contentsOf(elsewhereSteps),
    changed: { 'data.csv': 'a,b\n1,2\n' },
  });
});

test
  .skipIf(!available || cliProgram !== 'dist/cli.js')
  .concurrent('Python is called where its package is installed beside the program', async () => {
    const folder = await world.copyOf('python');
    const program = await programWithPython(`${folder}-program`);
    for (const [name, row] of Object.entries(pythonRows))
      expect(await world.byHand(name, row, folder, { program })).toEqual(ended(row));
  });

test.concurrent('a request for permissions waits for a person', async () => {
  const folder = await world.copyOf('asks', { 'ci/anode.yml': 'permissions: { onAsk: comment }\n' });
  const asks = [step('request_permissions', { tools: ['bash'], reason: 'To build.' }, null)];
  const { code, report } = await world.inRun('ASKS-FIRST', asks, folder, {
    args: ['--config', 'ci/anode.yml', '--preset', 'careful'],
  });
  expect({ code, asked: report.pending_approval }).toEqual({
    code: 4,
    asked: expect.objectContaining({
      ...{ tool: 'request_permissions', reason: 'To build.' },
      permissions: [{ tool: 'bash', action: 'allow' }],
    }),
  });
});

test.concurrent('every other name of a tool works as models trained elsewhere call it', async () => {
  world.local.learn('CHILD-ALIAS', () => ({ text: 'Looked.' }));
  const folder = await world.copyOf('names', aliasFiles);
  const { said, changed } = await world.inRun('OTHER-NAMES', aliasSteps, folder);
  expect({ said, changed }).toEqual({ said: contentsOf(aliasSteps), changed: aliasChanges });
});

test('each name of each tool has a call here or in the table of the verbs', () => {
  const builtin = builtinTools.flatMap(({ name, aliases }) => [name, ...Object.keys(aliases ?? {})]);
  const optional = [...webTools, ...languageTools, ...remoteAgentTools, ...extraTools];
  const otherNames = Object.values(extensionAliases).flatMap((aliases) => Object.keys(aliases));
  const steps = [...runSteps, ...ownSteps, ...elsewhereSteps, ...aliasSteps].map(({ name }) => name);
  const called = [
    ...Object.keys({ ...handRows, ...pythonRows }),
    ...steps.filter((name) => !/^(?:tb|mcp|plugin)__/.test(name)),
    // A child of the run calls the first; the next three stand above.
    ...['task.return', 'request_permissions', 'find_thread', 'read_thread', ...threadTools],
  ];
  expect(new Set(called)).toEqual(new Set([...builtin, ...optional, ...otherNames]));
  const kinds = ['tb__', 'mcp__', 'plugin__'];
  expect(kinds.filter((kind) => !steps.some((name) => name.startsWith(kind)))).toEqual([]);
});
