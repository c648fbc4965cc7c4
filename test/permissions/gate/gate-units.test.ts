import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/contract/rules.ts';
import { bashCall, decided, pathCall } from '../gate-fixtures.ts';

const allows = (command: string): Rule => ({ tool: 'bash', matches: { command }, action: 'allow' });

describe('a call', () => {
  it('is refused if its path or the target of a link on it is forbidden', () => {
    const relativePath = (path: string) => path.replace('.ssh/', 'data/');
    expect(decided(pathCall('read', 'read', '.ssh/known_hosts'), { relativePath })).toMatchObject({
      action: 'reject',
      hard: true,
      reason: '`.ssh/known_hosts` may be neither read nor written: credentials are kept there.',
    });
    const leads = (path: string) => path.replace('data/', '.ssh/');
    expect(decided(pathCall('read', 'read', 'data/known_hosts'), { relativePath: leads }).hard).toBe(true);
  });

  it('that destroys is not allowed by any rule if another part of its script is unknown', () => {
    const rules = [allows('rm -rf build')];
    const actions = ['rm -rf build', '$x; rm -rf build'].map(
      (command) => decided(bashCall(command), { rules }).action,
    );
    expect(actions).toEqual(['allow', 'reject']);
  });

  it('from a read-only run writes to /tmp only in a sandbox', () => {
    const actions = [true, false].map(
      (sandboxed) => decided(bashCall('ls > /tmp/list'), { sandboxed, readOnly: true }).action,
    );
    expect(actions).toEqual(['allow', 'reject']);
  });

  it('of git is read-only at the top folder only, since a nested repository may configure programs', () => {
    const actions = [{}, { cwd: 'sub' }].map((place) => {
      const command = 'git status';
      return decided(bashCall(command, { input: { command, ...place } }), { sandboxed: false }).action;
    });
    expect(actions).toEqual(['allow', 'ask']);
  });

  it('names the risky option of a reading program', () => {
    const reasons = ['fd a -x ls', 'fd a -X ls'].map(
      (command) => decided(bashCall(command), { sandboxed: false }).commands[0]?.reason,
    );
    expect(reasons).toEqual([
      expect.stringContaining('does more than read with `-x`'),
      expect.stringContaining('does more than read with `-X`'),
    ]);
  });
});
