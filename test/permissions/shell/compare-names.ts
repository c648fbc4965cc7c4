import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';

/**
 * Words that bash never looks up as commands and tree-sitter takes for such, the ends of nested here-documents
 * among them.
 */
const reserved =
  /^(coproc|time|!|function|if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|END|E|A|B|\{|\}|\[\[)$/;

/** Declarations and tests are no commands to tree-sitter. */
const special = /^(export|declare|typeset|local|readonly|unset|\[|)$/;

/** The names that tree-sitter finds, per script; null if it cannot parse the script. */
function seenByTreeSitter(scripts: readonly string[]): (string[] | null)[] {
  const program = fileURLToPath(new URL('command-names-process.ts', import.meta.url));
  const output = execFileSync(process.execPath, ['--liftoff-only', '--no-warnings', program], {
    input: JSON.stringify(scripts),
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(output.toString());
}

/**
 * Finds the plain names of commands that tree-sitter finds and we do not, in scripts that both can
 * parse; with `both`, also those that only we find. `compared` counts the names.
 */
export function compareNames(scripts: readonly string[], both: boolean) {
  const others = seenByTreeSitter(scripts);
  let compared = 0;
  const missed = scripts.flatMap((script, index) => {
    const { commands, syntaxError } = analyseScript(script);
    const names = others[index];
    // It ends a name at a backslash before the end of a line, while bash continues it.
    if (names === null || names === undefined || syntaxError !== null || script.includes('\\\n')) return [];
    // And it begins one behind an escaped blank, which is the first letter of the name.
    const seen = new Set(commands.flatMap(({ words, wrappers }) => [words[0]?.value?.trim(), ...wrappers]));
    const plain = names.filter((name) => /^[\w./-]+$/.test(name) && !reserved.test(name));
    compared += plain.length;
    const unseen = plain.filter((name) => !seen.has(name) && !seen.has(name.replace(/^.*\//, '')));
    // It supports neither `coproc` nor escapes in `$''` and between backticks; finding too many
    // commands only makes us stricter.
    const simple = both && !/\b(coproc|time)\b|`|\$'/.test(script);
    const bare = new Set(names.map((name) => name.replaceAll(/["'\\]/g, '')));
    const invented = commands
      .filter(({ wrappers }) => wrappers.length === 0)
      .map(({ words }) => words[0]?.value ?? '')
      .filter((name) => simple && /^[\w./-]*$/.test(name) && !special.test(name) && !bare.has(name));
    return unseen.length + invented.length === 0 ? [] : [{ script, unseen, invented }];
  });
  return { compared, missed };
}
