import type { Pair, Scalar, YAMLMap } from 'yaml';
import { actionInputs } from '../contract/action-inputs.ts';
import { ConfigError } from '../contract/errors.ts';
import { type ForeignAction, foreignActions } from '../contract/foreign-inputs.ts';
import { convertValue, splitClaudeArguments } from './foreign-values.ts';
import { parseWorkflow } from './parse-workflow.ts';
import { tightenJob } from './tighten-job.ts';
import { mapsBelow, remark, type Translation, type TranslationRemark } from './translation.ts';

/** A workflow of another action as one of ours. */
export interface TranslatedWorkflow {
  readonly text: string;
  readonly remarks: readonly TranslationRemark[];
}

/** Providers of the actions' models. */
const providerOf: Readonly<Record<string, string>> = {
  'anthropics/claude-code-action': 'anthropic',
  'openai/codex-action': 'openai',
  'google-github-actions/run-gemini-cli': 'gemini',
};

/** Inputs of earlier versions, by ours. */
const formerInputs: Readonly<Record<string, string>> = { direct_prompt: 'prompt', 'prompt-text': 'prompt' };

/** Events of a thread, on which a step without a prompt publishes its result. */
const threadEvents = /^(?:issue_comment|issues|pull_request(?:_\w+)?)$/;

/**
 * Translates a workflow that uses one of the known actions. Triggers, conditions and other steps
 * stay; permissions, checkout, pins and time limit become as ours have them. Whatever has no
 * counterpart is a remark and a comment at the top. Throws `ConfigError` for a text that is no
 * workflow, or uses none of the actions. `action` is ours, as `OWNER/NAME@REF`.
 */
export async function translateWorkflow(
  text: string,
  file: string,
  action: string,
): Promise<TranslatedWorkflow> {
  const { triggers } = await parseWorkflow(text, file);
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines });
  const translation = { yaml, document, lines, remarks: [], events: triggers.map(({ name }) => name) };
  const outputs = mapsBelow(translation, document.get('jobs')).flatMap((job) =>
    translateJob(job, action, translation),
  );
  if (outputs.length === 0)
    throw new ConfigError(
      `${file} uses none of ${foreignActions.map(({ uses }) => uses).join(', ')}, so there is nothing to translate.`,
      { file },
    );
  const renamed = renameOutputs(document.toString({ lineWidth: 0, flowCollectionPadding: false }), outputs);
  const remarks = [...translation.remarks, ...lostOutputs(text, outputs)].sort(
    (one, other) => one.line - other.line,
  );
  return { text: `${head(file, remarks)}${renamed}`, remarks };
}

/** A translated step, whose outputs others may read. */
interface ForeignStep {
  readonly id: string | null;
  readonly foreign: ForeignAction;
}

function translateJob(job: YAMLMap, action: string, translation: Translation): ForeignStep[] {
  const steps = mapsBelow(translation, job.get('steps'));
  const found = steps.flatMap((step) => {
    const uses = String(step.get('uses') ?? '');
    const foreign = foreignActions.find((one) => uses.toLowerCase().startsWith(`${one.uses}@`));
    if (foreign === undefined) return [];
    step.set('uses', translation.document.createNode(action));
    translateInputs(step, foreign, translation);
    const id = String(step.get('id') ?? '');
    return [{ id: /^[\w-]+$/.test(id) ? id : null, foreign, step }];
  });
  if (found.length > 0)
    tightenJob(
      job,
      found.map(({ step }) => step),
      translation,
    );
  return found.map(({ id, foreign }) => ({ id, foreign }));
}

function translateInputs(step: YAMLMap, foreign: ForeignAction, translation: Translation): void {
  const { yaml, document } = translation;
  const own = new yaml.YAMLMap();
  const given = step.get('with');
  for (const pair of yaml.isMap(given) ? given.items : [])
    for (const [name, value] of ownInputs(pair as Pair<Scalar, Scalar>, foreign, translation)) {
      if (own.has(name))
        remark(translation, pair, true, `A second value for the input ${name} was left out.`);
      else own.set(document.createNode(name), value);
    }
  keepPhrase(step, own, foreign, translation);
  keepToken(step, own, foreign, translation);
  addKey(step, own, foreign, translation);
  if (own.has('prompt') || own.has('prompt_file')) {
    const events = translation.events.filter((name) => threadEvents.test(name));
    const message = `With a prompt the result stays in the job, and nothing is posted for ${events.join(', ')}. Without the prompt, it is published on the thread.`;
    if (events.length > 0) remark(translation, step, true, message);
  }
  if (own.items.length === 0) step.delete('with');
  else step.set('with', own);
}

type Input = readonly [name: string, value: unknown];

