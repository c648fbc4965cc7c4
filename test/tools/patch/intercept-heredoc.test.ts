import { expect, test } from 'vitest';
import { interceptHeredoc } from '../../../src/tools/patch/intercept-heredoc.ts';

const body = '*** Begin Patch\n*** Add File: f\n+x\n*** End Patch';
const here = (command: string): string => `${command} <<'EOF'\n${body}\nEOF\n`;

test.each([
  [here('apply_patch'), { patch: `${body}\n` }],
  [here('applypatch'), { patch: `${body}\n` }],
  [here("cd 'new docs' && apply_patch"), { patch: `${body}\n`, workdir: 'new docs' }],
  [`  cd sub/dir && apply_patch << "END"\n${body}\nEND`, { patch: `${body}\n`, workdir: 'sub/dir' }],
  [`apply_patch <<-'EOF'\n\t${body.replaceAll('\n', '\n\t')}\n\tEOF`, { patch: `${body}\n` }],
  [`apply_patch '${body}'`, { patch: `${body}\n` }],
  [`apply_patch <<'EOF'\r\n${body.replaceAll('\n', '\r\n')}\r\nEOF\r\n`, { patch: `${body}\n` }],
  [`apply_patch '${body.replace('+x', "+it'\\''s")}'`, { patch: `${body.replace('+x', "+it's")}\n` }],
  [here('cd sub; apply_patch'), null],
  [here('cd sub || apply_patch'), null],
  [here('cd sub dir && apply_patch'), null],
  [here('cd "$HOME" && apply_patch'), null],
  [here('pwd && apply_patch'), null],
  [here('apply_patch f'), null],
  [`apply_patch <<'EOF' && rm -rf x\n${body}\nEOF`, null],
  [`apply_patch <<'EOF'\n${body}\nEOF\nrm -rf x`, null],
  [`apply_patch <<'EOF'\n${body}\nEOF\nrm -rf x\nEOF`, null],
  ["apply_patch <<'EOF'\nadd x to f\nEOF\n", null],
  [`apply_patch '${body}' '${body}'`, null],
  [`apply_patch '${body}'; echo '`, null],
  [here('cat'), null],
  [body, null],
])('the shell command %j contains the patch %j', (command, expected) => {
  expect(interceptHeredoc(command)).toEqual(expected);
});
