import { expect, test } from 'vitest';
import { readPluginResult } from '../../../src/extensions/plugin/plugin-tool.ts';
import { createRedactor } from '../../../src/redaction/redact.ts';

test("a plug-in's result contains no secret in its text, its parts or its recorded data", () => {
  const hide = createRedactor(['tok-4711-of-the-plugin']);
  const reported = 'by tok-4711-of-the-plugin';
  const data = { rows: [{ [reported]: reported }, 1, null] };
  const hidden = { rows: [{ 'by [redacted]': 'by [redacted]' }, 1, null] };
  const parts = [{ type: 'text', text: reported }];
  expect([reported, parts].map((content) => readPluginResult({ content, data }, hide))).toEqual([
    { content: 'by [redacted]', data: hidden },
    { content: [{ type: 'text', text: 'by [redacted]' }], data: hidden },
  ]);
});
