// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's own syntax
import { expect, test } from 'vitest';
import { checkWorkflow } from '../../src/workflow-files/check-workflow.ts';
import { about, remarks, swap } from './support/clean-workflow.ts';

test.for([
  ['          presets: strict', 'preset: strict'],
  ['          preset: carefull', 'preset: careful'],
  ["          checks_only: 'yes'", 'checks_only: true'],
  ['          mode: reviw', 'mode: review'],
  ['          output_schema: x.json', 'Remove the line of output_schema.'],
  ['          max_turns: 0', 'Correct the line of max_turns. docs/action.md has the table of inputs.'],
  ['          state_secret: short', 'state_secret: ${{ secrets.ANODE_STATE_SECRET }}'],
] as const)('%s gets the line to write', async ([line, right]) => {
  const text = swap('          timeout_minutes: 25', `          timeout_minutes: 25\n${line}`);
  const found = await checkWorkflow(text, 'a.yml', about);
  expect(found.flatMap(({ line: at, write }) => (at === 27 ? write : []))).toContain(right);
});

test.for([
  ['a variable of the step', 'GROQ_API_KEY: ${{ secrets.GROQ_API_KEY }}', ''],
  ['an endpoint', '', '          base_url: http://127.0.0.1:11434/v1\n'],
  ['a provider that may need none', '', '          model: ollama/qwen3-coder\n'],
  ['checks alone', '', "          checks_only: 'true'\n"],
  ['a job that publishes', '', '          job: publish\n'],
] as const)('a step without a key input has no remark with %s', async ([, variable, input]) => {
  const text = swap('          anthropic_api_key: ${{ secrets.ANTHROPIC_API_KEY }}\n', input);
  const own =
    variable === ''
      ? text
      : text.replace(
          '        with:\n          timeout',
          `        env: { ${variable.replace(': ', ': "')}" }\n        with:\n          timeout`,
        );
  expect(await remarks(own)).toEqual([]);
});
