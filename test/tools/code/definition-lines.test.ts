import { afterEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
afterEach(() => tools.close());

const files = {
  'a.ts':
    'const text = "class Job {}";\nclass Job {\n  jobs = 0;\n  run(job: Job) {\n    const jobless = 1;\n  }\n}\n',
  'b.py': 'def JOB(): pass\n',
  'c.kt': 'class JobRunner {\n',
  'broken.js': 'job ((\nfunction job() {\n',
  'page.min.js': 'function job(){}',
  'notes.md': 'class Job\n',
};

test('finder finds symbols by syntax, or by regular expression without a grammar', async () => {
  tools = await openTools(files);
  expect((await tools.say('finder', { mode: 'symbols', query: 'job' })).split('\n')).toEqual([
    'a.ts:2:class Job {',
    'a.ts:3:  jobs = 0;',
    'b.py:1:def JOB(): pass',
    'broken.js:2:function job() {',
    'c.kt:1:class JobRunner {',
    'notes.md:1:class Job',
    'page.min.js:1:function job(){}',
  ]);
});

test('finder uses regular expressions if the question is no name or the parser is missing', async () => {
  tools = await openTools(files);
  Object.assign(tools.context, { syntax: { analyse: async () => null, close: async () => undefined } });
  expect(await tools.say('finder', { mode: 'symbols', query: 'JobRunner' })).toBe('c.kt:1:class JobRunner {');
  expect(await tools.say('finder', { mode: 'symbols', query: 'Job', glob: '*.ts' })).toBe(
    'a.ts:1:const text = "class Job {}";\na.ts:2:class Job {\na.ts:5:    const jobless = 1;',
  );
});
