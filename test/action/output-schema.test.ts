import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

const schema = JSON.stringify({
  type: 'object',
  properties: { colour: { enum: ['red', 'blue'] }, count: { type: 'integer', minimum: 1 } },
  required: ['colour', 'count'],
  additionalProperties: false,
});

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'colour.txt': 'red\n', 'ci/answer.json': schema, '.github/anode.yml': 'sandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  await shop.commit('main', { files: { 'pushed.txt': 'x\n' }, message: 'Push', author: 'ada' });
});
afterAll(() => job.close());

/** A step whose model gives these answers in turn, and what it was told between them. */
async function ask(task: string, answers: readonly string[], outputSchema: string, checkout?: string) {
  job.learn(task, (turn) => ({ text: answers[turn - 1] ?? 'There is no other answer.' }));
  const step = await job.run(shop, {
    ...{ event: 'push', actor: 'ada' },
    inputs: { prompt: task, output_schema: outputSchema },
    ...(checkout === undefined ? {} : { branch: checkout }),
  });
  const told = job.requestsFor(task).map((request) => JSON.stringify(request));
  return { ...step, told };
}

test('the answer by the schema is the output, and the model knows the schema from the start', async () => {
  const { code, outputs, told } = await ask('count the red', ['{"colour":"red","count":1}'], schema);
  expect([code, outputs.conclusion, outputs.structured_output]).toEqual([
    0,
    'success',
    '{"colour":"red","count":1}',
  ]);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('valid by this JSON Schema');
});

test('a wrong answer is asked for again with what is wrong, by a schema of the default branch', async () => {
  const answers = [
    'Red, I think.',
    '{"colour":"green","count":0}',
    '```json\n{"colour":"blue","count":2}\n```',
  ];
  const { code, outputs, told } = await ask('count them again', answers, 'ci/answer.json');
  expect([code, outputs.structured_output, told.length]).toEqual([0, '{"colour":"blue","count":2}', 3]);
  expect(told[1]).toContain('It is not JSON.');
  expect(told[2]).toMatch(/Its problems by the schema: colour: [^;]*; count: /);
});

test('the run fails after the fourth wrong answer, and says what was wrong', async () => {
  const { code, outputs, told } = await ask('count them in vain', [], schema);
  expect([code, outputs.conclusion, outputs.structured_output, told.length]).toEqual([1, 'failure', '', 4]);
});

test('a schema of the checkout does not count', async () => {
  await shop.commit('head', { files: { 'ci/own.json': '{}' }, message: 'Own', author: 'ada' });
  const { code, stdout, told } = await ask('count by your own', [], 'ci/own.json', 'head');
  expect([code, told.length]).toEqual([1, 0]);
  expect(stdout).toContain('The input output_schema: the branch main has no file ci/own.json.');
});

test.each([
  ['{"type": "object"', 'output_schema is no JSON Schema: '],
  ['{"type":"string","pattern":"(a+)+$"}', 'output_schema cannot be checked: pattern is not supported.'],
  ['{"type":"strnig"}', 'output_schema cannot be checked: '],
])('a schema that cannot be used starts nothing: %s', async (given, message) => {
  const { code, stdout, told } = await ask(`count by ${given.length}`, [], given);
  expect([code, told.length]).toEqual([1, 0]);
  expect(stdout).toContain(message);
});

test('an absolute path outside the checkout is a file of an earlier step', async () => {
  const folder = await job.stateFolder();
  await writeFile(path.join(folder, 'schema.json'), schema);
  const { outputs } = await ask(
    'count for the file',
    ['{"colour":"red","count":3}'],
    `${folder}/schema.json`,
  );
  expect(outputs.structured_output).toBe('{"colour":"red","count":3}');
});
