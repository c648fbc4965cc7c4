import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decideCall } from '../../../src/permissions/gate.ts';
import { unitsOf } from '../../../src/permissions/gate-units.ts';
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

describe('commands that slipped past other allow-lists', () => {
  const rows = (fixture('bypass.json') as Bypass[]).filter((row) => row.tier !== 'C');
  it.each(rows)('$command is $expect', (row) => {
    const action = decided(row);
    const right = {
      allow: action === 'allow',
      deny: action === 'reject',
      ask: action !== 'allow',
      'not-allow': action !== 'allow',
    }[row.expect];
    expect({ action, right }).toEqual({ action, right: true });
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
    expect(decided({ allow: of('allow'), ask: of('ask'), command: row.command })).toBe(row.expect);
  });
});

describe('which commands are proven to read only', () => {
  const rows = (fixture('classify.json') as { command: string; class: string; source: string }[]).filter(
    // What that product calls read-only is a choice of its own; what it calls mutating is not.
    (row) => !(row.source.startsWith('cline') && row.class === 'readonly'),
  );
  it.each(rows)('$command is $class', (row) => {
    expect(onlyReads(row.command)).toBe(row.class === 'readonly');
  });

  const codex = fixture('codex.safety.json') as { safe: string[]; not_safe: string[]; dangerous: string[] };
  it.each(codex.safe)('%s only reads', (command) => {
    expect(onlyReads(command)).toBe(true);
  });
  it.each([...codex.not_safe, ...codex.dangerous])('%s is not proven to read only', (command) => {
    expect(onlyReads(command)).toBe(false);
  });
});
