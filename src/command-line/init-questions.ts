import { providers } from '../agent/models/providers.ts';
import { workflowUses } from '../workflow-files/workflow-uses.ts';
import { type AnswerTerminal, askOne } from './ask-at-terminal.ts';
import { type InitChoices, providerNames, useNames } from './init-choices.ts';
import { inputLines } from './input-lines.ts';
import type { CommandContext } from './local-run.ts';
import { usageError } from './parse-arguments.ts';
import type { SingleQuestion } from './question-keys.ts';

const base = { allow_freeform: false, required: true } as const;

const whichUses: SingleQuestion = {
  ...base,
  question: 'Which workflows do you want?',
  options: useNames.map((id) => ({ id, label: id, description: workflowUses[id].title })),
  multiple: true,
  default: 'review',
};

const whichProvider: SingleQuestion = {
  ...base,
  question: 'Whose model?',
  options: providerNames.map((id) => ({ id, label: id })),
  default: 'anthropic',
};

/** Uses whose workflow needs no choice of a model. */
const withoutChoice = ['checks', 'local-model'];

/**
 * Completes the choices: asks on a terminal, else takes the defaults. The uses have no default
 * without a terminal. Throws a usage error that names the option to give.
 */
export async function completeChoices(
  given: Partial<InitChoices>,
  { signal, writeError }: Pick<CommandContext, 'signal' | 'writeError'>,
): Promise<InitChoices> {
  const lines = inputLines(signal);
  const terminal = process.stdin.isTTY ? { ...lines, writeError } : null;
  try {
    const uses = given.uses ?? (await ask(whichUses, terminal, `Give --use: ${useNames.join(', ')}.`));
    const needsModel = uses.some((name) => !withoutChoice.includes(name));
    const provider =
      given.provider ?? (needsModel ? await askProvider(given.uses === undefined, terminal) : 'anthropic');
    const model = given.model ?? (needsModel ? await askModel(provider, terminal) : null);
    return { uses: useNames.filter((name) => uses.includes(name)), provider, model };
  } finally {
    lines.close();
  }
}

/** Asks for options; throws a usage error with the remedy if nobody answers. */
async function ask(
  question: SingleQuestion,
  terminal: AnswerTerminal | null,
  remedy: string,
): Promise<string[]> {
  const answer = terminal === null ? null : await askOne(question, terminal);
  if (answer === null) throw usageError('init', `nobody answered, so nothing was written. ${remedy}`);
  return answer.kind === 'text' ? [answer.text] : answer.options.map(({ id }) => id);
}

/** Asks whose model it is, unless the other choices were options. */
async function askProvider(isAsking: boolean, terminal: AnswerTerminal | null): Promise<string> {
  if (!isAsking || terminal === null) return 'anthropic';
  const [name = 'anthropic'] = await ask(whichProvider, terminal, 'Give --provider.');
  return name;
}

/** Asks for a model of a provider that has no default. */
async function askModel(provider: string, terminal: AnswerTerminal | null): Promise<string | null> {
  if (providers[provider]?.defaultModel !== undefined) return null;
  const question = { ...base, question: `Which model of ${provider}?`, options: [], allow_freeform: true };
  const remedy = `${provider} has no default model: give --model ${provider}/NAME.`;
  const [name = ''] = await ask(question, terminal, remedy);
  return name.startsWith(`${provider}/`) ? name : `${provider}/${name}`;
}
