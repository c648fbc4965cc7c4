import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decideCall } from '../../../src/permissions/gate.ts';
import { unitsOf } from '../../../src/permissions/gate-units.ts';
import { patternMatches } from '../../../src/permissions/glob.ts';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { bashCall, policy } from '../gate-fixtures.ts';

const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/permission-shell/${name}`, import.meta.url), 'utf8'));

interface Bypass {
  allow: string[];
  deny?: string[];
  ask?: string[];
  command: string;
  expect: string;
  tier: string;
}

/** The fixtures mean deny before ask before allow; with rules in that order, first match wins is the same. */
function decided(row: Pick<Bypass, 'allow' | 'deny' | 'ask' | 'command'>): string {
  const rule = (action: 'allow' | 'ask' | 'reject', command: string[] | undefined) =>
    command === undefined ? [] : [{ tool: 'bash', matches: { command }, action }];
  const rules = [...rule('reject', row.deny), ...rule('ask', row.ask), ...rule('allow', row.allow)];
  const decision = decideCall(bashCall(row.command), policy({ preset: 'strict', rules }));
  if ('delegate' in decision) throw new Error('no rule here delegates');
  return decision.action;
}

function onlyReads(command: string): boolean {
  const call = bashCall(command);
  return unitsOf(call, [analyseScript(command)], policy({ preset: 'careful' })).every(
    (unit) => unit.readOnly,
  );
}

/** Rows that are decided in another way on purpose, and why. Each has to stay wrong, or leaves this table. */
const decidedOtherwise: Readonly<Record<string, string>> = {
  'echo a\rtouch pwned': 'bash takes a carriage return for a letter: it is one call of echo',
};

describe('commands that slipped past other allow-lists', () => {
  const isRight = (row: Bypass) => {
    const action = decided(row);
    const right = {
      allow: action === 'allow',
      deny: action === 'reject',
      ask: action !== 'allow',
      'not-allow': action !== 'allow',
    }[row.expect];
    return { action, right };
  };

  it.each(fixture('bypass.json') as Bypass[])('$tier: $command is $expect', (row) => {
    const otherwise = row.tier !== 'A' && Object.hasOwn(decidedOtherwise, row.command);
    expect(isRight(row)).toEqual({ action: expect.any(String), right: !otherwise });
  });

  const gemini = fixture('rules.gemini.json') as {
    rules: { prefix: string; action: 'allow' | 'ask' }[];
    command: string;
    expect: string;
    allowRedirection?: boolean;
  }[];
  it.each(gemini.filter((row) => !row.allowRedirection))('$command is $expect by prefix', (row) => {
    const of = (action: string) =>
      row.rules.filter((rule) => rule.action === action).map((rule) => `${rule.prefix} *`);
    expect(decided({ allow: of('allow'), ask: of('ask'), command: row.command })).toBe(
      // Nobody is asked about what cannot be read.
      analyseScript(row.command).syntaxError === null ? row.expect : 'reject',
    );
  });
});

/** What another product lets pass as reading, and is not proven to read here: why not. */
const notProven: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...[
        'make check 2>&1 | tail -n 50',
        'npm test >> /tmp/test-output.txt',
        'go build ./...',
        'dotnet build',
      ],
      ...['bun test src/extensions', 'cargo tree'],
    ].map((command) => [command, 'runs what the repository says']),
  ),
  ...Object.fromEntries(
    ['curl -s https://x.test/api', 'wget -qO- https://x.test | head', 'npm view zod versions'].map(
      (command) => [command, 'talks to the network'],
    ),
  ),
  'cmd &> /dev/null': 'nobody knows the program',
  'long_cmd > $TMPDIR/out.log': 'nobody knows the program, nor where it writes',
  'echo x > $env:TEMP\\out.log': 'to bash it writes a file of that name',
  'man rm': 'starts the pager that a variable names',
  'git switch --help': 'starts the pager that a variable names',
  'python3 -m pip show requests': 'runs a module, which the checkout could have put there',
  'brew list': 'runs a program that is not on these machines',
};

describe('which commands are proven to read only', () => {
  const rows = fixture('classify.json') as { command: string; class: string; source: string }[];
  it.each(rows)('$command is $class', (row) => {
    // What that product calls reading is a choice of its own; what it calls mutating is not.
    const otherwise = row.source.startsWith('cline') && Object.hasOwn(notProven, row.command);
    expect(onlyReads(row.command)).toBe(row.class === 'readonly' && !otherwise);
  });

  const codex = fixture('codex.safety.json') as { safe: string[]; not_safe: string[]; dangerous: string[] };
  it.each(codex.safe)('%s only reads', (command) => {
    expect(onlyReads(command)).toBe(true);
  });
  it.each([...codex.not_safe, ...codex.dangerous])('%s is not proven to read only', (command) => {
    expect(onlyReads(command)).toBe(false);
  });
});

describe('scripts taken apart', () => {
  const rows = fixture('codex.bash-parse.json') as { script: string; commands: string[][] | null }[];
  it.each(rows.filter(({ commands }) => commands !== null))('$script', ({ script, commands }) => {
    const found = analyseScript(script);
    expect(found.commands.map(({ words }) => words.map(({ value }) => value))).toEqual(commands);
    expect([found.syntaxError, found.unknown, found.doubt]).toEqual([null, null, null]);
  });

  // What that product does not take apart at all is either refused here, or shows what it computes.
  it.each(rows.filter(({ commands }) => commands === null))('$script is more than plain words', ({
    script,
  }) => {
    const { commands, redirections, syntaxError, doubt } = analyseScript(script);
    const computed = commands.some(
      ({ words, assignments }) => assignments.length > 0 || words.some(({ value }) => value === null),
    );
    expect(syntaxError !== null || doubt !== null || redirections.length > 0 || computed).toBe(true);
  });
});

describe('what a pattern matches', () => {
  const { wildcard_opencode } = fixture('semantics.json') as {
    wildcard_opencode: [string, string, boolean][];
  };
  it.each(wildcard_opencode)('%s by %s: %s', (text, pattern, matches) => {
    expect(patternMatches(pattern, text)).toBe(matches);
  });
});
