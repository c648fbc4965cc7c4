import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../contract/errors.ts';
import { SavedSession } from '../contract/session.ts';
import { findGit, readHead } from '../workspace/git/git-layout.ts';
import { answerQuestions, type GivenAnswers } from './answer-questions.ts';
import { findCheckout } from './find-checkout.ts';
import { inputLines } from './input-lines.ts';
import { type CommandContext, localRun, localRunOptions } from './local-run.ts';
import { digestOf, forgetLocalSession, type LocalSession, readLocalSession } from './local-session.ts';
import { localState } from './local-state.ts';
import { parseArguments, usageError } from './parse-arguments.ts';

/**
 * Runs `anode resume RUN ANSWER`. Continues a waiting run with the answer, with one `--answer` for
 * each of several questions, or with `approve` or `deny` for a pending call. Also continues a
 * stopped run, whose answer is optional. Options of the run apply unless given anew, and only if a
 * run of this user wrote the session. Returns the exit code.
 */
export async function resumeCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('resume', args, {
    ...localRunOptions,
    answer: { type: 'string', multiple: true },
  });
  const [runId, ...words] = positionals;
  if (runId === undefined) throw usageError('resume', 'it takes a run and an answer.');
  if (!/^[\w-]+$/.test(runId)) throw usageError('resume', `"${runId}" is not the id of a run.`);
  const { root } = await findCheckout('resume', values.cwd);
  const folder = path.join(root, '.anode-harness', runId);
  const { session, digest } = await readSession(folder, runId);
  const named = (values.answer as unknown as readonly string[] | undefined) ?? [];
  const answer = await answerOf(session, { text: words.join(' ').trim(), named }, context);
  // A session is resumed once: it continues in the newer run.
  const take = async (): Promise<boolean> => {
    try {
      await rename(path.join(folder, 'session.json'), path.join(folder, answeredFile));
      return true;
    } catch {
      return false;
    }
  };
  const { root: sessions } = localState(root, context.environment, (message) =>
    context.writeError(`${message}\n`),
  );
  const stored = await readLocalSession(sessions, runId);
  const approval = session.approval === undefined ? null : readVerdict(session, words, root);
  if (stored !== null || approval !== null || session.grants !== undefined)
    refuseForged(folder, digest, stored);
  const options = { ...stored?.options, ...values };
  const task = approval === null ? answer || 'Go on.' : approval.reason;
  let begun = false;
  const resume = {
    session,
    own: stored !== null,
    answer,
    onBegin: () => {
      begun = true;
    },
    ...(approval === null ? {} : { approval: { ...approval, by: 'the operator', use: take } }),
  };
  const code = await localRun({ command: 'resume', task, args: options, resume }, context);
  // A run that could not begin, such as without a sandbox, leaves the session resumable.
  if (begun) {
    await take();
    await forgetLocalSession(sessions, runId);
  }
  return code;
}

/**
 * Returns the answer to the session's questions, or the text for a session without any. On a
 * terminal, questions without an answer are asked.
 */
async function answerOf(
  { question, stopped }: SavedSession,
  given: GivenAnswers,
  { signal, writeError }: CommandContext,
): Promise<string> {
  if (question === null) {
    if (given.named.length > 0) throw usageError('resume', 'the run asked nothing, so --answer has no use.');
    if (given.text === '' && stopped === undefined)
      throw usageError('resume', 'it takes a run and an answer.');
    return given.text;
  }
  const lines = inputLines(signal);
  try {
    const terminal = process.stdin.isTTY ? { ...lines, writeError } : null;
    return await answerQuestions(question.question, given, terminal);
  } finally {
    lines.close();
  }
}

/** Throws unless a run of this user wrote the session: the checkout may contain anything. */
function refuseForged(folder: string, digest: string, stored: LocalSession | null): void {
  const file = path.join(folder, 'session.json');
  if (stored?.digest === digest) return;
  throw new ConfigError(
    `${file} is not as a run of yours wrote it, so nothing goes on from it. Start another run.`,
    {
      file,
    },
  );
}

/**
 * Parses the verdict on the pending call. An approval is valid for its commit and, if given, its
 * hash.
 */
function readVerdict(
  { approval, base_sha }: SavedSession,
  [verdict, ...rest]: readonly string[],
  root: string,
): { readonly verdict: 'approve' | 'deny'; readonly reason: string } {
  const hash = approval?.hash ?? '';
  if (verdict !== 'approve' && verdict !== 'deny')
    throw usageError('resume', `a call waits for approval (${hash}): say approve, or deny and a reason.`);
  const named = rest[0] !== undefined && /^[0-9a-f]{16}$/.test(rest[0]) ? rest[0] : null;
  if (named !== null && named !== hash) throw usageError('resume', `what waits is ${hash}, not ${named}.`);
  const reason = (named === null ? rest : rest.slice(1)).join(' ');
  if (verdict === 'deny') return { verdict, reason };
  if (reason !== '') throw usageError('resume', `after approve comes nothing but the hash, not "${reason}".`);
  const layout = findGit(root);
  const head = layout === null ? null : readHead(layout).sha;
  if (head !== base_sha)
    throw new ConfigError(
      `The approval has lapsed: it was asked for on ${base_sha ?? 'no commit'}, and HEAD is ${head ?? 'none'} now. With deny the run goes on without the call, and can ask again.`,
    );
  return { verdict, reason: '' };
}

/** File name of a session after its resumption. */
const answeredFile = 'session.answered.json';

/** Read once, so that the checked bytes are the resumed ones. */
async function readSession(
  folder: string,
  runId: string,
): Promise<{ session: SavedSession; digest: string }> {
  const file = path.join(folder, 'session.json');
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    const why = whyNoSession(folder, runId, file);
    throw new ConfigError(why, { file }, { cause });
  }
  try {
    return { session: SavedSession.parse(JSON.parse(bytes.toString('utf8'))), digest: digestOf(bytes) };
  } catch (cause) {
    throw new ConfigError(`${file} is not a saved session.`, { file }, { cause });
  }
}

function whyNoSession(folder: string, runId: string, file: string): string {
  if (existsSync(path.join(folder, answeredFile)))
    return `${runId} was answered already, or taken up; a newer run went on from it.`;
  if (existsSync(path.join(folder, 'outcome.json')))
    return `${runId} came to its end: it waits for nothing, and left nothing to go on from. Start another run with what is left to do.`;
  return `There is no waiting run ${runId} here (${file} cannot be read). Give --cwd the checkout it ran on.`;
}
