import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { eventShapes } from '../../src/webhooks/triggers/events.ts';

let copy: string;
/** A copy of the sources that knows one more verb and one more event, each from one file. */
beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'anode-tables-'));
  cpSync('src', path.join(copy, 'src'), { recursive: true });
  cpSync('package.json', path.join(copy, 'package.json'));
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  for (const file of ['added-rows.ts', 'plan-added-verb.ts'])
    cpSync(path.join('test/project', file), path.join(copy, 'test/project', file));
  const put = (file: string, before: string, row: string, name: string) => {
    const target = path.join(copy, file);
    const text = readFileSync(target, 'utf8');
    expect(text.split(before).length, `${file} has one place for it`).toBe(2);
    const rows = path.relative(path.dirname(file), 'test/project/added-rows.ts');
    writeFileSync(
      target,
      `import { ${name} } from '${rows}';\n${text.replace(before, () => `${row}${before}`)}`,
    );
  };
  put('src/contract/verbs.ts', '  triage: {\n', '  translate,\n', 'translate');
  put('src/webhooks/triggers/events.ts', "  'issues.assigned': ", "  'issues.opened': opened,\n", 'opened');
});
afterAll(() => rmSync(copy, { recursive: true }));

test('takes a verb, or an event about a thread, from one more row of its table', async () => {
  const file = path.join(copy, 'test/project/plan-added-verb.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', file], { cwd: copy });
  expect(JSON.parse(stdout)).toEqual({
    ...{ candidate: 'candidate', opened: 'triage', verb: 'translate', prompt: 'Translate the texts.' },
    ...{ profile: 'study', push: { kind: 'none', reason: '`translate` only reads.' }, readOnly: true },
    diffBytes: 1024,
  });
});

test('app.yml subscribes to the events of the table', () => {
  const { default_events } = parse(readFileSync('app.yml', 'utf8'));
  const subscribed = Object.keys(eventShapes).filter((name) => eventShapes[name]?.subscribed);
  expect(default_events.toSorted()).toEqual(subscribed.toSorted());
});
