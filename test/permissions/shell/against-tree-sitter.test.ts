import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { anyScript, damaged } from './script-arbitrary.ts';

const fixtures = new URL('../../fixtures/', import.meta.url);
const json = (name: string) =>
  JSON.parse(readFileSync(new URL(`permission-shell/${name}`, fixtures), 'utf8'));

/**
 * Words that bash never looks up as commands where tree-sitter takes them for such, the ends of nested
 * here-documents among them.
 */
const reserved =
  /^(coproc|time|!|function|if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|END|E|A|B|\{|\}|\[\[)$/;

/** The names that tree-sitter sees, per script; null where it cannot read the script. */
function seenByTreeSitter(scripts: readonly string[]): (string[] | null)[] {
  const program = fileURLToPath(new URL('command-names-process.ts', import.meta.url));
  const output = execFileSync(process.execPath, ['--liftoff-only', '--no-warnings', program], {
    input: JSON.stringify(scripts),
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(output.toString());
}

/** Declarations and tests are no commands to tree-sitter. */
const special = /^(export|declare|typeset|local|readonly|unset|\[|)$/;

/** Plain names that one sees and the other does not, of the scripts that both can read. */
function compare(scripts: readonly string[], both: boolean) {
  const others = seenByTreeSitter(scripts);
  let compared = 0;
  const missed = scripts.flatMap((script, index) => {
    const { commands, syntaxError } = analyseScript(script);
    const names = others[index];
    // It ends a name at a backslash before the end of a line, where bash goes on.
    if (names === null || names === undefined || syntaxError !== null || script.includes('\\\n')) return [];
    // And it begins one behind an escaped blank, which is the first letter of the name.
    const seen = new Set(commands.flatMap(({ words, wrappers }) => [words[0]?.value?.trim(), ...wrappers]));
    const plain = names.filter((name) => /^[\w./-]+$/.test(name) && !reserved.test(name));
    compared += plain.length;
    const unseen = plain.filter((name) => !seen.has(name) && !seen.has(name.replace(/^.*\//, '')));
    // It knows neither `coproc` nor escapes between backticks; to see too much only makes us stricter.
    const simple = both && !/\b(coproc|time)\b|`/.test(script);
    const bare = new Set(names.map((name) => name.replaceAll(/["'\\]/g, '')));
    const invented = commands
      .filter(({ wrappers }) => wrappers.length === 0)
      .map(({ words }) => words[0]?.value ?? '')
      .filter((name) => simple && /^[\w./-]*$/.test(name) && !special.test(name) && !bare.has(name));
    return unseen.length + invented.length === 0 ? [] : [{ script, unseen, invented }];
  });
  return { compared, missed };
}

describe('we and tree-sitter see the same commands, unless the script is refused', () => {
  it('in the scripts that permission engines were tested with', () => {
    const safety = json('codex.safety.json');
    const scripts: string[] = [
      ...[...json('bypass.json'), ...json('classify.json'), ...json('rules.gemini.json')].map(
        (row: { command: string }) => row.command,
      ),
      ...json('codex.bash-parse.json').map((row: { script: string }) => row.script),
      ...safety.safe,
      ...safety.not_safe,
      ...safety.dangerous,
      ...safety.not_dangerous,
    ];
    const { compared, missed } = compare(scripts, true);
    expect(missed).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  });

  it('in scripts as they stand in repositories', () => {
    const folder = new URL('shell-scripts/', fixtures);
    const files = readdirSync(folder).filter((file) => file.endsWith('.sh'));
    const scripts = files.map((file) => readFileSync(new URL(file, folder), 'utf8'));
    expect(scripts.map((script) => analyseScript(script).syntaxError)).toEqual(files.map(() => null));
    // Where a script continues its lines, both read it with the lines joined.
    const { compared, missed } = compare(
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
    const { compared, missed } = compare(fc.sample(scripts, { seed: 20_240, numRuns: 1_000 }), false);
    expect(missed).toEqual([]);
    expect(compared).toBeGreaterThan(least);
  });
});