/** Returns our inputs for one of theirs; a remark for what has no counterpart. */
function ownInputs(pair: Pair<Scalar, Scalar>, foreign: ForeignAction, translation: Translation): Input[] {
  const [name, value] = [String(pair.key.value), String(pair.value?.value ?? '')];
  if (name === 'claude_args' && !/^\s*\$\{\{[^}]*\}\}\s*$/.test(value))
    return claudeInputs(pair, value, translation);
  const ours = ownName(name, foreign);
  const converted = ours === null ? null : convertValue(name, value, providerOf[foreign.uses] ?? '');
  if (ours === null || converted === null) {
    const note = foreign.inputs[name]?.note ?? 'There is no such input.';
    const why = name === 'prompt' ? 'A slash command is theirs alone.' : note;
    remark(translation, pair, true, `${name} (${shortened(value)}): ${why}`);
    return [];
  }
  if (converted === value) return [[ours, pair.value]];
  remark(translation, pair, false, `${name} became ${ours}: ${shortened(converted)}.`);
  return [[ours, translation.document.createNode(converted)]];
}

/** Returns our name of an input; null for none. An unknown one may be a former name, or ours. */
function ownName(name: string, { inputs }: ForeignAction): string | null {
  if (Object.hasOwn(inputs, name)) return inputs[name]?.ours ?? null;
  if (Object.hasOwn(formerInputs, name)) return formerInputs[name] ?? null;
  return Object.hasOwn(actionInputs, name) ? name : null;
}

/** Takes the arguments of Claude Code apart: some are inputs of ours. */
function claudeInputs(pair: Pair<Scalar, Scalar>, value: string, translation: Translation): Input[] {
  const { inputs, rest } = splitClaudeArguments(value);
  for (const option of rest) {
    const message = `claude_args (${shortened(option)}): rules on tools belong in \`permissions.rules\`.`;
    remark(translation, pair, true, /tools/i.test(option) ? message : `claude_args (${shortened(option)}).`);
  }
  return inputs.map(([input, text]) => [input, translation.document.createNode(text)]);
}

/** Keeps the word that people write, where a condition looks for it. */
function keepPhrase(step: YAMLMap, own: YAMLMap, foreign: ForeignAction, translation: Translation): void {
  const isTalk = foreign.uses.startsWith('anthropics/') && !own.has('prompt') && !own.has('trigger_phrase');
  if (!isTalk || !/'@claude'|"@claude"/.test(translation.document.toString())) return;
  own.set('trigger_phrase', '@claude');
  remark(translation, step, false, 'trigger_phrase is @claude, as before.');
}

/** Makes an input of the token that Gemini's action takes from the environment. */
function keepToken(step: YAMLMap, own: YAMLMap, foreign: ForeignAction, translation: Translation): void {
  const token = step.getIn(['env', 'GITHUB_TOKEN'], true);
  if (!foreign.uses.endsWith('/run-gemini-cli') || token === undefined || own.has('github_token')) return;
  own.set('github_token', token);
  step.deleteIn(['env', 'GITHUB_TOKEN']);
  const env = step.get('env');
  if (translation.yaml.isMap(env) && env.items.length === 0) step.delete('env');
  remark(translation, step, false, 'GITHUB_TOKEN of env became github_token.');
}

/** Adds the input of the provider's key, if the step has no key that counts with us. */
function addKey(step: YAMLMap, own: YAMLMap, foreign: ForeignAction, translation: Translation): void {
  const name = `${providerOf[foreign.uses]}_api_key`;
  const variable = name.toUpperCase();
  if (own.has(name) || step.hasIn(['env', variable]) || own.has('base_url')) return;
  own.set(name, `\${{ secrets.${variable} }}`);
  remark(translation, step, false, `${name} was added: it needs the secret ${variable}.`);
}

/** Replaces the names of outputs in expressions. */
function renameOutputs(text: string, steps: readonly ForeignStep[]): string {
  return steps.reduce(
    (renamed, { id, foreign }) =>
      Object.entries(foreign.outputs).reduce(
        (one, [theirs, ours]) =>
          id === null || ours === null
            ? one
            : one.replaceAll(outputPattern(id, theirs), `steps.${id}.outputs.${ours}`),
        renamed,
      ),
    text,
  );
}

function lostOutputs(text: string, steps: readonly ForeignStep[]): TranslationRemark[] {
  return steps.flatMap(({ id, foreign }) =>
    Object.entries(foreign.outputs).flatMap(([theirs, ours]) => {
      const at = id === null || ours !== null ? -1 : text.search(outputPattern(id, theirs));
      if (at < 0) return [];
      const line = text.slice(0, at).split('\n').length;
      return [{ line, lost: true, message: `steps.${id}.outputs.${theirs} has no counterpart.` }];
    }),
  );
}

const outputPattern = (id: string, name: string): RegExp =>
  new RegExp(`\\bsteps\\.${id}\\.outputs(?:\\.${name}(?![\\w-])|\\[['"]${name}['"]\\])`, 'g');

/** Returns the comment at the top, with what was lost. */
function head(file: string, remarks: readonly TranslationRemark[]): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const lost = remarks.filter((one) => one.lost).map(({ line, message }) => `#   line ${line}: ${message}\n`);
  const list = lost.length === 0 ? '' : `# Without a counterpart:\n${lost.join('')}`;
  return `# Translated from ${name} by anode init.\n${list}`;
}

const shortened = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
