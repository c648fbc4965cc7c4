import type { RegexNode } from '../../contract/regex-syntax.ts';

/** One step of a matching program: a character, an assertion, a fork, or the end. */
type Step =
  | { readonly kind: 'one'; readonly matches: (character: string) => boolean; next: number }
  | { readonly kind: 'assertion'; readonly what: string; next: number }
  | { readonly kind: 'fork'; next: readonly number[] }
  | { readonly kind: 'match' };

/** The set of steps that a text can have reached, and the character before. */
interface Reached {
  readonly indexes: readonly number[];
  readonly before: string;
  /** The set after each character; true if the text matches whatever follows. */
  readonly leadsTo: Map<string, Reached | true>;
}

/** Maximum remembered sets and characters. Others are recomputed. */
const mostRemembered = 500;

/**
 * Compiles a regular expression to a test in time linear in the text. It follows all alternatives
 * in parallel (Thompson's construction) and caches the sets of reached steps. JavaScript decides
 * which characters a class matches.
 */
export function compileRegex(tree: RegexNode, flags: string): (text: string) => boolean {
  const steps: Step[] = [{ kind: 'match' }];
  const start = addSteps(tree, 0, steps, flags.replace('m', ''));
  const isWord = remembered(new RegExp('^\\w$', flags.replace('m', '')));
  const holds = (what: string, before: string, after: string): boolean => {
    if (what === '^') return before === '' || (flags.includes('m') && isLineEnd(before));
    if (what === '$') return after === '' || (flags.includes('m') && isLineEnd(after));
    return (isWord(before) !== isWord(after)) === (what === '\\b');
  };
  /** Returns the steps that take a character next, or true if the end is reachable before it. */
  const close = ({ indexes, before }: Reached, after: string): Step[] | true => {
    const taking: Step[] = [];
    // Steps added on the way are visited too.
    const reachable = new Set(indexes);
    for (const index of reachable) {
      const step = steps[index];
      switch (step?.kind) {
        case 'one':
          taking.push(step);
          break;
        case 'fork':
          for (const next of step.next) reachable.add(next);
          break;
        case 'assertion':
          if (holds(step.what, before, after)) reachable.add(step.next);
          break;
        default:
          return true;
      }
    }
    return taking;
  };

  const kindOf = (character: string): string => {
    if (character === '') return '';
    if (isLineEnd(character)) return '\n';
    return isWord(character) ? 'w' : '.';
  };

  let cache = new Map<string, Reached>();
  const reach = (indexes: readonly number[], before: string): Reached => {
    if (cache.size > mostRemembered) cache = new Map();
    const kind = kindOf(before);
    const key = `${kind} ${indexes.join(' ')}`;
    const found = cache.get(key) ?? { indexes, before, leadsTo: new Map() };
    cache.set(key, found);
    return found;
  };
  const advance = (reached: Reached, character: string): Reached | true => {
    const taking = close(reached, character);
    const next = taking === true ? true : reach(after(taking, character, start), character);
    if (reached.leadsTo.size < mostRemembered) reached.leadsTo.set(character, next);
    return next;
  };

  return (text) => {
    let reached = reach([start], '');
    for (const character of flags.includes('u') ? text : codeUnits(text)) {
      const next = reached.leadsTo.get(character) ?? advance(reached, character);
      if (next === true) return true;
      reached = next;
    }
    return close(reached, '') === true;
  };
}

/**
 * Returns the steps after a character. A match may begin anywhere, so the start is always among
 * them.
 */
function after(taking: readonly Step[], character: string, start: number): number[] {
  const indexes = new Set([start]);
  for (const step of taking) if (step.kind === 'one' && step.matches(character)) indexes.add(step.next);
  return [...indexes].sort((a, b) => a - b);
}

/** Adds the steps of a node, which continue at `next`. Returns the index of the first. */
function addSteps(node: RegexNode, next: number, steps: Step[], flags: string): number {
  const add = (step: Step) => steps.push(step) - 1;
  switch (node.kind) {
    case 'one':
      return add({ kind: 'one', matches: characterTest(node.source, flags), next });
    case 'assertion':
      return add({ kind: 'assertion', what: node.what, next });
    case 'sequence':
      return node.parts.reduceRight((then, part) => addSteps(part, then, steps, flags), next);
    case 'either':
      return add({ kind: 'fork', next: node.options.map((option) => addSteps(option, next, steps, flags)) });
    case 'repeat': {
      let then = next;
      if (node.max === null) {
        const loop: Step = { kind: 'fork', next: [] };
        then = add(loop);
        loop.next = [addSteps(node.body, then, steps, flags), next];
      } else {
        for (let more = node.max - node.min; more > 0; more--)
          then = add({ kind: 'fork', next: [addSteps(node.body, then, steps, flags), next] });
      }
      for (let times = node.min; times > 0; times--) then = addSteps(node.body, then, steps, flags);
      return then;
    }
  }
}

function characterTest(source: string, flags: string): (character: string) => boolean {
  if (!flags.includes('i') && /^[\w \-/:=@,;'"<>%&#!~]$/.test(source))
    return (character) => character === source;
  return remembered(new RegExp(`^${source}$`, flags));
}

function remembered(pattern: RegExp): (character: string) => boolean {
  const cache = new Map<string, boolean>();
  return (character) => {
    let matches = cache.get(character);
    if (matches === undefined) {
      matches = pattern.test(character);
      if (cache.size < mostRemembered) cache.set(character, matches);
    }
    return matches;
  };
}

const isLineEnd = (character: string) => /^[\n\r\u2028\u2029]$/.test(character);

function* codeUnits(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield text[at] ?? '';
}
