/**
 * True when a call of sed only prints: no `-i`, `-f`, `-s`; a script of addresses with `p d q = n N` and
 * `s` without the flags `w` and `e`. Anything cleverer is not proven. `values` are the words after `sed`.
 */
export function readsWithSed(values: readonly string[]): boolean {
  const scripts: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? '';
    const given = /^--expression=(.*)$/s.exec(value)?.[1] ?? /^-[nEruz]*e(.+)$/s.exec(value)?.[1];
    if (given !== undefined) scripts.push(given);
    else if (/^-[nEruz]*e$/.test(value) || value === '--expression') scripts.push(values[++index] ?? '');
    else if (/^(-[nEruz]+|--quiet|--silent|--regexp-extended|--posix|--null-data|--debug)$/.test(value))
      continue;
    else if (value.startsWith('-') && value !== '-') return false;
    else operands.push(value);
  }
  if (scripts.length === 0) scripts.push(operands.shift() ?? '');
  return scripts.every((script) => safeSedScript.test(script));
}

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\[^\n])+/I?)`;
const substitutions = ['/', '|', ',', '#', ':', '@', '!']
  .map((mark) => {
    const escaped = `\\${mark}`;
    const text = String.raw`(?:[^${escaped}\\\n]|\\[^\n])*`;
    return `s${escaped}${text}${escaped}${text}${escaped}[gpiI0-9]*`;
  })
  .join('|');
const sedCommand = String.raw`(?:${address}(?:,(?:\+\d+|${address}))?\s*!?\s*)?(?:[pdDPhHgGxnN=l]|q\d*|Q\d*|${substitutions})`;
const safeSedScript = new RegExp(String.raw`^\s*${sedCommand}(?:\s*[;\n]\s*${sedCommand})*\s*;?\s*$`);

/**
 * True when a call of awk only prints: options no other than `-F` and `-v`, a program without pipes,
 * output files, `system`, `getline`, or `@` (load, include, indirect calls).
 */
export function readsWithAwk(values: readonly string[]): boolean {
  let index = 0;
  for (; index < values.length; index++) {
    const value = values[index] ?? '';
    if (value === '-F' || value === '-v') index++;
    else if (value.startsWith('-') && !/^-[Fv]./.test(value)) return false;
    else if (!value.startsWith('-')) break;
  }
  const program = values[index];
  if (program === undefined || /[|>@]|system|getline/.test(program)) return false;
  return !values.slice(index + 1).some((value) => value.startsWith('-'));
}
