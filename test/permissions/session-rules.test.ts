import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/contract/rules.ts';
import { bashCall, decided } from './gate-fixtures.ts';

/** A command that opens a session, or the script that is evaluated before input. */
const sessionCall = (command: string) => bashCall(command, { tool: 'shell_session' });

const rule = (tool: string, action: Rule['action'], command?: string): Rule => ({
  tool,
  action,
  ...(command === undefined ? {} : { matches: { command } }),
});

describe('a command that a session runs', () => {
  it.each([
    ['rm -rf build', [rule('bash', 'reject', 'rm *')], 'reject'],
    ['ls', [rule('bash', 'reject', 'rm *')], 'allow'],
    ['npm start', [rule('bash', 'allow', 'npm *')], 'allow'],
    ['npm start', [rule('shell_session', 'allow', 'npm *')], 'allow'],
    ['npm start', [rule('bash', 'allow'), rule('shell_session', 'reject')], 'reject'],
    ['npm start', [rule('bash', 'reject', 'npm *'), rule('*', 'allow')], 'reject'],
    ['npm start', [rule('shell_session', 'allow', 'npm *'), rule('bash', 'ask')], 'ask'],
  ])('is also evaluated by the rules of bash: %s', (command, rules, action) => {
    expect(decided(sessionCall(command), { preset: 'unrestricted', rules }).action).toBe(action);
  });

  it.each([
    ['bash --norc\nls\n', true, 'allow'],
    ['bash --norc\nls\n', false, 'ask'],
    ['bash --norc\nrm -rf /\n', true, 'reject'],
    ['bash --norc\nprint("it")\n', true, 'reject'],
    ['bash --norc\ncd .github/workflows\necho x > ci.yml\n', true, 'reject'],
    ['python3 -i', true, 'allow'],
    ['python3 -i', false, 'ask'],
  ])('is evaluated together with all earlier input: %j, in a sandbox: %s', (command, sandboxed, action) => {
    expect(decided(sessionCall(command), { sandboxed }).action).toBe(action);
  });

  it.each(['bash', 'python3 -i', 'npm start'])('does not start if a run may only read: %s', (command) => {
    expect(decided(sessionCall(command), { readOnly: true })).toMatchObject({ action: 'reject', hard: true });
  });
});
