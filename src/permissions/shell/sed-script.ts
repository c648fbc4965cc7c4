/** What a script of sed does besides printing. */
export interface SedScript {
  /** True where it runs commands: `e`, or the flag `e` of `s`. */
  readonly runs: boolean;
  /** Files that it writes: `w`, `W`, and the flag `w` of `s`. */
  readonly writes: readonly string[];
  /** Files that it reads: `r` and `R`. */
  readonly reads: readonly string[];
}

/** Reads a script of GNU sed; null where it has anything that this does not know. Pure. */
export function readSedScript(script: string): SedScript | null {
  let at = 0;
  let runs = false;
  const writes: string[] = [];
  const reads: string[] = [];
  const skip = (characters: RegExp): void => {
    while (at < script.length && characters.test(script.charAt(at))) at++;
  };
  const restOfLine = (): string => {
    const end = script.indexOf('\n', at);
    const text = script.slice(at, end < 0 ? undefined : end);
    at += text.length;
    return text.trim();
  };
  /** Moves past a text up to an unescaped mark; a class in brackets may hold it in a pattern. */
  const past = (mark: string, pattern: boolean): boolean => {
    for (let bracket = -1; at < script.length; at++) {
      const character = script.charAt(at);
      if (character === '\\') at++;
      else if (character === '\n' && pattern) return false;
      // Where sed and this could disagree about what a bracket covers, nothing is claimed.
      else if (pattern && character === '[') bracket = at;
      else if (character === mark) {
        if (bracket >= 0 && !script.slice(bracket, at).includes(']')) return false;
        at++;
        return true;
      }
    }
    return false;
  };
  const address = (): boolean => {
    const character = script.charAt(at);
    if (/\d/.test(character)) skip(/[\d~]/);
    else if (character === '$') at++;
    else if (character === '/' || character === '\\') {
      if (character === '\\') at++;
      const mark = script.charAt(at++);
      if (!/[^\w\s\\]/.test(mark) || !past(mark, true)) return false;
      skip(/[IM]/);
    }
    return true;
  };
  while (at < script.length) {
    skip(/[\s;]/);
    if (at >= script.length) break;
    if (script.charAt(at) === '#') {
      restOfLine();
      continue;
    }
    if (!address()) return null;
    skip(/\s/);
    if (script.charAt(at) === ',') {
      at++;
      skip(/[\s+~]/);
      if (!address()) return null;
    }
    skip(/[\s!]/);
    const command = script.charAt(at++);
    if ('{}=dDgGhHnNpPxzlLF'.includes(command) && command !== '') continue;
    if ('qQ'.includes(command)) skip(/[\s\d]/);
    else if (':btT'.includes(command)) {
      const label = /^[^;\n}]*/.exec(script.slice(at))?.[0] ?? '';
      at += label.length;
    } else if ('rR'.includes(command)) reads.push(restOfLine());
    else if ('wW'.includes(command)) writes.push(restOfLine());
    else if (command === 'e') {
      runs = true;
      restOfLine();
    } else if ('aic'.includes(command)) {
      // A backslash at the end of a line carries the text on.
      let line = restOfLine();
      while (line.endsWith('\\') && at < script.length) {
        at++;
        line = restOfLine();
      }
    } else if (command === 's' || command === 'y') {
      const mark = script.charAt(at++);
      if (mark === '' || /[\s\\\w]/.test(mark) || !past(mark, command === 's') || !past(mark, false))
        return null;
      if (command === 'y') continue;
      for (; /[gpiImMe\d]/.test(script.charAt(at)); at++) if (script.charAt(at) === 'e') runs = true;
      if (script.charAt(at) === 'w') {
        at++;
        writes.push(restOfLine());
      }
    } else return null;
    skip(/[ \t]/);
    if (at < script.length && !/[;\n}#]/.test(script.charAt(at))) return null;
  }
  return { runs, writes, reads };
}
