import { describe, expect, it } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { bashCall, decided } from '../gate-fixtures.ts';

describe('scripts that are made hard to evaluate', () => {
  it.each<[string, string]>([
    ['too long', `echo ${'x'.repeat(70_000)}`],
    ['too many commands', 'a;'.repeat(20_000)],
    ['too many in pipes', `${'a|'.repeat(20_000)}b`],
    ['wrapped too often', `${'env '.repeat(10_000)}ls`],
    ['too many groups', `${'('.repeat(5_000)}ls${')'.repeat(5_000)}`],
    ['too many substitutions', `${'echo $('.repeat(60)}ls${')'.repeat(60)}`],
    ['too many functions', `${'f(){ '.repeat(2_000)}ls;${' }'.repeat(2_000)}`],
  ])('are refused with a reason: %s', (_what, script) => {
    const { syntaxError } = analyseScript(script);
    expect(syntaxError).toEqual(expect.any(String));
    expect(syntaxError?.length).toBeLessThan(201);
    const rules = [{ tool: 'bash', action: 'allow' as const, matches: { command: '*' } }];
    expect(decided(bashCall(script), { preset: 'strict', rules }).action).toBe('reject');
    expect(decided(bashCall(script), { preset: 'careful', rules }).action).toBe('reject');
  });

  it.each<[string, string]>([
    ['a long list of runners', `${'npx '.repeat(10_000)}ls`],
    ['an unfinished string of awk', `awk '${'"\\'.repeat(20_000)}' f`],
    ['an awk program of patterns', `awk '${'/a/'.repeat(1_300)}' f`],
    ['an unfinished bracket of sed', `sed 's/${'['.repeat(60_000)}' f`],
    ['a long script of sed', `sed '${'s/a/b/;'.repeat(9_000)}' f`],
    ['many files', `cp ${'a '.repeat(30_000)}b`],
    ['many here-documents', 'cat <<A\n$(b)\nA\n'.repeat(3_000)],
    ['many folders', Array.from({ length: 3_000 }, (_, index) => `cd d${index}; touch x`).join(';')],
    ['many actions of find', `find . ${'-exec a {} + '.repeat(3_000)}`],
    ['many settings of git', `git ${'-c alias.a=b '.repeat(4_000)}log`],
    ['a long row of dashes', `rm ${'-'.repeat(60_000)}`],
    ['a reason as long as the script', '`a`'.repeat(10_000)],
  ])('do not delay a run: %s', (_what, script) => {
    // The limit of a test is the guard: what took time by the square would take minutes.
    const { action, reason } = decided(bashCall(script), { preset: 'strict' });
    expect(action).not.toBe('allow');
    expect(reason.length).toBeLessThan(1_000);
  });
});
