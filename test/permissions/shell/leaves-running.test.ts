import { expect, it } from 'vitest';
import { leavesRunning } from '../../../src/permissions/shell/leaves-running.ts';

it.each([
  'server &',
  'server > log 2>&1 & sleep 1; curl localhost',
  'nohup server &\necho started',
  '(server &)',
  'setsid server & disown; echo ok',
  'setsid -f server; echo ok',
  'coproc server',
  'if true; then server & fi',
])('a script that leaves something running is recognised: %s', (script) => {
  expect(leavesRunning(script)).toBe(true);
});

it.each([
  'server & wait',
  'server & PID=$!; curl localhost; kill $PID',
  'a && b 2>&1 >& c &> d',
  'echo "a & b" \'&\' \\&',
  'nohup build',
  'setsid build',
  'echo setsid -f',
  // Longer than is read.
  `server &\n#${'x'.repeat(65_536)}`,
  `${'('.repeat(30_000)}server &${')'.repeat(30_000)}`,
  `${'echo $('.repeat(8_000)}server &${')'.repeat(8_000)}`,
])('awaited, ending and quoted commands are not: %.60s', (script) => {
  expect(leavesRunning(script)).toBe(false);
});
