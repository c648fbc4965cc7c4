import type { PrefixWrapper } from './prefix-wrappers.ts';
import { type GivenOption, readOptions } from './read-options.ts';
import { literalWord, unknownWord } from './shell-word.ts';
import type { ShellWord } from './simple-command.ts';
import { scriptOf, type Wrapped } from './wrapped.ts';

/** What a wrapper such as `timeout` or `xargs` runs; null where it runs nothing. `rest`: the words after its name. */
export function unwrapPrefix(
  name: string,
  rest: readonly ShellWord[],
  wrapper: PrefixWrapper,
): Wrapped | null {
  const read = readOptions(rest, wrapper);
  if (read.problem !== null) return { kind: 'unknown', why: `of \`${name}\`, ${read.problem}` };
  const given = (names: readonly string[] | undefined): GivenOption | undefined =>
    read.options.find((option) => names?.includes(option.name));
  if (given(wrapper.plain) !== undefined) return null;
  const script = given(wrapper.script);
  if (script?.value) return scriptOf([script.value], name, { keep: true, posix: true });
  const opaque = given(wrapper.opaque);
  const unknown =
    opaque === undefined
      ? undefined
      : `\`${name}\` may run what it is told with \`${opaque.name.length > 1 ? '--' : '-'}${opaque.name}\``;
  const assignments: string[] = [];
  const words = [...read.operands];
  // A lone dash is `env -i`.
  if (wrapper.assignments && words[0]?.value === '-') words.shift();
  while (wrapper.assignments && words[0]?.value?.includes('=')) assignments.push(words.shift()?.value ?? '');
  const split = name === 'env' ? opaque?.value : undefined;
  if (split && unknown !== undefined) {
    const inner = scriptOf([literalWord('env'), split, ...words], 'env', { keep: true });
    return inner.kind === 'scripts' ? { ...inner, unknown } : inner;
  }
  const operands = words.splice(0, wrapper.operands ?? 0);
  const unclear = operands.find((word) => word.value === null && word.mayBeOption);
  // A computed word may stand where a duration or a lock file does, never where an option could.
  if (unclear !== undefined) return { kind: 'unknown', why: `the arguments of \`${name}\` are computed` };
  const [first] = words;
  if (first?.value === null && first.mayBeOption)
    return { kind: 'unknown', why: `the arguments of \`${name}\` are computed` };
  if (name === 'flock' && (first?.value === '-c' || first?.value === '--command'))
    return scriptOf(words.slice(1, 2), name, { keep: true, posix: true });
  if (first === undefined) return withoutProgram(name, read.options, unknown);
  if (wrapper.joins) return scriptOf(words, name, { keep: true, posix: true });
  const keep =
    wrapper.keep === true || given(wrapper.more) !== undefined || (name === 'env' && unknown !== undefined);
  return {
    kind: 'programs',
    programs: [wrapper.appends ? replaced([...words, unknownWord], read.options) : words],
    assignments,
    keep,
    ...(given(wrapper.moves) !== undefined || wrapper.moves?.includes('') ? { elsewhere: true } : {}),
    ...(unknown === undefined ? {} : { unknown }),
  };
}

/** Some wrappers run something of their own where they are given no program. */
function withoutProgram(
  name: string,
  options: readonly GivenOption[],
  unknown: string | undefined,
): Wrapped | null {
  if (name === 'xargs')
    return { kind: 'programs', programs: [[literalWord('echo'), unknownWord]], keep: false };
  if (unknown !== undefined) return { kind: 'unknown', why: unknown };
  const startsShell =
    (/^(chroot|unshare|nsenter|setarch|linux32|linux64|fakeroot)$/.test(name) &&
      !options.some((option) => /^(help|version|list|h|V)$/.test(option.name))) ||
    (/^(sudo|doas)$/.test(name) && options.some((option) => /^(s|i|shell|login)$/.test(option.name)));
  return startsShell ? { kind: 'standard_input', posix: true } : null;
}

/** With `xargs -I%` any word that holds the mark is computed too, the program's own name included. */
function replaced(words: readonly ShellWord[], options: readonly GivenOption[]): ShellWord[] {
  const option = options.findLast(({ name }) => name === 'I' || name === 'i' || name === 'replace');
  if (option === undefined) return [...words];
  const mark = option.value === null ? '{}' : option.value.value;
  return words.map((word) =>
    mark === null || word.value?.includes(mark) ? { ...unknownWord, source: word.source } : word,
  );
}
