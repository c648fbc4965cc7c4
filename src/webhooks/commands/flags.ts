import { nearestKey } from '../../config/nearest-key.ts';
import { builtinProfileName, type EffortName, effortNames } from '../../contract/profile-names.ts';

import type { FlagName } from '../../contract/verbs.ts';

/** Options of one run. None of them changes permissions. */
export interface Flags {
  /** Maximum cost in US dollars. */
  readonly budget?: number | undefined;
  readonly turns?: number | undefined;
  readonly model?: string | undefined;
  readonly effort?: EffortName | undefined;
  readonly profile?: string | undefined;
  /** Reviews only new changes. */
  readonly incremental?: true | undefined;
  /** Reviews without a model. */
  readonly checksOnly?: true | undefined;
}

/** One word of a comment: a flag, plain text, or an invalid flag with a sentence for its author. */
type ReadFlag =
  | { readonly kind: 'flag'; readonly flag: Flags }
  | { readonly kind: 'word' }
  | { readonly kind: 'problem'; readonly problem: string };

const spellings: Readonly<Record<FlagName, readonly string[]>> = {
  budget: ['budget', 'cost'],
  turns: ['turns'],
  model: ['model'],
  effort: ['effort'],
  profile: ['profile'],
  incremental: ['-i', '--incremental'],
  checksOnly: ['--checks-only', '--checks_only', 'checks-only', 'checks_only'],
};

/** Settings that only the base branch may change, by names that people would try. */
const baseBranchOnly = new Set(
  'preset permissions permission sandbox network protected rules hooks env secrets tools setup limits providers'.split(
    ' ',
  ),
);

const names = Object.keys(spellings) as readonly FlagName[];
const bySpelling = new Map(names.flatMap((name) => spellings[name].map((spelling) => [spelling, name])));

/**
 * Reads one word as a flag: `budget=$2`, `--budget=2`, `-i`. With `strict`, at the front, anything
 * that looks like a flag must be one. At the end only flags and near misses count, so that
 * sentences stay unchanged.
 */
export function readFlag(word: string, allowed: readonly FlagName[], strict: boolean): ReadFlag {
  const [, key, value] = /^(?:--)?([a-z][a-z_-]{0,30})=(.*)/iu.exec(word) ?? [];
  const spelt = (key ?? word).toLowerCase();
  const displayed = `\`${spelt.slice(0, 40)}\``;
  if (value !== undefined && baseBranchOnly.has(spelt)) {
    return problem(
      `${displayed} cannot be set in a comment: the configuration of the base branch sets the rights of a run. If it is part of your text, put it in backticks.`,
    );
  }
  const name = bySpelling.get(spelt);
  if (name === undefined || (value === undefined) !== isSwitch(name)) {
    if (value === undefined && !/^--?[a-z][\w-]*$/iu.test(word)) return { kind: 'word' };
    return unknownFlag(spelt, displayed, strict);
  }
  if (!allowed.includes(name)) {
    if (isSwitch(name) && !strict) return { kind: 'word' };
    return problem(`${displayed} does not go with this command.`);
  }
  if (value === undefined) return { kind: 'flag', flag: { [name]: true } };
  const flag = flagValue(name, value);
  return flag === null
    ? problem(`${displayed} is written like \`${examples[name]}\`.`)
    : { kind: 'flag', flag };
}

/** Explains a word that only looks like a flag, with the nearest flag. */
function unknownFlag(spelt: string, displayed: string, strict: boolean): ReadFlag {
  const near = nearestKey(spelt, [...bySpelling.keys()]);
  const wanted = near === null ? undefined : bySpelling.get(near);
  if (wanted !== undefined)
    return problem(
      isSwitch(wanted)
        ? `${displayed} is not a flag; did you mean \`${examples[wanted]}\`?`
        : `${displayed} is not a flag in this form; write \`${examples[wanted]}\`.`,
    );
  if (!strict) return { kind: 'word' };
  return problem(`${displayed} is not a flag. If it is part of your text, put it in backticks.`);
}

/** Examples for help and documentation. */
export const examples: Readonly<Record<FlagName, string>> = {
  budget: 'budget=$2',
  turns: 'turns=20',
  model: 'model=NAME',
  effort: 'effort=high',
  profile: 'profile=study',
  incremental: '-i',
  checksOnly: '--checks-only',
};

const isSwitch = (name: FlagName): boolean => name === 'incremental' || name === 'checksOnly';

function flagValue(name: FlagName, text: string): Flags | null {
  if (name === 'budget') {
    const match = /^\$?(\d{1,6}(?:\.\d{1,4})?)$/u.exec(text);
    const budget = Number(match?.[1]);
    return budget > 0 ? { budget } : null;
  }
  if (name === 'turns') return /^[1-9]\d{0,3}$/u.test(text) ? { turns: Number(text) } : null;
  if (name === 'effort') {
    const effort = effortNames.find((one) => one === text.toLowerCase());
    return effort === undefined ? null : { effort };
  }
  if (name === 'profile') {
    const folded = text.toLowerCase();
    if (!/^[a-z][a-z0-9_-]{0,40}$/u.test(folded)) return null;
    return { profile: builtinProfileName(folded) ?? folded };
  }
  return /^[\w.:@/+-]{1,100}$/u.test(text) ? { model: text } : null;
}

const problem = (text: string): ReadFlag => ({ kind: 'problem', problem: text });
