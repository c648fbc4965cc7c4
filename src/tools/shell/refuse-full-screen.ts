import { invalidInput } from '../../contract/errors.ts';
import { analyseScript } from '../../permissions/shell/analyse-script.ts';
import { programName } from '../../permissions/shell/shell-word.ts';

/** Programs that draw on a terminal and wait for keys, with the arguments that avoid it. */
const fullScreen: Readonly<Record<string, RegExp | null>> = {
  vi: /^(?:-[eEsc]|\+|--version|--help)/,
  vim: /^(?:-[eEsc]|\+|--version|--help)/,
  nvim: /^(?:-[eEslc]|\+|--headless|--version|--help)/,
  vimdiff: null,
  nano: /^(?:--version|--help|-V|-h)$/,
  pico: null,
  emacs: /^(?:--?batch|--script|--version|--help)/,
  top: /^-\w*b/,
  htop: /^--?(?:version|help|V|h)$/,
  btop: /^--?(?:version|help|v|h)$/,
  watch: /^--?(?:version|help|v|h)$/,
};

/**
 * Throws `ToolError('invalid_input')` for a command that starts a full-screen program, which would
 * wait until its timeout. Only a literal name counts. `less`, `more` and `man` are fine: without a
 * terminal they print.
 */
export function refuseFullScreen(script: string): void {
  if (!/\b(?:n?vim?|vimdiff|nano|pico|emacs|[hb]?top|watch)\b/.test(script)) return;
  for (const { words } of analyseScript(script).commands) {
    const [program, ...args] = words.map(({ value }) => value);
    const name = typeof program === 'string' ? programName(program) : '';
    if (!Object.hasOwn(fullScreen, name)) continue;
    const works = fullScreen[name] ?? null;
    if (works !== null && args.some((argument) => argument === null || works.test(argument))) continue;
    throw invalidInput(
      `${name} needs a terminal and keys, and would never end; nothing was run. ${insteadOf(name)}.`,
    );
  }
}

function insteadOf(name: string): string {
  if (name === 'watch') return 'Run what it would repeat once, or in a loop that ends';
  return /top$/.test(name) ? 'Use `top -b -n 1` or `ps`' : 'Use read, edit_file and create_file, or sed';
}
