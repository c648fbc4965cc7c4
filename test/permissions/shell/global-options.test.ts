import { expect, it } from 'vitest';
import type { Rule } from '../../../src/contract/rules.ts';
import { decide } from '../../../src/permissions/gate/gate.ts';
import { withoutGlobalOptions } from '../../../src/permissions/shell/global-options.ts';
import { bashCall, decided, policy } from '../gate-fixtures.ts';

const on = (command: string, action: Rule['action'], to?: string): Rule => ({
  tool: 'bash',
  matches: { command },
  action,
  ...(to === undefined ? {} : { to }),
});

it.each([
  ['git commit*', 'git --no-pager commit -m x'],
  ['git commit*', 'git -C . commit -m x'],
  ['git commit*', 'git -C. commit'],
  ['git commit*', 'git -P commit'],
  ['git commit*', 'git --git-dir=.git commit'],
  ['git commit*', 'git --git-dir .git --work-tree . commit'],
  ['git commit*', 'git -c user.name=x -c user.email=y commit -m "two words"'],
  ['git commit*', 'git --not-known-yet commit'],
  ['git commit*', '/usr/bin/git --not-known-yet value commit'],
  ['git commit*', 'timeout 5 git -P commit'],
  ['npm publish*', 'npm --prefix . publish'],
  ['npm publish*', 'npm -w pkg publish --tag next'],
  ['npm publish*', 'npm --some-config=x --other y publish'],
  ['pnpm publish*', 'pnpm -r --filter ./a publish'],
  ['yarn publish*', 'yarn --cwd pkg publish'],
  ['cargo publish*', 'cargo +nightly -Z x publish'],
  ['docker push*', 'docker --context prod push image'],
  ['docker compose up*', 'docker --context prod compose -f a.yml up'],
  ['kubectl apply*', 'kubectl -n prod apply -f a.yml'],
  ['gh pr merge*', 'gh pr -R a/b merge 1'],
  ['go generate*', 'go -C sub generate ./...'],
  ['pip install*', 'pip3 --proxy x install y'],
  ['poetry publish*', 'poetry -C sub publish'],
  ['uv publish*', 'uv --project sub publish'],
  ['terraform apply*', 'terraform -chdir=prod apply'],
  ['helm upgrade*', 'helm --kube-context prod upgrade a b'],
  ['make deploy*', 'make -C sub -s deploy'],
])('a rule that restricts %s restricts %s', async (pattern, command) => {
  // The bare name stands in for what another name of the program is called by.
  const rules = (action: Rule['action']) => [
    on(
      command.startsWith('pip3') ? pattern.replace('pip', 'pip3') : pattern,
      action,
      action === 'delegate' ? 'judge' : undefined,
    ),
  ];
  const by = (action: Rule['action']) => ({ preset: 'unrestricted' as const, rules: rules(action) });
  const requested = await decide(bashCall(command), policy(by('delegate')), async () => ({
    ...{ exitCode: 2, stderr: '', problem: null },
  }));
  expect([
    decided(bashCall(command), by('ask')).action,
    decided(bashCall(command), by('reject')).action,
    requested.action,
  ]).toEqual(['ask', 'reject', 'reject']);
});

it('a rule that allows a subcommand allows it only as written', () => {
  const rules = [on('git commit*', 'allow')];
  const by = (command: string) => decided(bashCall(command), { preset: 'strict', rules }).action;
  expect([by('git commit -m x'), by('git -c core.hooksPath=x commit'), by('git -C .. commit')]).toEqual([
    'allow',
    'ask',
    'ask',
  ]);
});

it('publishing and destroying are recognised after any global options', () => {
  const by = (command: string) => decided(bashCall(command)).action;
  expect([
    by('npm --prefix . publish'),
    by('npm -w pkg publish'),
    by('npm --prefix publish test'),
    by('cargo +stable publish'),
  ]).toEqual(['reject', 'reject', 'allow', 'reject']);
});

it('the number of forms is bounded', () => {
  const options = Array.from({ length: 4_000 }, (_, index) => `--unknown-${index}`);
  expect(withoutGlobalOptions('git', [...options, 'commit']).length).toBeLessThanOrEqual(100);
  expect(withoutGlobalOptions('ls', ['-l', 'commit'])).toEqual([]);
  expect(withoutGlobalOptions('git', ['commit', '-m', 'x'])).toEqual([]);
});
