import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import { readDescription, type ToolboxDescription } from './read-description.ts';
import type { ToolboxProgram } from './toolbox-folder.ts';

/** A program with its description, or a clause on why it is omitted. */
export type Described =
  | { readonly program: ToolboxProgram; readonly description: ToolboxDescription }
  | { readonly program: ToolboxProgram; readonly problem: string };

/** Descriptions by digest; a program always describes itself the same. */
export interface DescriptionCache {
  get(digest: string): Promise<string | null>;
  /** Adds what programs printed that was a description. */
  add(printed: ReadonlyMap<string, string>): Promise<void>;
}

/** Maximum concurrent programs. */
const atOnce = 8;
const mostPrinted = 64 * 1024;

/** Services for describing programs. */
export interface Describing {
  /** Called if a program is not known. */
  readonly runner: () => Promise<CommandRunner>;
  readonly workspaceRoot: string;
  readonly signal: AbortSignal;
  readonly cache: DescriptionCache;
  /** Time-out of one program in whole seconds. */
  readonly seconds: number;
  /** Time-out of all programs in whole seconds. Default: enough for each. */
  readonly within?: number;
}

/**
 * Asks programs to describe themselves (`TOOLBOX_ACTION=describe`). Those that the cache does not
 * know run in one sandbox with a read-only workspace. A program that hangs or prints something else
 * is a problem of its own. Results are in the order of `programs`.
 */
export async function describePrograms(
  programs: readonly ToolboxProgram[],
  run: Describing,
): Promise<readonly Described[]> {
  const known = await Promise.all(programs.map(({ digest }) => run.cache.get(digest)));
  const unknown = programs.filter((_, index) => known[index] === null);
  const printed = unknown.length === 0 ? [] : await askAll(unknown, run);
  const read = programs.map((program, index): readonly [said: string | null, described: Described] => {
    const output = known[index] ?? printed[unknown.indexOf(program)];
    if (output === undefined) return [null, { program, problem: 'was not reached before the time was up' }];
    if (typeof output !== 'string') return [null, { program, problem: output.problem }];
    const description = readDescription(output);
    if ('problem' in description) return [null, { program, problem: description.problem }];
    return [known[index] === null ? output : null, { program, description }];
  });
  const learnt = read.flatMap(([output, { program }]) =>
    output === null ? [] : [[program.digest, output] as const],
  );
  if (learnt.length > 0) await run.cache.add(new Map(learnt));
  return read.map(([, described]) => described);
}

/**
 * Asks programs; one answer each. The script frames each output with its length, so no program can
 * answer for another.
 */
async function askAll(
  programs: readonly ToolboxProgram[],
  { runner, workspaceRoot, signal, seconds, within }: Describing,
): Promise<readonly (string | { readonly problem: string })[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  const needed = Math.ceil(programs.length / atOnce) * (seconds + 2);
  const most = Math.min(within ?? needed, needed);
  await (await runner()).run({
    command: describeScript(
      programs.map(({ file }) => file),
      seconds,
      most,
    ),
    cwd: workspaceRoot,
    timeoutMs: (most + 5) * 1_000,
    signal,
    env: { TOOLBOX_ACTION: 'describe', TOOLBOX_WORKSPACE: workspaceRoot },
    readOnlyWorkspace: true,
    onOutput: (chunk) => {
      // Each answer is cut by the script; more than all of them together is none of its doing.
      size += chunk.length;
      if (size <= programs.length * (mostPrinted + 4_096) + 4_096) chunks.push(chunk);
    },
  });
  return readAnswers(Buffer.concat(chunks), seconds);
}

/** The code printed for a program that was not reached in time. */
const notReached = 999;

/**
 * Builds the script; each worker takes every eighth program. Output beyond the bound is discarded:
 * `cat`, unlike `head`, has written what it read when it is killed.
 */
function describeScript(files: readonly string[], seconds: number, within: number): string {
  return `folder=$(mktemp -d) || exit 1
files=(${files.map(quotedWord).join(' ')})
ask() {
  left=$((${within} - SECONDS))
  [ "$left" -gt 0 ] && cd "$(dirname "$2")" || return
  most=$((left < ${seconds} ? left : ${seconds}))
  timeout -k 1 $most "$2" </dev/null 2>"$folder/$1.err" | (
    ulimit -c 0 -f ${mostPrinted / 1_024 + 1}
    timeout -k 1 $((most + 1)) cat >"$folder/$1.out"
  ) 2>/dev/null
  echo "\${PIPESTATUS[0]}" >"$folder/$1.code"
}
for ((worker = 0; worker < ${atOnce}; worker++)); do
  (for ((i = worker; i < \${#files[@]}; i += ${atOnce})); do ask "$i" "\${files[i]}"; done) &
done
wait
for ((i = 0; i < \${#files[@]}; i++)); do
  printf '%s %s %s\\n' "$(cat "$folder/$i.code" 2>/dev/null || echo ${notReached})" "$(stat -c %s "$folder/$i.out" 2>/dev/null || echo 0)" "$(head -c 300 "$folder/$i.err" 2>/dev/null | tr -d '\\n\\0')"
  cat "$folder/$i.out" 2>/dev/null
done
rm -rf "$folder"
`;
}

/** Exit codes of `timeout` (coreutils) after TERM and after KILL. */
const tooLong = new Set([124, 137]);

function readAnswers(output: Buffer, seconds: number): (string | { readonly problem: string })[] {
  const answers: (string | { readonly problem: string })[] = [];
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(10, at);
    const head = /^(\d+) (\d+) (.*)$/s.exec(output.subarray(at, end < 0 ? at : end).toString('utf8'));
    if (head === null) break;
    const [code, length, stderr = ''] = [Number(head[1]), Number(head[2]), head[3]];
    const printed = output.subarray(end + 1, end + 1 + length).toString('utf8');
    at = end + 1 + length;
    const late = tooLong.has(code) ? { problem: `did not describe itself within ${seconds} s` } : null;
    answers.push(late ?? problemOf(code, length, stderr) ?? printed);
  }
  return answers;
}

function problemOf(code: number, length: number, stderr: string): { readonly problem: string } | null {
  const reason = stderr.trim() === '' ? '' : `: ${stderr.trim()}`;
  if (code === notReached) return { problem: 'was not reached before the time was up' };
  if (length > mostPrinted) return { problem: `printed more than ${mostPrinted} bytes to describe itself` };
  if (code === 126 || code === 127) return { problem: `could not be run${reason}` };
  return code === 0
    ? null
    : { problem: `ended with exit code ${code} when asked to describe itself${reason}` };
}
