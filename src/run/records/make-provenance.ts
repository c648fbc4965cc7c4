import { createHash } from 'node:crypto';
import type { Message, ToolDefinition } from '../../contract/message.ts';
import { ownVersion } from '../../contract/own-version.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { Provenance } from '../../contract/provenance.ts';
import type { RunRequest } from './run-context.ts';

type Input = Provenance['inputs'][number];

/** The parts of the first request that the program makes. */
interface Prompt {
  /** `provider/model`. */
  readonly model: string;
  readonly system: string;
  readonly toolDefinitions: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  /** The diff that the run is about; undefined for none. */
  readonly diff: string | undefined;
}

/** Returns what a run is made from: versions, hashes, and who supplied which text. */
export function makeProvenance(
  { plan, preset, config, task }: Pick<RunRequest, 'plan' | 'preset' | 'config' | 'task'>,
  { model, system, toolDefinitions, messages, diff }: Prompt,
): Provenance {
  const chat = plan.chat ?? [];
  return {
    version: ownVersion,
    model,
    plan_sha256: hash(JSON.stringify(plan)),
    prompt_sha256: hash(system),
    tools_sha256: hash(JSON.stringify(toolDefinitions)),
    policy_sha256: hash(JSON.stringify({ preset, permissions: config.permissions ?? null })),
    inputs: [
      ...configurationOf(plan),
      ...repositoryIn(messages),
      ...chat.map(({ kind, author, text }) => input(kind, author, 'untrusted', text)),
      ...plan.attachments.map(({ name, url }) => input('image', name, 'untrusted', url)),
      ...(diff === undefined ? [] : [input('diff', 'the changes', 'untrusted', diff)]),
      input(
        'request',
        plan.requester.login || 'the local user',
        plan.source.kind === 'app' ? 'requester' : 'operator',
        task,
      ),
    ],
    dropped: (plan.hidden_text ?? []).map(({ kind, where, author, length, digest }) => ({
      reason: kind,
      where,
      from: author,
      characters: length,
      digest,
    })),
  };
}

function configurationOf({ config_text, config_file }: RunPlan): Input[] {
  if (config_text === null) return [];
  return [input('configuration', config_file ?? 'none', 'base_branch', config_text)];
}

/** Returns what the first message says about the checkout. Its names are anybody's. */
function repositoryIn([first]: readonly Message[]): Input[] {
  const [part] = first?.role === 'user' ? first.parts : [];
  const [text] = (part?.type === 'text' && /^<repository>\n.*?\n<\/repository>/su.exec(part.text)) || [];
  return text === undefined ? [] : [input('repository', 'the checkout', 'untrusted', text)];
}

function input(kind: Input['kind'], from: string, trust: Input['trust'], text: string): Input {
  return { kind, from, trust, characters: text.length, sha256: hash(text) };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
