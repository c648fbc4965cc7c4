import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { checkNames } from '../../scripts/bundled-names.ts';
import { commonJsNames } from '../../scripts/common-js-names.ts';

/** A CommonJS package, a module of ours, and a program that imports them on demand. */
const files = (program: string) => ({
  'package.json': '{ "type": "module" }',
  'node_modules/old/package.json': '{ "name": "old", "main": "index.js" }',
  'node_modules/old/index.js': 'exports.there = 1; exports.also = 2;',
  'own.ts': 'export const there = 1;',
  'main.ts': program,
});

/** The message that a bundle of the program is refused with; null where it is not. */
async function refused(program: string, plugins: Plugin[] = []) {
  const root = await mkdtemp(path.join(os.tmpdir(), 'anode-names-'));
  for (const [name, text] of Object.entries(files(program))) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  const { metafile, outputFiles } = await build({
    ...{ absWorkingDir: root, entryPoints: ['main.ts'], outdir: root, plugins },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node' },
    ...{ metafile: true, write: false, logLevel: 'silent' },
  });
  const message = await checkNames({ root, metafile, outputFiles, parts: [] }).then(
    () => null,
    (error: Error) => error.message,
  );
  await rm(root, { recursive: true });
  return message;
}

const missing = (line: number, name: string, from = './own.ts') =>
  `main.ts:${line} takes ${name} from ${from}, which was bundled without it`;

test('a name that a module lacks is found in each form of use', async () => {
  const forms = [
    "const { a, there } = await import('./own.ts');",
    "import('./own.ts').then(({ b }) => b);",
    "(await import('./own.ts')).c();",
    "const whole = await import('./own.ts'); whole.d; const { e: other } = whole;",
    "const promise = import('./own.ts'); (await promise).f;",
    "const [{ g }, second] = await Promise.all([import('./own.ts'), import('./own.ts')]); second.h;",
    "async function load() { return await import('./own.ts'); } (await load()).i;",
    "const later = () => import('./own.ts'); later().then((all) => all.j);",
    "let kept; kept ??= import('./own.ts').then((all) => all); (await kept).k;",
    "let named; ({ l: named } = await import('./own.ts'));",
    "(await import('./own.ts'))['m'];",
    "import('./own.ts').catch(() => null).then((all) => { if (all) all.n; });",
  ];
  const message = await refused(`\n${forms.join('\n')}\n`);
  expect(message?.split('\n').slice(1)).toEqual(
    [
      ...[missing(2, 'a'), missing(3, 'b'), missing(4, 'c'), missing(5, 'd'), missing(5, 'e')],
      ...[missing(6, 'f'), missing(7, 'g'), missing(7, 'h'), missing(8, 'i'), missing(9, 'j')],
      ...[missing(10, 'k'), missing(11, 'l'), missing(12, 'm'), missing(13, 'n')],
    ].sort((a, b) => Number(/:(\d+)/.exec(a)?.[1]) - Number(/:(\d+)/.exec(b)?.[1])),
  );
});

test('an existing, merely tested or shadowed name is not reported', async () => {
  const program = [
    "const whole = await import('./own.ts');",
    'whole.there; whole.a ?? 1; whole.b?.(); typeof whole.c;',
    'export const other = (whole) => whole.d;',
  ];
  expect(await refused(program.join('\n'))).toBeNull();
});

test('the exports of a CommonJS package are missing in a bundle without its names, and present with them', async () => {
  const program = "const { there, also } = await import('old'); console.log(there, also);";
  expect((await refused(program))?.split('\n').slice(1)).toEqual([
    missing(1, 'there', 'old'),
    missing(1, 'also', 'old'),
  ]);
  expect(await refused(program, [commonJsNames])).toBeNull();
});

test('a package that is passed on must have all its names', async () => {
  const program = "export const load = (use) => import('old').then(use);";
  expect(await refused(program)).toContain(
    'main.ts:1 hands on old, which was bundled with its default alone',
  );
  expect(await refused(program, [commonJsNames])).toBeNull();
});
