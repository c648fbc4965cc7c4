import { expect, test } from 'vitest';
import { globVerdict, onlyReads } from './glob-verdict.ts';
import { hiddenCommands } from './hidden-commands.ts';

test.each(hiddenCommands)('$verdict: $command', ({ globs, command, verdict }) => {
  expect(globVerdict(globs, command)).toBe(verdict);
});

test.each([
  'ls src > /dev/null',
  'ls src 2>&1 | tail -n 5',
  'grep "one > two" notes.md',
  'echo one \\> two',
  'rg "move(d)? to" docs',
  'git log -- mv.txt',
  'echo $((5 > 4))',
  'for one in *.md; do echo "$one"; done',
  'env | sort',
])('%s only reads', (command) => {
  expect(onlyReads(command)).toBe(true);
});

test.each([
  'ls src 2> problems.txt',
  'ls src > "$(mktemp)"',
  'ls src | tee list.txt | wc -l',
  'ls src | tee /tmp/../etc/motd',
  'env DEPTH=1 cp one two',
  'nohup mv one two',
  'if test -d out; then rmdir out; fi',
  'Set-Content one.txt two',
  '"one" | Out-File two.txt',
  'sed -Ei s/one/two/ notes.md',
  'sed --in-place=.old s/one/two/ notes.md',
  'perl -i -pe s/one/two/ notes.md',
  'install -m 644 one two',
  'patch -p1 < one.patch',
  'pip install wheel',
  'cargo add rand',
  'curl -o one https://x.test',
  'git clone https://x.test/one',
])('%s does more than read', (command) => {
  expect(onlyReads(command)).toBe(false);
});
