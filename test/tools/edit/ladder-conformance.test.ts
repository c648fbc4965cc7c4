import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { openTools, type ToolHarness } from '../tool-harness.ts';

/**
 * Rows that come out otherwise here than with others, each with its reason. A row that is listed and passes fails
 * the test, as one that fails and is not listed does.
 */
const otherwise: Readonly<Record<number, string>> = {};

const file = path.join(import.meta.dirname, '../../fixtures/patch-cases/edit-ladder.json');
const rows = z
  .array(
    z.object({
      source: z.string(),
      tier: z.enum(['A', 'B', 'C']),
      file: z.string(),
      old: z.string(),
      new: z.string(),
      replace_all: z.boolean(),
      expect: z.object({ error: z.boolean().optional(), content: z.string().optional() }),
    }),
  )
  .parse(JSON.parse(readFileSync(file, 'utf8')))
  .map((row, index) => ({ ...row, index }));

let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools({});
});
afterAll(() => tools.close());

test.each(rows)('edit_file does with replacement $index ($tier, $source) what others do', async (row) => {
  const name = `f${row.index}`;
  tools.write(name, row.file);
  const answer = await tools.say('edit_file', {
    path: name,
    old_str: row.old,
    new_str: row.new,
    replace_all: row.replace_all,
  });
  const got = { accepted: answer.startsWith('Edited '), content: tools.tree()[name] };
  const wanted = {
    accepted: row.expect.error !== true,
    content: Buffer.from(row.expect.content ?? row.file).toString('latin1'),
  };
  const reason = otherwise[row.index];
  if (reason === undefined) expect(got).toEqual(wanted);
  else expect(got, `row ${row.index} passes now, which was not so because ${reason}`).not.toEqual(wanted);
});

test('every row of tier A passes', () => {
  expect(rows.filter(({ tier, index }) => tier === 'A' && otherwise[index] !== undefined)).toEqual([]);
});
