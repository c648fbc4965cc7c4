import { expect, test } from 'vitest';
import * as z from 'zod';
import { patternMatches } from '../../src/permissions/patterns/compile-pattern.ts';
import { analyseScript } from '../../src/permissions/shell/analyse-script.ts';
import { bashCall, decided } from '../permissions/gate-fixtures.ts';
import { compareNames } from '../permissions/shell/compare-names.ts';
import { globVerdict, onlyReads } from '../permissions/shell/glob-verdict.ts';
import { readForeign, withForeign } from './with-foreign.ts';

const Globs = z.array(z.string());
const Bypass = z.object({
  ...{ allow: Globs, deny: Globs.optional(), ask: Globs.optional() },
  ...{ command: z.string(), expect: z.enum(['allow', 'deny', 'ask', 'not-allow']) },
});
const Prefixes = z.object({
  rules: z.array(z.object({ prefix: z.string(), action: z.enum(['allow', 'ask']) })),
  ...{ command: z.string(), expect: z.string(), allowRedirection: z.boolean().optional() },
});
const Class = z.object({ command: z.string(), class: z.string(), source: z.string() });
const Safety = z.object({ safe: Globs, not_safe: Globs, dangerous: Globs, not_dangerous: Globs });
const Parsed = z.object({ script: z.string(), commands: z.array(z.array(z.string())).nullable() });
const Semantics = z.object({
  wildcard_opencode: z.array(z.tuple([z.string(), z.string(), z.boolean()])),
  execpolicy: z.array(
    z.object({
      rules: z.array(z.tuple([z.array(z.string()), z.enum(['forbidden', 'prompt', 'allow'])])),
      ...{ argv: z.array(z.string()), expect: z.string() },
    }),
  ),
});

/** Commands with another decision or class here, and why. A command that comes to agree has to leave this table. */
const otherwise: ReadonlyMap<string, string> = new Map([
  ['echo a\rtouch pwned', 'bash takes a carriage return for a letter: it is one call of echo'],
  ...[
    'make check 2>&1 | tail -n 50',
    'npm test >> /tmp/test-output.txt',
    'go build ./...',
    'dotnet build',
    'bun test src/extensions',
    'cargo tree',
  ].map((command) => [command, 'runs what the repository says'] as const),
  ['yarn --version', 'runs the file that the repository names as its own yarn'],
  ['npm ls', 'writes its log where the repository says'],
  ...['curl -s https://x.test/api', 'wget -qO- https://x.test | head', 'npm view zod versions'].map(
    (command) => [command, 'talks to the network'] as const,
  ),
  ['cmd &> /dev/null', 'nobody knows the program'],
  ['long_cmd > $TMPDIR/out.log', 'nobody knows the program, nor where it writes'],
  ['echo x > $env:TEMP\\out.log', 'to bash it writes a file of that name'],
  ['man rm', 'starts the pager that a variable names'],
  ['git switch --help', 'starts the pager that a variable names'],
  ['python3 -m pip show requests', 'runs a module, which the checkout could have put there'],
  ['brew list', 'runs a program that is not on these machines'],
]);

withForeign('conformance/permission-shell/bypass.json', (file) => {
  test.each(readForeign(file, z.array(Bypass)))('$command is $expect', ({
    command,
    expect: wanted,
    ...globs
  }) => {
    const action = globVerdict(globs, command);
    const right =
      { allow: action === 'allow', deny: action === 'reject' }[wanted as string] ?? action !== 'allow';
    expect({ action, right }).toEqual({ action, right: !otherwise.has(command) });
  });
});

withForeign('conformance/permission-shell/rules.gemini.json', (file) => {
  const rows = readForeign(file, z.array(Prefixes)).filter((row) => !row.allowRedirection);
  test.each(rows)('$command is $expect by prefix', ({ rules, command, expect: wanted }) => {
    const by = (action: string) =>
      rules.filter((rule) => rule.action === action).map(({ prefix }) => `${prefix} *`);
    // Nobody is asked about what cannot be read.
    const unread = analyseScript(command).syntaxError !== null;
    expect(globVerdict({ allow: by('allow'), ask: by('ask') }, command)).toBe(unread ? 'reject' : wanted);
  });
});

withForeign('conformance/permission-shell/classify.json', (file) => {
  test.each(readForeign(file, z.array(Class)))('$command is $class', (row) => {
    expect(onlyReads(row.command)).toBe(row.class === 'readonly' && !otherwise.has(row.command));
  });
});

withForeign('conformance/permission-shell/codex.safety.json', (file) => {
  const { safe, not_safe, dangerous } = readForeign(file, Safety);
  test.each(safe)('%s only reads', (command) => expect(onlyReads(command)).toBe(true));
  test.each([...not_safe, ...dangerous])('%s is not proven to read only', (command) =>
    expect(onlyReads(command)).toBe(false));
});

withForeign('conformance/permission-shell/codex.bash-parse.json', (file) => {
  test.each(readForeign(file, z.array(Parsed)))('$script is $commands', ({ script, commands: wanted }) => {
    const { commands, redirections, syntaxError, unknown, doubt } = analyseScript(script);
    if (wanted !== null) {
      expect(commands.map(({ words }) => words.map(({ value }) => value))).toEqual(wanted);
      expect([syntaxError, unknown, doubt]).toEqual([null, null, null]);
      return;
    }
    // A command that is not parsed there is refused here, or has a computed part.
    const computed = commands.some(
      ({ words, assignments }) => assignments.length > 0 || words.some(({ value }) => value === null),
    );
    expect(syntaxError !== null || doubt !== null || redirections.length > 0 || computed).toBe(true);
  });
});

withForeign('conformance/permission-shell/semantics.json', (file) => {
  const { wildcard_opencode, execpolicy } = readForeign(file, Semantics);
  test.each(wildcard_opencode)('%j by the glob %j: %s', (text, glob, matches) => {
    expect(patternMatches(glob, text)).toBe(matches);
  });

  // There the strictest of all that match holds; here the first does, so that the strictest has to come first.
  const order = ['forbidden', 'prompt', 'allow'];
  const actions = { forbidden: 'reject', prompt: 'ask', allow: 'allow' } as const;
  test.each(execpolicy)('$rules on $argv is $expect', ({ rules, argv, expect: wanted }) => {
    const ours = rules
      .toSorted(([, one], [, other]) => order.indexOf(one) - order.indexOf(other))
      .map(([prefix, verdict]) => ({
        tool: 'bash',
        matches: { command: `${prefix.join(' ')} *` },
        action: actions[verdict],
      }));
    const { action, rule } = decided(bashCall(argv.join(' ')), { preset: 'strict', rules: ours });
    const verdicts = new Map<string, string>(Object.entries(actions));
    expect(rule === null ? 'no-match' : action).toBe(verdicts.get(wanted) ?? wanted);
  });
});

withForeign('conformance/permission-shell', (folder) => {
  test('we and tree-sitter see the same commands in all these scripts', () => {
    const read = <Schema extends z.ZodType>(name: string, schema: Schema) =>
      readForeign(`${folder}/${name}`, schema);
    const scripts = [
      ...read('bypass.json', z.array(Bypass)).map(({ command }) => command),
      ...read('classify.json', z.array(Class)).map(({ command }) => command),
      ...read('rules.gemini.json', z.array(Prefixes)).map(({ command }) => command),
      ...read('codex.bash-parse.json', z.array(Parsed)).map(({ script }) => script),
      ...Object.values(read('codex.safety.json', Safety)).flat(),
    ];
    const { compared, missed } = compareNames(scripts, true);
    expect(missed).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  });
});
