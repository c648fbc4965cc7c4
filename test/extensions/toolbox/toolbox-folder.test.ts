import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toolboxFolders } from '../../../src/extensions/toolbox/toolbox-folder.ts';

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolbox-')));
  for (const folder of ['tree/in', 'home/tools', 'own'])
    mkdirSync(path.join(base, folder), { recursive: true });
  symlinkSync(path.join(base, 'own'), path.join(base, 'tree/out'));
  symlinkSync(path.join(base, 'tree/in'), path.join(base, 'into'));
  symlinkSync(path.join(base, 'own'), path.join(base, 'also'));
});
afterAll(() => rmSync(base, { recursive: true }));

const find = (environment: string | undefined, config: readonly string[] = [], home?: string) =>
  toolboxFolders({ environment, config }, { root: path.join(base, 'tree'), home });
const at = (displayed: string) => path.join(base, displayed);

test('folders of the variable come first, each once, and belong to the operator unless inside the checkout', async () => {
  const named = ['own', 'also', 'into', 'tree/in', 'tree/out', 'gone'].map(at);
  expect(await find(['', ...named, ''].join(':'), ['in', './in/', '.', at('own')])).toEqual({
    folders: [
      { shown: at('own'), from: 'operator', path: at('own') },
      { shown: at('into'), from: 'repository', path: 'in' },
      { shown: at('tree/out'), from: 'repository', path: 'out' },
      { shown: at('gone'), from: 'operator', path: at('gone') },
      { shown: '.', from: 'repository', path: '' },
    ],
    problems: [],
  });
});

test('~ alone stands for the home', async () => {
  expect([
    await find('~/tools:~', ['~/tools'], at('home')),
    (await find('~tools', [], at('home'))).folders.map(({ path: one }) => one),
    (await find('~/tools')).folders.map(({ path: one }) => one),
  ]).toEqual([
    {
      folders: [
        { shown: '~/tools', from: 'operator', path: at('home/tools') },
        { shown: '~', from: 'operator', path: at('home') },
      ],
      problems: [],
    },
    [path.resolve('~tools')],
    [path.resolve('~/tools')],
  ]);
});

test('an invalid folder in either setting is reported', async () => {
  expect([
    await find('tools:./x', ['..', '../x', 'a/../../x', '..x', 'a/..']),
    await find(undefined),
  ]).toEqual([
    {
      folders: [
        { shown: '..x', from: 'repository', path: '..x' },
        { shown: 'a/..', from: 'repository', path: '' },
      ],
      problems: [
        'ANODE_TOOLBOX names tools, which is no absolute path; it is left out.',
        'ANODE_TOOLBOX names ./x, which is no absolute path; it is left out.',
        'tools.toolboxDirs names .., which leads out of the repository; it is left out.',
        'tools.toolboxDirs names ../x, which leads out of the repository; it is left out.',
        'tools.toolboxDirs names a/../../x, which leads out of the repository; it is left out.',
      ],
    },
    { folders: [], problems: [] },
  ]);
});
