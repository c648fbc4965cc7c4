import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { compareNames } from './compare-names.ts';
import { hiddenCommands } from './hidden-commands.ts';
import { anyScript, damaged } from './script-arbitrary.ts';

describe('our parser and tree-sitter find the same commands, unless the script is refused', () => {
  it('commands that evade an allow-list', () => {
    const { compared, missed } = compareNames(
      hiddenCommands.map(({ command }) => command),
      true,
    );
    expect(missed).toEqual([]);
    expect(compared).toBeGreaterThan(80);
  });

  it('in real scripts of repositories', () => {
    const folder = new URL('../../fixtures/shell-scripts/', import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith('.sh'));
    const scripts = files.map((file) => readFileSync(new URL(file, folder), 'utf8'));
    expect(scripts.map((script) => analyseScript(script).syntaxError)).toEqual(files.map(() => null));
    // If a script continues its lines, both read it with joined lines.
    const { compared, missed } = compareNames(
      scripts.map((script) => script.replaceAll('\\\n', ' ')),
      true,
    );
    expect(missed).toEqual([]);
    expect(compared).toBeGreaterThan(80);
  });

  it.each([
    ['generated', anyScript, 800],
    ['damaged', damaged(anyScript), 200],
  ] as const)('in %s scripts', (_kind, scripts, least) => {
    const { compared, missed } = compareNames(fc.sample(scripts, { seed: 20_240, numRuns: 1_000 }), false);
    expect(missed).toEqual([]);
    expect(compared).toBeGreaterThan(least);
  });
});
