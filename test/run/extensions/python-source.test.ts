import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ExternalRun } from '../../../src/run/extensions/external-run.ts';
import { findMonty } from '../../../src/run/extensions/find-monty.ts';
import { pythonSource } from '../../../src/run/extensions/python-source.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';
import { available, runnerPlace } from '../../sandbox/runner-fixture.ts';

const place = runnerPlace();

/** Stands in for the package: code that reports what the process around it can reach. */
const standIn = `
import { readdirSync, writeFileSync, writeSync } from 'node:fs';
export class Monty { run() { writeSync(1, '\\n'); } }
export class MontyRepl {
  static load() { return new MontyRepl(); }
  dump() {}
  feed(code) {
    const reached = (work) => { try { work(); return true; } catch { return false; } };
    if (code === 'fail') throw new Error('NameError: \\u001b[31mx');
    return [
      reached(() => writeFileSync(process.cwd() + '/written', 'x')),
      reached(() => readdirSync(${JSON.stringify(process.cwd())} + '/test')),
      Object.keys(process.env).filter((name) => /KEY|TOKEN/.test(name)),
    ];
  }
}
`;

describe.skipIf(!available)('python of a run', () => {
  test('is a read-only tool in its own sandbox, which mounts the package and nothing writable', async () => {
    for (const name of ['monty', `monty-${process.platform}-${process.arch}-gnu`]) {
      const folder = path.join(place.folder, 'node_modules/@pydantic', name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'index.js'), standIn);
      writeFileSync(path.join(folder, 'package.json'), '{"type":"module","main":"index.js"}');
    }
    const found = findMonty(path.join(place.folder, 'program.js'));
    if (found === null) throw new Error('the stand-in is not found');
    const runFolder = path.join(place.folder, 'run-python');
    mkdirSync(runFolder);
    const environment = { PATH: process.env.PATH, OPENAI_API_KEY: 'k' };
    const source = pythonSource(
      { config: {}, root: place.root, runFolder, sandboxed: true, environment } as unknown as ExternalRun,
      found,
    );
    try {
      const { tools } = await source.load(new AbortController().signal);
      const [tool] = tools;
      if (tool === undefined) throw new Error('the tool is not there');
      expect([tool.name, tool.level, tool.readOnly, tool.exposure]).toEqual([
        'monty_python_repl',
        'auto_read',
        true,
        'deferred',
      ]);
      const context = { state: {}, signal: new AbortController().signal } as unknown as ToolContext;
      const call = (code: string) => tool.execute(tool.input.parse({ code }), context, undefined);
      expect(await call('look')).toMatchObject({ content: '[False, False, []]' });
      await expect(call('fail')).rejects.toMatchObject({ kind: 'failed', message: 'NameError: x' });
    } finally {
      await source.close();
    }
  });
});
